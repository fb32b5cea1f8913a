import type { Endpoint } from '../../http/endpoint.js'
import type { Participant } from '../../participant/participant.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'
import type { Snapshots } from './snapshots.js'

export interface Control {
  participant: Participant
  endpoints: readonly Endpoint[]
  faults: Faults
  journal: Journal
  snapshots: Snapshots
  /** Restores the start of the simulator. */
  reset(): void
}
