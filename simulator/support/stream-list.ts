/**
 * How something that goes on for ever is answered as one list: what is there, then what comes while the caller waits, and never
 * more than a list may hold. Limits and waiting times are those of the reference participant (3.5.10; its source).
 */
import type { JsonValue } from '../../interface/json.js'
import { tooManyElements } from '../base/errors.js'
import { type Answer, ok } from '../http/answer.js'
import { integerParameter } from '../http/query-parameters.js'
import type { Participant } from '../participant/participant.js'

const mostElements = 200
const usualIdleTime = 500

interface Stream {
  participant: Participant
  /** `limit`: elements after which the list is complete; `stream_idle_timeout_ms`: how long to wait for another. */
  query: URLSearchParams
  /** Aborted when nobody waits any more. */
  overdue: AbortSignal
  /** Whether more may come. */
  openEnded: boolean
  /** All elements so far. */
  read(): readonly JsonValue[]
}

/**
 * The answer to a request for a stream. A list that would be longer than the participant allows is refused, unless a limit
 * was asked for (JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED). Rejects also with `UndecodableParameter`.
 */
export async function streamList(stream: Stream): Promise<Answer> {
  const limit = integerParameter(stream.query, 'limit') ?? mostElements + 1
  const idleTime = integerParameter(stream.query, 'stream_idle_timeout_ms') ?? usualIdleTime
  const wanted = Math.max(0, Math.min(limit, mostElements + 1))
  const found = stream.openEnded ? await readUntilIdle(stream, wanted, idleTime) : stream.read()
  if (found.length > mostElements && wanted > mostElements) throw tooManyElements(mostElements)
  return ok(found.slice(0, wanted))
}

/** Reads again whenever something was written; the waiting time starts anew with every element. */
async function readUntilIdle(stream: Stream, wanted: number, idleTime: number): Promise<readonly JsonValue[]> {
  const { changes } = stream.participant.ledger
  const clock = stream.participant.clock.base
  const later = (): bigint => clock.now() + BigInt(Math.max(0, idleTime)) * 1000n
  let found = stream.read()
  let deadline = later()
  while (found.length < wanted && !stream.overdue.aborted) {
    const ended = new AbortController()
    const either = AbortSignal.any([stream.overdue, ended.signal])
    await Promise.race([clock.reach(deadline, either), changes.next(either)])
    ended.abort()
    const { length } = found
    found = stream.read()
    if (found.length > length) deadline = later()
    else if (clock.now() >= deadline) break
  }
  return found
}
