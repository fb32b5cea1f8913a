/** Accepts every submission. Tests replace single answers. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { listen } from './raw-target.js'

interface Answer {
  status?: number
  json?: JsonValue
  /** Replaces the JSON body. */
  text?: string
}

export interface Call {
  path: string
  authorization: string | undefined
  body: JsonObject
}

export interface FakeParticipant {
  url: string
  calls: Call[]
  callsOf(path: string): Call[]
  /** Maximum of concurrent calls while a body with the mark is in progress. */
  mostAtOnce(mark?: string): number
}

type Handler = (call: Call, ledger: JsonValue[]) => Answer | Promise<Answer> | undefined

const namespace = `1220${'ab'.repeat(32)}`

const defaultAnswers: Readonly<Record<string, Handler>> = {
  '/v2/version': () => ({ json: { version: '3.5.10' } }),
  '/v2/parties/participant-id': () => ({ json: { participantId: `participant::${namespace}` } }),
  '/v2/state/connected-synchronizers': () => ({
    json: { connectedSynchronizers: [{ synchronizerId: `one::${namespace}` }] },
  }),
  '/v2/parties': ({ body }) => ({ json: { partyDetails: { party: `${String(body['partyIdHint'])}::${namespace}` } } }),
  '/v2/users': () => ({ json: {} }),
  '/v2/state/ledger-end': (_, ledger) => ({ json: { offset: ledger.length } }),
  '/v2/updates': (_, ledger) => ({ json: [...ledger] }),
  '/v2/commands/submit-and-wait': ({ body }, ledger) => {
    ledger.push(body)
    return { json: { updateId: `1220${'cd'.repeat(32)}`, completionOffset: ledger.length } }
  },
}

/** `answers` override the default answers. */
export async function fakeParticipant(
  t: Test,
  answers: Readonly<Record<string, Handler>> = {},
): Promise<FakeParticipant> {
  const calls: Call[] = []
  const ledger: JsonValue[] = []
  const running = new Set<Call>()
  const groups: Call[][] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const call = { path: request.url ?? '', authorization: request.headers.authorization, body }
      calls.push(call)
      running.add(call)
      groups.push([...running])
      const given = answers[call.path]?.(call, ledger) ?? defaultAnswers[call.path]?.(call, ledger)
      const answer = (await given) ?? { status: 404 }
      // Lets other calls arrive.
      setTimeout(() => {
        running.delete(call)
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        response.end(answer.text ?? (answer.json === undefined ? '' : printJson(answer.json)))
      }, 2)
    })
  })
  return {
    url: await listen(t, server),
    calls,
    callsOf: (path) => calls.filter((call) => call.path === path),
    mostAtOnce: (mark = '') =>
      Math.max(
        0,
        ...groups
          .filter((group) => group.some(({ body }) => printJson(body).includes(mark)))
          .map((group) => group.length),
      ),
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const sent = await text(request)
  // An archive is not JSON.
  const body = sent === '' || request.headers['content-type'] === 'application/octet-stream' ? {} : parseJson(sent)
  return isJsonObject(body) ? body : {}
}
