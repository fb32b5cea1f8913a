/** Submissions in other forms than submit-and-wait. */
import { demandRead } from '../../auth/caller.js'
import { everythingFor, namedTransactionFormat, partiesOf, refuseUnknown } from '../../codec/checked-format.js'
import { transactionFormat } from '../../codec/event-format.js'
import { wholeTransactionView } from '../../codec/event-view.js'
import { ok } from '../../http/answer.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { absentable, members, required } from '../../json/decode.js'
import { commitUnreported } from '../../ledger/submit/acquire.js'
import { submissionBody } from '../../operations/submission-body.js'
import { acquireSubmission } from '../../operations/submit-and-wait.js'
import { transactionTree } from '../reading.js'

const forTransactionBody = members({
  commands: required(submissionBody),
  transactionFormat: absentable(transactionFormat),
})

const submitForTransaction = endpoint({
  method: 'post',
  path: '/v2/commands/submit-and-wait-for-transaction',
  body: forTransactionBody,
  handle: async (call) => {
    const { participant, caller } = call
    const { commands, transactionFormat: given } = call.body
    // The default format needs no read right.
    if (given?.eventFormat) demandRead(caller, partiesOf(given.eventFormat) ?? [])
    let format = everythingFor([...commands.actAs, ...commands.readAs], 'TRANSACTION_SHAPE_ACS_DELTA')
    const isLate = participant.behaviour.has('format-checked-after-commit')
    const commit = await acquireSubmission(call, commands, () => {
      if (given) format = namedTransactionFormat(given, participant, 'request')
      if (!isLate) refuseUnknown(format.eventFormat, participant, 'request')
    })
    const transaction = commit()
    // The reference looks up names when the transaction is on the ledger.
    if (isLate) refuseUnknown(format.eventFormat, participant, 'format')
    return ok({ transaction: wholeTransactionView(transaction, format, participant) })
  },
})

/** Deprecated. */
const submitForTree = endpoint({
  method: 'post',
  path: '/v2/commands/submit-and-wait-for-transaction-tree',
  body: submissionBody,
  handle: async (call) => {
    const { participant, body } = call
    const commit = await acquireSubmission(call, body)
    const format = everythingFor(body.actAs, 'TRANSACTION_SHAPE_LEDGER_EFFECTS')
    const transaction = wholeTransactionView(commit(), format, participant)
    return ok({ transactionTree: transactionTree(transaction) })
  },
})

const submitAsync = endpoint({
  method: 'post',
  path: '/v2/commands/async/submit',
  body: submissionBody,
  handle: async (call) => {
    commitUnreported(await acquireSubmission(call, call.body))
    return ok({})
  },
})

/**
 * @example submissionEndpoints.map(({ path }) => path)[2] // '/v2/commands/async/submit'
 */
export const submissionEndpoints: readonly Endpoint[] = [submitForTransaction, submitForTree, submitAsync]
