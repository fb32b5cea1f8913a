/** Completions as the interface shows them; a refusal appears as a gRPC status with its details (as seen on 3.5.10). */
import { categoryOf, grpcCodes } from '../../interface/error-categories.js'
import { printInstant } from '../../interface/instant.js'
import type { JsonObject } from '../../interface/json.js'
import { bytesField, varintField } from '../../interface/protobuf.js'
import type { LedgerErrorDetails } from '../base/errors.js'
import type { Completion } from '../ledger/completion.js'
import { errorContext } from './error-body.js'

export function completionView(completion: Completion): JsonObject {
  const { submission, traceId, outcome, offset } = completion
  return {
    commandId: submission.commandId,
    status: statusOf(completion),
    updateId: outcome.kind === 'accepted' ? outcome.updateId : '',
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

function statusOf({ outcome, submission, traceId }: Completion): JsonObject {
  if (outcome.kind === 'accepted') return { code: 0, message: '', details: [] }
  const { error } = outcome
  if ('redacted' in error) {
    const message = `An error occurred. Please contact the operator and inquire about the request ${traceId} with tid ${traceId}`
    return { code: grpcCodes[error.redacted].number, message, details: [requestInfo(traceId)] }
  }
  const category = categoryOf(error.category)
  const context = errorContext(error, { traceId, submissionId: submission.submissionId, submission: '' })
  return {
    code: category.grpcCode,
    message: `${error.code}(${error.category},${traceId.slice(0, 8)}): ${error.cause}`,
    details: [
      errorInfo(error.code, context),
      ...(category.retry === undefined ? [] : [retryInfo()]),
      requestInfo(traceId),
      ...(error.resources ?? []).map(resourceInfo),
    ],
  }
}

const noUnknownFields: JsonObject = { fields: {} }

const detail = (name: string, value: Buffer, decoded: JsonObject): JsonObject => ({
  typeUrl: `type.googleapis.com/google.rpc.${name}`,
  value: value.toString('base64'),
  valueDecoded: { ...decoded, unknownFields: noUnknownFields },
  unknownFields: noUnknownFields,
})

function errorInfo(reason: LedgerErrorDetails['code'], metadata: Record<string, string>): JsonObject {
  const entries = Object.entries(metadata).map(([key, value]) =>
    bytesField(3, Buffer.concat([bytesField(1, key), bytesField(2, value)])),
  )
  return detail('ErrorInfo', Buffer.concat([bytesField(1, reason), ...entries]), { reason, domain: '', metadata })
}

const requestInfo = (requestId: string): JsonObject =>
  detail('RequestInfo', bytesField(1, requestId), { requestId, servingData: '' })

/** Every category that is worth another try is so after one second. */
const retryInfo = (): JsonObject =>
  detail('RetryInfo', bytesField(1, varintField(1, 1n)), { retryDelay: { seconds: 1, nanos: 0 } })

const resourceInfo = ([resourceType, resourceName]: readonly [string, string]): JsonObject =>
  detail('ResourceInfo', Buffer.concat([bytesField(1, resourceType), bytesField(2, resourceName)]), {
    resourceType,
    resourceName,
    owner: '',
    description: '',
  })
