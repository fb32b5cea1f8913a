import type { Endpoint } from '../../http/endpoint.js'
import type { Participant } from '../../participant/participant.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'
import type { Snapshots } from './snapshots.js'

/** All that a call of the control plane may look at and change. */
export interface Control {
  participant: Participant
  /** All operations of the participant. */
  endpoints: readonly Endpoint[]
  faults: Faults
  journal: Journal
  snapshots: Snapshots
  /** Back to how everything was when the simulator started. */
  reset(): void
}
