/** Redacts secrets before shortening. */
import type { IncomingMessage } from 'node:http'
import { bodyOf, cleanBody } from '../../../interface/clean-parts.js'
import type { RecordedHeaders } from '../../../interface/recorded-parts.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { Redaction } from '../../../lib/redaction/redaction.js'
import { type Answer, bytesOf, printBody } from '../../http/answer.js'
import type { Endpoint } from '../../http/endpoint.js'
import { operationName } from '../../http/operation-name.js'
import { remarkOn } from '../../http/remarks.js'
import { isSecretHeader, redactionFor } from '../../http/secrets-of-request.js'
import type { ClosedSocket } from '../../sockets/stream-sockets.js'
import type { Fault } from './fault.js'

/** Characters. */
const keptOfBody = 64 * 1024

export interface Outcome {
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

/** `body`: absent if unreadable. */
export function journalEntry(
  { request, endpoint }: Called,
  body: Buffer | undefined,
  { answer, faults, startedAt, milliseconds }: Outcome,
): JsonObject {
  const redaction = redactionFor(request)
  const kept = (bytes: Buffer): JsonObject => ({ ...cleanBody(bodyOf(bytes), redaction, keptOfBody) })
  const answered = answer && printBody(answer)
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
        ...(answered && { contentType: answered.type, body: kept(bytesOf(answered)) }),
      },
    }),
    ...(rejectedToken !== undefined && { rejectedToken: redaction.clean(rejectedToken) }),
    ...(faults.length > 0 && { faults: faults.map(({ kind, at }) => `${kind} at ${at}`) }),
  }
}

/** WebSocket handshake; later errors are messages. */
const opened = 101

export function socketEntry({ request, endpoint, body, sent, code, openedAt, milliseconds }: ClosedSocket): JsonObject {
  const called = { request: Object.assign(request, { originalUrl: request.url ?? '' }), endpoint }
  const answer: Answer = { status: opened, empty: true }
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
