/** Servers that are no complete participants, as a newcomer starts them or a network puts them before a participant. */
import { createServer } from 'node:http'
import type { Test } from 'tap'
import { operations } from '../../../interface/operations.js'
import { listen } from './raw-target.js'

export interface PartialAnswer {
  status: number
  type: string
  body: string
  location?: string
}

/** The answer to a request by method and path. */
export type PartialServer = (method: string, path: string) => PartialAnswer

const json = (status: number, value: unknown): PartialAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

const html = (status: number, body: string): PartialAnswer => ({ status, type: 'text/html', body })

const withoutCode = (): PartialAnswer => json(404, { error: 'not found' })

/** As express answers an unknown route. */
const expressPage: PartialServer = (method, path) =>
  html(
    404,
    `<!DOCTYPE html>\n<html><head><title>Error</title></head><body><pre>Cannot ${method} ${path}</pre></body></html>`,
  )

const version = { 'GET /v2/version': json(200, { version: '1.0.0' }) }
const lookup = {
  [`POST ${operations['contract-by-id'].path}`]: json(400, { code: 'MISSING_FIELD', cause: 'contractId' }),
}
const submit = {
  [`POST ${operations['submit-and-wait'].path}`]: json(400, { code: 'MISSING_FIELD', cause: 'commandId' }),
}
const participant = { 'GET /v2/parties/participant-id': json(200, { participantId: `p::1220${'ab'.repeat(32)}` }) }
const connected = (value: unknown) => ({ 'GET /v2/state/connected-synchronizers': json(200, value) })
const synchronizerId = `s::1220${'ab'.repeat(32)}`

const serverOf =
  (routes: Readonly<Record<string, PartialAnswer>>, otherwise: PartialServer = withoutCode): PartialServer =>
  (method, path) =>
    routes[`${method} ${path}`] ?? otherwise(method, path)

export const partialServers: Readonly<Record<string, PartialServer>> = {
  'no route, 404 without a code': serverOf({}),
  'no route, the page of express': serverOf({}, expressPage),
  'a web shop': () => html(200, '<!doctype html><title>The shop</title>'),
  'a login redirect': (_, path) => ({ ...html(302, ''), location: `https://login.example${path}` }),
  'a proxy without a participant': () => html(502, '<html><head><title>502 Bad Gateway</title></head></html>'),
  'only the version': serverOf(version),
  'only contract-by-id': serverOf(lookup, expressPage),
  'contract-by-id with a 404 without a code': serverOf({ ...version, ...participant }),
  'no member connectedSynchronizers': serverOf({ ...version, ...lookup, ...participant, ...connected({}) }),
  'no connected synchronizer': serverOf({
    ...version,
    ...lookup,
    ...participant,
    ...connected({ connectedSynchronizers: [] }),
  }),
  'no member participantId': serverOf({ ...version, ...lookup, 'GET /v2/parties/participant-id': json(200, {}) }),
  'two operations and a synchronizer': serverOf({
    ...version,
    ...lookup,
    ...submit,
    ...participant,
    ...connected({ connectedSynchronizers: [{ synchronizerId }] }),
  }),
}

/** Until the test ends. */
export const startPartial = (t: Pick<Test, 'teardown'>, answer: PartialServer): Promise<string> =>
  listen(
    t,
    createServer((request, response) => {
      const { status, type, body, location } = answer(request.method ?? '', (request.url ?? '').replace(/\?.*$/, ''))
      request.resume().on('end', () => {
        response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) }).end(body)
      })
    }),
  )
