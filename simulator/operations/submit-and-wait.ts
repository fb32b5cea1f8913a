import { operations } from '../../interface/operations.js'
import { demandActAs, demandOwnUserId, demandReadAs, effectiveUserId } from '../auth/caller.js'
import { inTurns } from '../base/slices.js'
import { convertCommands, packageNamesIn } from '../codec/conversion.js'
import { discloseAll } from '../codec/disclosure.js'
import { ok } from '../http/answer.js'
import { endpoint, on } from '../http/endpoint.js'
import { acquireCommands } from '../ledger/submit/acquire.js'
import { convertPrefetch, printSubmission, reachMinLedgerTime, submissionBody } from './submission-body.js'
import { conversionChecks, preprocessingChecks, requestChecks } from './submission-checks.js'

export const submitAndWait = endpoint({
  ...on(operations['submit-and-wait']),
  body: submissionBody,
  handle: async (call) => {
    const { participant, caller, body } = call
    const { ledger, enforcement } = participant

    enforcement.enforce(conversionChecks, body)
    const commands = convertCommands(body.commands, body, participant)
    const prefetched = convertPrefetch(body.prefetch, participant)

    demandOwnUserId(caller, body.userId)
    demandActAs(caller, body.actAs)
    demandReadAs(caller, body.readAs, body.actAs)
    const identity = {
      userId: effectiveUserId(caller, body.userId),
      submissionId: body.submissionId === '' ? call.submission.submissionId : body.submissionId,
      commandId: body.commandId,
      workflowId: body.workflowId,
      actAs: [...new Set(body.actAs)],
      readAs: [...new Set(body.readAs)],
    }
    call.submission.submissionId = identity.submissionId
    call.submission.submission = printSubmission(identity, body.deduplication, ledger.clock.now())

    enforcement.enforce(requestChecks, { body, identity, commands, prefetched, participant })
    const disclosed = discloseAll(body.disclosedContracts, ledger)
    enforcement.enforce(preprocessingChecks, commands)
    const minLedgerTime = await reachMinLedgerTime(body, participant, call.overdue)
    const acquired = acquireCommands(ledger, {
      ...identity,
      commands,
      packageNames: packageNamesIn(body.commands),
      disclosed,
      prescribed: body.synchronizerId,
      preference: body.preference,
      ...(body.deduplication && { deduplication: body.deduplication }),
      ...(minLedgerTime !== undefined && { minLedgerTime }),
      ...(body.tapsMaxPasses === 1n && { onePass: true }),
      traceId: call.traceId,
    })
    const inFlight = await inTurns(acquired)
    await ledger.clock.transit(participant.activity)
    const { updateId, offset } = inFlight.commit()
    return ok({ updateId, completionOffset: offset })
  },
})
