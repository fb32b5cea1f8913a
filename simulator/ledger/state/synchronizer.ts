import type { VettedPackage } from '../packages/vetting.js'

/** What the participant has vetted on a synchronizer, with the serial of the topology transaction that says so. */
export interface VettingState {
  packages: readonly VettedPackage[]
  serial: number
}

/** A synchronizer that the participant is connected to. */
export interface Synchronizer {
  alias: string
  id: string
  vetting: VettingState
}

/** Where a transaction goes. */
export interface Route {
  synchronizer: Synchronizer
  /** Ids of contracts that live elsewhere and are moved there first. */
  reassigned: string[]
}

/** Which synchronizer is taken where several would do: ids are compared as texts (priorities are all the same on 3.5.10). */
export const preferredFirst = (synchronizers: readonly Synchronizer[]): Synchronizer[] =>
  synchronizers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
