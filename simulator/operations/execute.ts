import { operations, supportOperations } from '../../interface/operations.js'
import { canRead, demandRead } from '../auth/caller.js'
import { undecodableBody } from '../base/errors.js'
import { checkTransactionFormat, everythingFor, partiesOf } from '../codec/checked-format.js'
import { wholeTransactionView } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import type { Call } from '../http/call.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { commitUnreported } from '../ledger/submit/acquire.js'
import {
  type ExecuteBody,
  executeBody,
  executeForTransactionBody,
  type PreparedBytes,
  readPreparedBytes,
} from './execute-body.js'
import { submitPrepared } from './submit-prepared.js'

/** Of one party, without waiting (observed on 3.5.10). */
const signatureLimit = 50

/** Takes one or two seconds to verify; no limit of the reference is known. */
const waitingSignatureLimit = 1000

const execute = endpoint({
  ...on(operations.execute),
  body: executeBody,
  handle: async (call) => {
    const { commit } = await submitPrepared(call, readBytes(call), signatureLimit)
    commitUnreported(commit)
    return ok({})
  },
})

const executeAndWait = endpoint({
  ...on(supportOperations['execute-and-wait']),
  body: executeBody,
  handle: async (call) => {
    const { commit } = await submitPrepared(call, readBytes(call), waitingSignatureLimit)
    const { updateId, offset } = commit()
    return ok({ updateId, completionOffset: offset })
  },
})

const executeAndWaitForTransaction = endpoint({
  ...on(operations['execute-and-wait-for-transaction']),
  body: executeForTransactionBody,
  handle: async (call) => {
    const given = call.body.transactionFormat
    const bytes = readBytes(call)
    // The default format needs no read right.
    if (given?.eventFormat) demandRead(call.caller, partiesOf(given.eventFormat) ?? [])
    const checked = () => given && checkTransactionFormat(given, call.participant, 'format')
    if (!call.participant.behaviour.has('format-checked-after-commit')) checked()
    const { commit, identity } = await submitPrepared(call, bytes, waitingSignatureLimit)
    const transaction = commit()
    const shown =
      checked() ?? everythingFor([...identity.actAs, ...readersOf(call, bytes)], 'TRANSACTION_SHAPE_ACS_DELTA')
    return ok({ transaction: wholeTransactionView(transaction, shown, call.participant) })
  },
})

/** The bytes do not contain the readers of the preparation. */
function readersOf({ participant, caller }: Call<ExecuteBody>, { prepared }: PreparedBytes): readonly string[] {
  if (!prepared || participant.behaviour.has('forget-readers-of-prepared')) return []
  const readers = participant.ledger.state.preparedReaders.get(prepared.metadata.transactionUuid) ?? []
  return readers.filter((party) => canRead(caller, party))
}

/** Runs before authorization. */
function readBytes({ body, participant: { behaviour } }: Call<ExecuteBody>): PreparedBytes {
  if (!body.deduplicationPeriod && behaviour.has('execute-needs-deduplication-period')) {
    throw undecodableBody(["Missing required field at 'deduplicationPeriod'"])
  }
  return readPreparedBytes(body.preparedTransaction)
}

export const executeEndpoints: readonly Endpoint[] = [execute, executeAndWait, executeAndWaitForTransaction]
