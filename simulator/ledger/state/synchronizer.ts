import type { VettedPackage } from '../packages/vetting.js'

/** `serial` of the latest topology transaction. */
export interface VettingState {
  packages: readonly VettedPackage[]
  serial: number
}

export interface Synchronizer {
  alias: string
  id: string
  vetting: VettingState
}

export interface Route {
  synchronizer: Synchronizer
  /** Ids of contracts to reassign first. */
  reassigned: string[]
}

/** In order of ids: priorities are equal on the reference participant 3.5.10. */
export const preferredFirst = (synchronizers: readonly Synchronizer[]): Synchronizer[] =>
  synchronizers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
