import { categoryOf, grpcCodes } from '../../interface/error-categories.js'
import type { JsonObject } from '../../lib/json/json.js'
import { definiteAnswerOf, type LedgerErrorDetails, type RedactedError } from '../base/errors.js'

/** What the context of an error shows. */
interface Surroundings {
  traceId: string
  /** Empty before a submission. */
  submissionId: string
  /** For the error context. */
  submission: string
}

export interface Situation extends Surroundings {
  /** Resource types without their class. */
  hasPlainResources: boolean
}

export function errorBody(details: LedgerErrorDetails, situation: Situation): { status: number; body: JsonObject } {
  const category = categoryOf(details.category)
  return {
    status: details.status ?? category.httpStatus,
    body: {
      code: details.code,
      cause: short(causeOf(details, situation.traceId)),
      correlationId: correlationId(details, situation),
      traceId: isTraced(details) ? situation.traceId : null,
      context: errorContext(details, situation),
      resources: (details.resources ?? []).map(([kind, name]) => [resourceKind(details, situation, kind), short(name)]),
      errorCategory: details.category,
      grpcCodeValue: category.grpcCode,
      retryInfo: category.retry ?? null,
      definiteAnswer: details.origin === 'conversion' ? false : null,
    },
  }
}

/** The message of the gRPC status of an error. */
export const statusMessage = (details: LedgerErrorDetails, traceId: string): string =>
  `${details.code}(${details.category},${isTraced(details) ? traceId.slice(0, 8) : 0}): ${details.cause}`

/** The JSON API strips code and category from a status message only if it is a single line (observed on 3.5.10). */
const causeOf = (details: LedgerErrorDetails, traceId: string): string =>
  details.origin !== 'conversion' && details.cause.includes('\n') ? statusMessage(details, traceId) : details.cause

const participantName = 'sandbox'

/** Error contexts of these origins quote the participant name (observed on 3.5.10). */
const isQuoted = ({ origin, category }: LedgerErrorDetails): boolean =>
  ['reading', 'management', 'request', 'interpretation'].includes(origin) ||
  (origin === 'format' && category !== notThere)

const notThere = 11

export const isTraced = ({ origin }: LedgerErrorDetails): boolean => origin !== 'routing' && origin !== 'format'

/** Characters of a text in an error that may quote a request; a request may contain millions. */
const longest = 10_000

const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}...` : text)

function correlationId({ origin }: LedgerErrorDetails, { traceId, submissionId }: Situation): string | null {
  if (origin === 'conversion') return traceId
  return origin === 'request' || origin === 'interpretation' ? submissionId || null : null
}

export const errorContext = (details: LedgerErrorDetails, situation: Surroundings): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...details.context, ...surroundings(details, situation) }).map(([name, text]) => [
      name,
      short(text),
    ]),
  )

function surroundings(
  details: LedgerErrorDetails,
  { traceId, submissionId, submission }: Surroundings,
): Record<string, string> {
  const { origin, category, code } = details
  const definite = definiteAnswerOf(code)
  if (origin === 'conversion') return {}
  return {
    ...(origin !== 'routing' && { participant: isQuoted(details) ? `'${participantName}'` : participantName }),
    ...(isTraced(details) && { tid: traceId }),
    ...(origin === 'interpretation' && { commands: submission }),
    ...(origin === 'management' && { submissionId: `'${submissionId}'` }),
    ...(definite !== undefined && { definite_answer: definite }),
    category: String(category),
  }
}

/** Errors that cross the gRPC boundary contain the printed resource type (3.4 and 3.5). */
const resourceKind = ({ origin }: LedgerErrorDetails, { hasPlainResources }: Situation, kind: string): string =>
  origin === 'conversion' || hasPlainResources ? kind : `ErrorResource(${kind})`

/** The category is unknown; a description replaces the code. */
export function redactedBody(error: RedactedError, situation: Situation): { status: number; body: JsonObject } {
  const { grpc, context, description } = error
  const { number, httpStatus } = grpcCodes[grpc]
  const traceId = error.traced ? situation.traceId : null
  return {
    status: httpStatus,
    body: {
      code: description ?? 'NA',
      cause: description === undefined ? 'A security-sensitive error has been received' : `${grpc}: ${description}`,
      correlationId: traceId,
      traceId,
      context,
      resources: [],
      errorCategory: -1,
      grpcCodeValue: number,
      retryInfo: null,
      definiteAnswer: null,
    },
  }
}
