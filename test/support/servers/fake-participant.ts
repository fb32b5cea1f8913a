/** A participant that is just good enough to be provisioned: it commits whatever it gets, and tests break it in one place. */
import { createServer, type IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { listen } from './raw-target.js'

interface Answer {
  status?: number
  json?: JsonValue
  /** The body as text, in place of JSON. */
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
  /** Calls of one path. */
  callsOf(path: string): Call[]
  /** Most calls that were in progress at once; of those that a text occurs in, if one is given. */
  mostAtOnce(mark?: string): number
}

type Handler = (call: Call, ledger: JsonValue[]) => Answer | undefined

const namespace = `1220${'ab'.repeat(32)}`

const usual: Readonly<Record<string, Handler>> = {
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

/** `answers` come first; where they give nothing, the participant answers as usual. */
export async function fakeParticipant(
  t: Test,
  answers: Readonly<Record<string, Handler>> = {},
): Promise<FakeParticipant> {
  const calls: Call[] = []
  const ledger: JsonValue[] = []
  const running = new Set<Call>()
  const groups: Call[][] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const call = { path: request.url ?? '', authorization: request.headers.authorization, body }
      calls.push(call)
      running.add(call)
      groups.push([...running])
      const answer = answers[call.path]?.(call, ledger) ?? usual[call.path]?.(call, ledger) ?? { status: 404 }
      // Time enough for other calls to come in.
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
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  // An archive is no JSON.
  const body = text === '' || request.headers['content-type'] === 'application/octet-stream' ? {} : parseJson(text)
  return isJsonObject(body) ? body : {}
}
