import type { JsonObject } from '../../../lib/json/json.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Participant } from '../../participant/participant.js'
import type { StateDocument } from '../../participant/state-document.js'
import { ControlError, unknownName } from './control-request.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'

export interface Control {
  participant: Participant
  endpoints: readonly Endpoint[]
  faults: Faults
  journal: Journal
  snapshots: Snapshots
  /** Restores the start of the simulator. */
  reset(): void
}

/** Each holds a whole state in memory. */
const most = 100

export class Snapshots {
  readonly #byName = new Map<string, StateDocument>()

  /** Replaces an earlier one. Throws `ControlError`. */
  keep(name: string, state: StateDocument): JsonObject {
    if (!/^[\w.-]{1,100}$/.test(name)) {
      throw new ControlError(
        'INVALID_NAME',
        'a snapshot name consists of 1 to 100 letters, digits, dots, dashes and underscores',
      )
    }
    if (this.#byName.size >= most && !this.#byName.has(name)) {
      throw new ControlError('TOO_MANY_SNAPSHOTS', `${most} snapshots exist; delete some`)
    }
    this.#byName.set(name, state)
    return { name, savedAt: state.savedAt }
  }

  /** Throws `ControlError`. */
  get(name: string): StateDocument {
    const found = this.#byName.get(name)
    if (!found) throw unknownName('UNKNOWN_SNAPSHOT', 'snapshot', name, this.#byName.keys())
    return found
  }

  /** Throws `ControlError`. */
  delete(name: string): void {
    this.get(name)
    this.#byName.delete(name)
  }

  list(): JsonObject[] {
    return [...this.#byName].map(([name, { savedAt }]) => ({ name, savedAt }))
  }
}
