import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { printJson } from '../../../lib/json/json.js'
import { type Answer, bytesOf, contentTypes, printBody, printed, send } from '../../http/answer.js'
import type { Middleware } from '../../http/dispatcher.js'
import type { Fault } from './fault.js'
import type { Faults } from './faults.js'
import { type Journal, journalEntry } from './journal.js'

/** Delays add up; of other faults, only the oldest applies. */
export function observedAndFaulty(faults: Faults, journal: Journal): Middleware {
  return async (exchange, run) => {
    const { request, response, endpoint } = exchange
    const startedAt = new Date()
    const begin = performance.now()
    // Without an operation, the answer does not wait for the body.
    const body = endpoint && exchange.body().catch(() => undefined)
    const injected = endpoint && body ? await faults.dueFor(endpoint, body) : []
    let answer: Answer | undefined
    try {
      // As a proxy does.
      if (injected.length > 0) await body
      answer = await answerUnder(injected, response, run)
    } finally {
      const milliseconds = Math.round(performance.now() - begin)
      const outcome = { answer, faults: injected, startedAt, milliseconds }
      journal.add(endpoint, journalEntry({ request, endpoint }, await body, outcome))
    }
  }
}

/** Undefined: the operation did not run. */
async function answerUnder(
  faults: readonly Fault[],
  response: ServerResponse,
  run: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const decisive = faults.find(({ kind }) => kind !== 'delay')
  await pause(delayAt('request', faults), response)
  const answer = decisive?.at === 'request' ? insteadOf(decisive) : await run()
  await pause(delayAt('answer', faults), response)
  if (!answer) {
    resetConnection(response)
    return undefined
  }
  const sent = printed(decisive?.kind === 'status' ? statusAnswer(decisive) : answer)
  deliver(response, sent, decisive)
  return sent
}

const insteadOf = (fault: Fault): Answer | undefined => (fault.kind === 'status' ? statusAnswer(fault) : undefined)

const delayAt = (point: Fault['at'], faults: readonly Fault[]): number =>
  faults.reduce((sum, fault) => sum + (fault.kind === 'delay' && fault.at === point ? fault.milliseconds : 0), 0)

/** Returns early when the client disconnects. */
async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  if (milliseconds === 0 || response.closed) return
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  response.once('close', leave)
  await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined)
  response.off('close', leave)
}

function deliver(response: ServerResponse, answer: Answer, fault: Fault | undefined): void {
  if (response.headersSent || response.destroyed) return
  if (fault?.kind === 'reset') resetConnection(response)
  else if (fault?.kind === 'truncate') truncate(response, answer, fault.bytes)
  else if (fault?.kind === 'garbage') garble(response, answer)
  else send(response, answer)
}

function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function statusAnswer({ status, body, headers: given = {} }: Extract<Fault, { kind: 'status' }>): Answer {
  const { 'content-type': named, ...headers } = given
  const isJson = body !== undefined && typeof body !== 'string'
  const text = isJson ? printJson(body) : (body ?? STATUS_CODES[status] ?? 'Error')
  return { status, text, type: named ?? (isJson ? contentTypes.json : contentTypes.text), headers }
}

/** Announces the full length. */
function truncate(response: ServerResponse, answer: Answer, kept: number | undefined): void {
  const { type, bytes } = bodyOf(answer)
  const length = Math.max(bytes.length, 1)
  response.writeHead(answer.status, { ...(type !== null && { 'content-type': type }), 'content-length': length })
  const part = bytes.subarray(0, Math.min(kept ?? Math.floor(length / 2), length - 1))
  response.write(part, () => response.socket?.destroySoon())
}

/** An opening brace and invalid UTF-8. */
const nonsense = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28])

function garble(response: ServerResponse, answer: Answer): void {
  const { type, bytes } = bodyOf(answer)
  const garbage = Buffer.alloc(Math.max(bytes.length, nonsense.length), nonsense)
  response.writeHead(answer.status, {
    ...(type !== null && { 'content-type': type }),
    'content-length': garbage.length,
  })
  response.end(garbage)
}

function bodyOf(answer: Answer): { type: string | null; bytes: Buffer } {
  const body = printBody(answer) ?? { type: 'text/plain; charset=UTF-8', content: '' }
  return { type: body.type, bytes: bytesOf(body) }
}
