import { setFlagsFromString } from 'node:v8'
import { errors } from 'undici'
import type { Evidence } from '../../record/types/record.js'
import { ProxyRefused, TooManyInterimAnswers } from '../target/connection/open-connection.js'
import { NotHttp } from './http-answer.js'

export class TimeLimitReached extends Error {
  override readonly name = 'TimeLimitReached'

  constructor(milliseconds: number) {
    super(`no complete answer within ${milliseconds / 1000} s`)
  }
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor(bytes: number) {
    super(`the answer exceeds ${bytes / 1024 / 1024} MiB and was not read completely`)
  }
}

export class TooManyValues extends Error {
  override readonly name = 'TooManyValues'

  constructor() {
    super(`the answer has more than ${maxAnswerValues} JSON values and was not judged`)
  }
}

/** HTTP permits it at any time, with or without an announcement (RFC 9112, sections 9.5 and 9.6). */
export class ClosedBetween extends Error {
  override readonly name = 'ClosedBetween'
  readonly isAnnounced: boolean

  constructor(isAnnounced: boolean) {
    const how = isAnnounced ? 'announced the end of the connection' : 'was the last one on the connection'
    super(`the answer to an earlier request ${how}`)
    this.isAnnounced = isAnnounced
  }
}

/** Errors before a request can be sent. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EPROTO|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|.*_CERT|.*_CERT_.*|UNABLE_TO_.*)$/

/** `isPartlySent`: the target did not receive the complete request. */
export function problemOf(error: unknown, isPartlySent = false): NonNullable<Evidence['problem']> {
  if (error instanceof TimeLimitReached) return { code: 'timeout', message: error.message }
  if (error instanceof AnswerTooLong || error instanceof TooManyValues)
    return { code: 'malformed', message: error.message }
  if (error instanceof ProxyRefused) return { code: 'refused', message: error.message }
  if (error instanceof ClosedBetween) return { code: 'closed', message: error.message }
  const cause = codeOf(error)
  if (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.NotSupportedError ||
    error instanceof errors.RequestContentLengthMismatchError
  ) {
    return { code: 'not-sent', message: `the HTTP client cannot send this request: ${error.message}` }
  }
  if (unreachable.test(cause)) return { code: 'refused', message: `the target cannot be reached (${cause})`, cause }
  // An assertion of undici, which the status line `HTTP/1.1 099` fails.
  if (cause === 'ERR_ASSERTION') return { code: 'malformed', message: 'the answer is not valid HTTP (its status line)' }
  if (error instanceof NotHttp || error instanceof TooManyInterimAnswers)
    return { code: 'malformed', message: `the answer is not valid HTTP (${error.message})` }
  if (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError
  ) {
    return { code: 'malformed', message: `the answer is not valid HTTP (${error.message})` }
  }
  if (isPartlySent) {
    const message = `the connection ended before the request was sent completely, without an answer (${cause})`
    return { code: 'reset', message, partlySent: true }
  }
  return { code: 'reset', message: `the connection ended before the answer was complete (${cause})` }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)

/** A parsed value uses about a hundred times the memory of its bytes. */

/** As long as the longest request that the reference participant 3.5.10 accepts. */
export const maxAnswerBytes = 8 * 1024 * 1024

/** A longer answer limits the growth of the heap. */
export const longAnswerBytes = 2 * 1024 * 1024

/** Rows expect a few thousand at most. */
const maxAnswerValues = 200_000

const [quote, backslash] = [0x22, 0x5c]
/** A value or a name can follow each of `,` `:` `[` `{`. */
const openers = new Set([0x2c, 0x3a, 0x5b, 0x7b])

/** Linear, without parsing. */
export function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= maxAnswerValues) return false
  let values = 0
  let isInString = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (isInString && byte === backslash) at += 1
    else if (byte === quote) isInString = !isInString
    else if (!isInString && openers.has(byte)) values += 1
  }
  return values > maxAnswerValues
}

/** Percent. By default V8 lets the heap grow fourfold. */
const growth = 50
/** Node versions that know the flag (`npm run test:nodes`). Other versions would print a warning. */
const versions: readonly string[] = ['20', '22', '24', '26']
let isLimited = false

/** Costs a tenth of the time, and saves hundreds of megabytes. */
export function limitHeapGrowth(): void {
  if (isLimited) return
  isLimited = true
  if (versions.includes(process.versions.node.split('.')[0] ?? ''))
    setFlagsFromString(`--heap-growing-percent=${growth}`)
}
