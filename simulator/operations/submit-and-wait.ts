import { operations } from '../../interface/operations.js'
import { demandActAs, demandReadAs } from '../auth/caller.js'
import { inTurns } from '../base/slices.js'
import { packageNamesIn } from '../codec/conversion.js'
import { ok } from '../http/answer.js'
import type { Call } from '../http/call.js'
import { endpoint, on } from '../http/endpoint.js'
import { acquireCommands, type Commit } from '../ledger/submit/acquire.js'
import { reachMinLedgerTime, type SubmissionBody, submissionBody } from './submission-body.js'
import { checkedSubmission, preprocessingChecks } from './submission-checks.js'

export const submitAndWait = endpoint({
  ...on(operations['submit-and-wait']),
  body: submissionBody,
  handle: async (call) => {
    const commit = await acquireSubmission(call, call.body)
    const { updateId, offset } = commit()
    return ok({ updateId, completionOffset: offset })
  },
})

/**
 * `checkMore` runs between the checks of the request and its interpretation. Ends when the submission can commit.
 * @example
 * const commit = await acquireSubmission(call, call.body)
 * commit().updateId // '1220…'
 */
export async function acquireSubmission(
  call: Call<unknown>,
  body: SubmissionBody,
  checkMore?: () => void,
): Promise<Commit> {
  const { participant } = call
  const { ledger, without } = participant
  const { commands, identity, disclosed } = checkedSubmission(call, body, (caller) => {
    demandActAs(caller, body.actAs)
    demandReadAs(caller, body.readAs, body.actAs)
  })
  checkMore?.()
  preprocessingChecks.run(commands, without)
  const minLedgerTime = await reachMinLedgerTime(body, participant, call.deadline.signal)
  const acquired = acquireCommands(ledger, {
    ...identity,
    commands,
    packageNames: packageNamesIn(body.commands),
    disclosed,
    prescribed: body.synchronizerId,
    preference: body.preference,
    ...(body.deduplication && { deduplication: body.deduplication }),
    ...(minLedgerTime !== undefined && { minLedgerTime }),
    ...(body.minLedgerTimeRel !== undefined && body.minLedgerTimeRel < 0n && { leeway: -body.minLedgerTimeRel }),
    ...(body.tapsMaxPasses === 1n && { onePass: true }),
    traceId: call.submission.traceId,
  })
  const commit = await inTurns(acquired)
  await ledger.clock.transit(participant.activity)
  return commit
}
