import type { IncomingMessage } from 'node:http'
import { cleanBody, recordedBody } from '../../../interface/clean-parts.js'
import type { RecordedHeaders } from '../../../interface/recorded-parts.js'
import { type JsonObject, printJson } from '../../../lib/json/json.js'
import type { Redaction } from '../../../lib/redaction/redaction.js'
import { type Answer, bytesOf, emptyAnswer } from '../../http/answer.js'
import { type Endpoint, operationName } from '../../http/endpoint.js'
import { isSecretHeader, redactionFor, remarkOn } from '../../http/request-log.js'
import type { ClosedSocket } from '../../sockets/stream-sockets.js'
import type { Fault } from './fault.js'

interface Entry {
  endpoint: Endpoint | undefined
  shown: JsonObject
  /** Characters. */
  size: number
}

interface JournalLimits {
  exchanges: number
  characters: number
}

export class Journal {
  readonly #limits: JournalLimits
  #entries: Entry[] = []
  #size = 0
  #count = 0

  constructor(limits: JournalLimits = { exchanges: 1000, characters: 16 * 1024 * 1024 }) {
    this.#limits = limits
  }

  add(endpoint: Endpoint | undefined, exchange: JsonObject): void {
    this.#count += 1
    const shown = { number: this.#count, ...exchange }
    const size = printJson(shown).length
    this.#entries.push({ endpoint, shown, size })
    this.#size += size
    this.#dropOldest()
  }

  /** `operations` undefined: all. `seen` includes dropped exchanges. */
  read(operations: ReadonlySet<Endpoint> | undefined, last: number): { exchanges: JsonObject[]; seen: number } {
    const found = this.#entries.filter(({ endpoint }) => !operations || (endpoint && operations.has(endpoint)))
    return { exchanges: found.slice(-last).map(({ shown }) => shown), seen: this.#count }
  }

  clear(): void {
    this.#entries = []
    this.#size = 0
    this.#count = 0
  }

  #dropOldest(): void {
    let dropped = 0
    while (this.#entries.length - dropped > this.#limits.exchanges || this.#size > this.#limits.characters) {
      this.#size -= this.#entries[dropped]?.size ?? 0
      dropped += 1
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped)
  }
}

/** Characters. */
const keptOfBody = 64 * 1024

interface Outcome {
  /** Absent: the operation did not run, or the client disconnected. */
  answer: Answer | undefined
  faults: readonly Fault[]
  startedAt: Date
  milliseconds: number
}

interface Called {
  /** With the original target. */
  request: IncomingMessage & { originalUrl: string }
  endpoint: Endpoint | undefined
}

/** Redacts secrets before it cuts. `body`: absent if unreadable. */
export function journalEntry(
  { request, endpoint }: Called,
  body: Buffer | undefined,
  { answer, faults, startedAt, milliseconds }: Outcome,
): JsonObject {
  const redaction = redactionFor(request)
  const kept = (bytes: Buffer): JsonObject => ({ ...cleanBody(recordedBody(bytes), redaction, keptOfBody) })
  const rejectedToken = answer && (answer.status >= 400 || answer.status === opened) ? remarkOn(request) : undefined
  return {
    operation: endpoint ? operationName(endpoint) : null,
    startedAt: startedAt.toISOString(),
    milliseconds,
    request: {
      method: request.method ?? '',
      path: redaction.clean(request.originalUrl),
      headers: keptHeaders(request, redaction),
      ...(body && body.length > 0 && { body: kept(body) }),
    },
    ...(answer && {
      response: {
        status: answer.status,
        ...(hasBody(answer) && { contentType: answer.type, body: kept(bytesOf(answer)) }),
      },
    }),
    ...(rejectedToken !== undefined && { rejectedToken: redaction.clean(rejectedToken) }),
    ...(faults.length > 0 && { faults: faults.map(({ kind, at }) => `${kind} at ${at}`) }),
  }
}

const hasBody = ({ type, content }: Answer): boolean => type !== null || content.length > 0

/** WebSocket handshake; later errors are messages. */
const opened = 101

export function socketEntry({ request, endpoint, body, sent, code, openedAt, milliseconds }: ClosedSocket): JsonObject {
  const called = { request: Object.assign(request, { originalUrl: request.url ?? '' }), endpoint }
  const answer = emptyAnswer(opened)
  const entry = journalEntry(called, body, { answer, faults: [], startedAt: openedAt, milliseconds })
  return { ...entry, socket: { sent, code } }
}

function keptHeaders({ rawHeaders }: IncomingMessage, redaction: Redaction): RecordedHeaders {
  const kept: RecordedHeaders = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    kept.push([name, isSecretHeader(name) ? '[redacted]' : redaction.clean(rawHeaders[index + 1] ?? '')])
  }
  return kept
}
