import { errors } from 'undici'
import type { Evidence } from '../../record/types/record.js'
import { TooManyInterimAnswers } from '../target/connection/interim-answers.js'
import { ProxyRefused } from '../target/connection/open-connection.js'
import { maxAnswerValues } from './answer-limits.js'
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

/** HTTP permits it (RFC 9112, section 9.6). */
export class ClosedAsAnnounced extends Error {
  override readonly name = 'ClosedAsAnnounced'

  constructor() {
    super('the answer to an earlier request announced the end of the connection')
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
  if (error instanceof ClosedAsAnnounced) return { code: 'closed', message: error.message }
  const cause = codeOf(error)
  if (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.NotSupportedError ||
    error instanceof errors.RequestContentLengthMismatchError
  ) {
    return { code: 'not-sent', message: `the HTTP client cannot send this request: ${error.message}` }
  }
  if (unreachable.test(cause)) return { code: 'refused', message: `the target cannot be reached (${cause})`, cause }
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
