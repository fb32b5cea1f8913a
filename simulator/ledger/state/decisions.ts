/** Replaceable decisions of a ledger; the defaults follow the interface text. */
import type { PreparedTransaction } from '../../../interface/prepared-transaction/prepared-transaction.js'
import { type Contract, isStakeholder } from '../contracts/contract.js'
import type { Submission } from '../transactions/transaction.js'
import { changeId } from './deduplication.js'

export interface Decisions {
  /** Equal ids mean equal changes. */
  changeId(submission: Submission): string
  /** The transaction that the signatures must cover. */
  signed(prepared: PreparedTransaction): PreparedTransaction
  /** For contracts that the submission neither creates nor discloses. */
  isVisible(contract: Contract, actAs: readonly string[], readAs: readonly string[]): boolean
}

export const usualDecisions: Decisions = {
  changeId,
  signed: (prepared) => prepared,
  isVisible: (contract, actAs, readAs) => isStakeholder(contract, [...actAs, ...readAs]),
}
