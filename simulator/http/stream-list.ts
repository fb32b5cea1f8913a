/**
 * A stream as one list: the elements that exist, then those that are written while the caller waits, and never more than a list
 * may hold. Limits and waiting times are those of the reference participant (3.5.10; its source).
 */
import type { JsonValue } from '../../lib/json/json.js'
import { tooManyElements } from '../base/errors.js'
import type { Participant } from '../participant/participant.js'
import { type Answer, ok } from './answer.js'
import { integerParameter } from './query-parameters.js'
import type { Stream } from './stream.js'

const mostElements = 200
const usualIdleTime = 500

interface Circumstances {
  participant: Participant
  /** `limit`: elements after which the list is complete; `stream_idle_timeout_ms`: how long to wait for another. */
  query: URLSearchParams
  /** Aborted when the client has gone. */
  overdue: AbortSignal
}

/**
 * The answer to a request for a stream. A list that would be longer than the participant allows is refused, unless a limit
 * was asked for (JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED). Rejects also with `UndecodableParameter`.
 */
export async function streamList(stream: Stream, circumstances: Circumstances): Promise<Answer> {
  const limit = integerParameter(circumstances.query, 'limit') ?? mostElements + 1
  const idleTime = integerParameter(circumstances.query, 'stream_idle_timeout_ms') ?? usualIdleTime
  const wanted = Math.max(0, Math.min(limit, mostElements + 1))
  const list = new List(stream, wanted)
  list.read()
  if (stream.openEnded) await readUntilIdle(list, idleTime, circumstances)
  if (list.elements.length > mostElements) throw tooManyElements(mostElements)
  return ok(list.elements)
}

/** Elements of a stream, up to a number. */
class List {
  readonly elements: JsonValue[] = []
  readonly #stream: Stream
  readonly #wanted: number

  constructor(stream: Stream, wanted: number) {
    this.#stream = stream
    this.#wanted = wanted
  }

  get isFull(): boolean {
    return this.elements.length >= this.#wanted
  }

  read(): void {
    if (this.isFull) return
    for (const element of this.#stream.next()) {
      this.elements.push(element)
      if (this.isFull) return
    }
  }
}

/** Reads again whenever something was written; the waiting time starts anew with every element. */
async function readUntilIdle(
  list: List,
  idleTime: number,
  { participant: { clock, ledger }, overdue }: Circumstances,
): Promise<void> {
  const later = (): bigint => clock.base.now() + BigInt(Math.max(0, idleTime)) * 1000n
  let deadline = later()
  while (!list.isFull && !overdue.aborted) {
    const ended = new AbortController()
    const either = AbortSignal.any([overdue, ended.signal])
    await Promise.race([clock.base.reach(deadline, either), ledger.changes.next(either)])
    ended.abort()
    const { length } = list.elements
    list.read()
    if (list.elements.length > length) deadline = later()
    else if (clock.base.now() >= deadline) return
  }
}
