/** A state of the participant that is kept under a name. */
export interface Snapshot {
  name: string
  /** When it was taken, by the machine's clock: ISO 8601, in UTC. */
  savedAt: string
}

/**
 * States of the participant: parties, contracts, transactions, packages, users, ids and time. A state holds no key and no
 * token, and neither settings nor faults. A name has 1 to 100 letters, digits, dots, dashes and underscores.
 * All reject with `ConformanceError`, `CONTROL_REFUSED` or `INVALID_STATE`.
 */
export interface Snapshots {
  /** Keeps the state under a name; another one of that name goes. */
  take(name: string): Promise<Snapshot>
  /** Puts the participant into the state of that name. */
  restore(name: string): Promise<void>
  delete(name: string): Promise<void>
  list(): Promise<Snapshot[]>
  /** The present state as a text, to be written to a file. */
  save(): Promise<string>
  /** Puts the participant into a state that was saved. */
  load(state: string): Promise<void>
}
