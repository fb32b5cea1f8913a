/** What the journal keeps of an exchange. Secrets are gone before anything is cut or kept. */
import type { IncomingMessage } from 'node:http'
import { bodyOf, cleanBody } from '../../interface/clean-parts.js'
import type { JsonObject } from '../../interface/json.js'
import type { RecordedHeaders } from '../../interface/recorded-parts.js'
import { Redaction } from '../../interface/redaction.js'
import { type Answer, bytesOf, printBody } from '../http/answer.js'
import type { Exchange } from '../http/middleware.js'
import { operationName } from '../http/operation-name.js'
import type { Fault } from './fault.js'

/** Characters of a body that are kept. */
const keptOfBody = 64 * 1024
const secretHeader = /auth|token|cookie|secret|password|api-?key|sec-websocket-protocol/i

export interface Outcome {
  /** Absent: the operation did not run, or its caller went away. */
  answer: Answer | undefined
  faults: readonly Fault[]
  startedAt: Date
  milliseconds: number
}

/** `body`: absent where it could not be read as a whole. */
export function journalEntry(
  { request, endpoint }: Pick<Exchange, 'request' | 'endpoint'>,
  body: Buffer | undefined,
  { answer, faults, startedAt, milliseconds }: Outcome,
): JsonObject {
  const redaction = redactionFor(request)
  const kept = (bytes: Buffer): JsonObject => ({ ...cleanBody(bodyOf(bytes), redaction, keptOfBody) })
  const answered = answer && printBody(answer)
  return {
    operation: endpoint ? operationName(endpoint) : null,
    startedAt: startedAt.toISOString(),
    milliseconds,
    request: {
      method: request.method,
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
    ...(faults.length > 0 && { faults: faults.map(({ kind, at }) => `${kind} at ${at}`) }),
  }
}

/** Shorter parts of such a header are its scheme, or names of cookies. */
const shortestPart = 8

/** Takes out what this request brings as a secret, wherever it is repeated. */
function redactionFor({ headers }: IncomingMessage): Redaction {
  const redaction = new Redaction()
  for (const [name, value] of Object.entries(headers)) {
    if (!secretHeader.test(name) || value === undefined) continue
    for (const text of [value].flat()) {
      redaction.register(text, name)
      for (const part of text.split(/[\s,;=]+/)) if (part.length >= shortestPart) redaction.register(part, name)
    }
  }
  return redaction
}

function keptHeaders({ rawHeaders }: IncomingMessage, redaction: Redaction): RecordedHeaders {
  const kept: RecordedHeaders = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    kept.push([name, secretHeader.test(name) ? '[redacted]' : redaction.clean(rawHeaders[index + 1] ?? '')])
  }
  return kept
}
