/** Decisions of a ledger that can be made otherwise, each at one place: what they are usually is what the interface says. */
import type { PreparedTransaction } from '../../../interface/prepared-transaction/prepared-transaction.js'
import { type Contract, isStakeholder } from '../contracts/contract.js'
import type { Submission } from '../transactions/transaction.js'
import { changeId } from './deduplication.js'

export interface Decisions {
  /** What tells one change from another. */
  changeId(submission: Submission): string
  /** What signatures have to be of, where this transaction is executed. */
  signed(prepared: PreparedTransaction): PreparedTransaction
  /** Whether a submission may use a contract that was neither created in it nor disclosed to it. */
  isVisible(contract: Contract, actAs: readonly string[], readAs: readonly string[]): boolean
}

export const usualDecisions: Decisions = {
  changeId,
  signed: (prepared) => prepared,
  isVisible: (contract, actAs, readAs) => isStakeholder(contract, [...actAs, ...readAs]),
}
