import type { RequestListener } from 'node:http'
import { createApplication } from '../http/application.js'
import type { Endpoint } from '../http/endpoint.js'
import type { Participant } from '../participant/participant.js'
import { restoreState, saveState } from '../participant/participant-state.js'
import type { Control } from './control.js'
import { withControlPlane } from './control-plane.js'
import { Faults } from './faults.js'
import { Journal } from './journal.js'
import { observedAndFaulty } from './observed.js'
import { Snapshots } from './snapshots.js'

/** Serves the endpoints for a participant, with the control plane in front of it. `control` is what its calls are made on. */
export function controlledApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
  host: string,
): { application: RequestListener; control: Control } {
  const [faults, journal] = [new Faults(endpoints), new Journal()]
  const { behaviour, enforcement } = participant
  const beginning = saveState(participant)
  const reset = (): void => {
    restoreState(beginning, participant)
    Object.assign(participant, { behaviour, enforcement })
    faults.clear()
    journal.clear()
  }
  const application = createApplication(participant, endpoints, {
    middleware: observedAndFaulty(faults, journal),
    host,
  })
  const control = { participant, endpoints, faults, journal, snapshots: new Snapshots(), host, reset }
  return { application: withControlPlane(control, application), control }
}
