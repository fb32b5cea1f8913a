import type { Contract } from './contract.js'

/** A contract that a submission brings along. */
export interface Disclosed {
  contract: Contract
  /** Where it lives, as the submission says; empty where it does not say. */
  synchronizerId: string
}
