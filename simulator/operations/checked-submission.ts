import { type Caller, demandOwnUserId, effectiveUserId } from '../auth/caller.js'
import { convertCommands } from '../codec/conversion.js'
import { discloseAll } from '../codec/disclosure.js'
import type { Call } from '../http/call.js'
import {
  convertPrefetch,
  minLedgerTime,
  printSubmission,
  refuseUnrepresentable,
  type SubmissionBody,
} from './submission-body.js'
import { conversionChecks, requestChecks } from './submission-checks.js'

/** The checks that submit-and-wait and prepare share, in order. Sets the submission that error bodies show. */
export function checkedSubmission(
  { participant, caller, submission: situation }: Call<unknown>,
  body: SubmissionBody,
  demandRights: (caller: Caller) => void,
) {
  const { ledger, enforcement } = participant
  enforcement.enforce(conversionChecks, body)
  const commands = convertCommands(body.commands, body, participant)
  const prefetched = convertPrefetch(body.prefetch, participant)

  demandOwnUserId(caller, body.userId)
  demandRights(caller)
  const identity = {
    userId: effectiveUserId(caller, body.userId),
    submissionId: body.submissionId === '' ? situation.submissionId : body.submissionId,
    commandId: body.commandId,
    workflowId: body.workflowId,
    actAs: [...new Set(body.actAs)],
    readAs: [...new Set(body.readAs)],
  }
  situation.submissionId = identity.submissionId
  const now = ledger.clock.now()
  situation.submission = printSubmission(identity, body.deduplication, now)

  enforcement.enforce(requestChecks, { body, identity, commands, prefetched, participant })
  refuseUnrepresentable(minLedgerTime(body, now))
  const disclosed = discloseAll(body.disclosedContracts, ledger)
  return { commands, identity, disclosed, now }
}
