import type { Contract } from '../contracts/contract.js'
import type { Transaction } from './transaction.js'

/** A contract that this participant has seen, with what has become of it. */
export interface StoredContract {
  contract: Contract
  createdBy: Transaction
  archivedBy?: Transaction
  /** Moves to other synchronizers, in order; absent: it has not moved. */
  reassignments?: { synchronizerId: string; offset: number }[]
}

/** On which synchronizer the contract lives once everything up to the offset has happened, and how often it has moved by then. */
export function assignmentOf(
  { createdBy, reassignments = [] }: Readonly<StoredContract>,
  offset = Number.POSITIVE_INFINITY,
): { synchronizerId: string; reassignmentCounter: number } {
  const moves = reassignments.filter((move) => move.offset <= offset)
  return { synchronizerId: (moves.at(-1) ?? createdBy).synchronizerId, reassignmentCounter: moves.length }
}
