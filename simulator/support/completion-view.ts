/** Completions as the interface shows them; a refusal appears as a gRPC status with its details (as seen on 3.5.10). */
import { categoryOf, grpcCodes } from '../../interface/error-categories.js'
import { printInstant } from '../../lib/json/instant.js'
import type { JsonObject } from '../../lib/json/json.js'
import { decodedDetail, errorInfo, requestInfo, resourceInfo, retryInfo } from '../codec/status-details.js'
import { errorContext, isTraced } from '../http/error-body.js'
import type { Completion } from '../ledger/transactions/completion.js'

export function completionView(completion: Completion): JsonObject {
  const { submission, traceId, offset } = completion
  return {
    commandId: submission.commandId,
    status: statusOf(completion),
    updateId: 'updateId' in completion ? completion.updateId : '',
    userId: submission.userId,
    actAs: submission.actAs,
    submissionId: submission.submissionId,
    deduplicationPeriod: { DeduplicationOffset: { value: completion.deduplicatedAfter } },
    traceContext: { traceparent: `00-${traceId}-${traceId.slice(16)}-03`, tracestate: null },
    offset,
    synchronizerTime: { synchronizerId: completion.synchronizerId, recordTime: printInstant(completion.recordTime) },
    paidTrafficCost: 0,
  }
}

function statusOf(completion: Completion): JsonObject {
  if ('updateId' in completion) return { code: 0, message: '', details: [] }
  const { error, submission, traceId } = completion
  if ('redacted' in error) {
    const message =
      'An error occurred. Please contact the operator and inquire about the request <no-correlation-id> with tid <no-tid>'
    return { code: grpcCodes[error.redacted].number, message, details: [] }
  }
  const category = categoryOf(error.category)
  const context = errorContext(error, { traceId, submissionId: submission.submissionId, submission: '' })
  return {
    code: category.grpcCode,
    message: `${error.code}(${error.category},${isTraced(error) ? traceId.slice(0, 8) : 0}): ${error.cause}`,
    details: [
      errorInfo(error.code, context),
      ...(category.retry === undefined ? [] : [retryInfo()]),
      ...(isTraced(error) ? [requestInfo(traceId)] : []),
      ...(error.resources ?? []).map(resourceInfo),
    ].map(decodedDetail),
  }
}
