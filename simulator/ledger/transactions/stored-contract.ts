import type { Contract } from '../contracts/contract.js'
import type { Transaction } from './transaction.js'

export interface StoredContract {
  contract: Contract
  createdBy: Transaction
  archivedBy?: Transaction
  /** In order; absent: none. */
  reassignments?: { synchronizerId: string; offset: number }[]
}

export function assignmentOf(
  { createdBy, reassignments = [] }: Readonly<StoredContract>,
  offset = Number.POSITIVE_INFINITY,
): { synchronizerId: string; reassignmentCounter: number } {
  const moves = reassignments.filter((move) => move.offset <= offset)
  return { synchronizerId: (moves.at(-1) ?? createdBy).synchronizerId, reassignmentCounter: moves.length }
}
