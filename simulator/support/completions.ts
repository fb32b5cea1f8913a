import { categoryOf, grpcCodes } from '../../interface/error-categories.js'
import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { printInstant } from '../../lib/json/instant.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandOwnUserId, demandRead, effectiveUserId } from '../auth/caller.js'
import type { Behaviour } from '../base/behaviour.js'
import { checkArgument } from '../base/checks.js'
import { missingField, negativeOffset, offsetAfterLedgerEnd } from '../base/errors.js'
import { errorInfo, requestInfo, resourceInfo, retryInfo, shownBy } from '../codec/status-details.js'
import { on, type Place } from '../http/endpoint.js'
import { errorContext, isTraced, statusMessage } from '../http/error-body.js'
import { mapped, type StreamEndpoint, streamEndpoint } from '../http/stream.js'
import { int64, list, message, optional, text } from '../json/decode.js'
import type { Completion } from '../ledger/transactions/transaction.js'

const completionsBody = message({
  userId: optional(text, ''),
  parties: optional(list(text), []),
  beginExclusive: optional(int64, 0n),
})

const stream = (place: Place, isByUser: boolean): StreamEndpoint =>
  streamEndpoint({
    ...place,
    body: completionsBody,
    open: ({ participant, caller, body }) => {
      const { ledger } = participant
      if (isByUser) demandOwnUserId(caller, body.userId)
      demandRead(caller, body.parties)
      const userId = isByUser ? effectiveUserId(caller, body.userId) : undefined
      if (body.parties.length === 0) throw missingField('request', 'parties')
      for (const party of body.parties) checkArgument('request', grammars.partyId, party)
      const { beginExclusive } = body
      if (beginExclusive < 0n)
        throw negativeOffset('reading', `Offset ${beginExclusive} in begin_exclusive is negative`)
      if (beginExclusive > BigInt(ledger.end)) {
        throw offsetAfterLedgerEnd('reading', `Begin offset (${beginExclusive}) is after ledger end (${ledger.end})`)
      }
      let seen = Number(beginExclusive)
      const next = (): Iterable<JsonObject> => {
        const written = ledger.state.completions.filter(({ offset }) => offset > seen)
        seen = Math.max(seen, written.at(-1)?.offset ?? 0)
        const own = written.filter(({ submission: { userId: submitter, actAs } }) => {
          return (userId === undefined || submitter === userId) && actAs.some((party) => body.parties.includes(party))
        })
        return mapped(own, (completion) => ({
          completionResponse: { Completion: { value: completionView(completion, participant.behaviour) } },
        }))
      }
      return { openEnded: true, next }
    },
  })

export const completionStreams: readonly StreamEndpoint[] = [
  stream(on(supportOperations.completions), true),
  // Ignores the user.
  stream({ method: 'post', path: '/v2/commands/command-completions' }, false),
]

function completionView(completion: Completion, behaviour: Behaviour): JsonObject {
  const { submission, traceId, offset } = completion
  return {
    commandId: submission.commandId,
    status: statusOf(completion, behaviour),
    updateId: 'updateId' in completion ? completion.updateId : '',
    userId: submission.userId,
    actAs: submission.actAs,
    submissionId: submission.submissionId,
    deduplicationPeriod: { DeduplicationOffset: { value: completion.deduplicatedAfter } },
    traceContext: { traceparent: `00-${traceId}-${traceId.slice(16)}-03`, tracestate: null },
    offset,
    synchronizerTime: { synchronizerId: completion.synchronizerId, recordTime: printInstant(completion.recordTime) },
    paidTrafficCost: 0,
    ...(behaviour.has('members-since-3.6') && { transactionHash: hashOf(completion) }),
  }
}

/** In Base64, unlike in transactions; null for a redacted error, or if no external party signed (observed on 3.6). */
function hashOf(completion: Completion): string | null {
  const isRedacted = 'error' in completion && 'redacted' in completion.error
  const { externalHash } = completion
  return isRedacted || externalHash === undefined ? null : Buffer.from(externalHash, 'hex').toString('base64')
}

/** An error is a gRPC status with details (observed on 3.5.10). */
function statusOf(completion: Completion, behaviour: Behaviour): JsonObject {
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
    message: statusMessage(error, traceId),
    details: [
      errorInfo(error.code, context),
      ...(category.retry === undefined ? [] : [retryInfo()]),
      ...(isTraced(error) ? [requestInfo(traceId)] : []),
      ...(error.resources ?? []).map(resourceInfo),
    ].map(shownBy(behaviour)),
  }
}
