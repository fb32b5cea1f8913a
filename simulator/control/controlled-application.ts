import type { RequestListener } from 'node:http'
import { createApplication } from '../http/application.js'
import type { Endpoint } from '../http/endpoint.js'
import type { Participant } from '../participant/participant.js'
import { restoreState, saveState } from '../participant/participant-state.js'
import type { ClosedSocket } from '../sockets/stream-sockets.js'
import { withControlPlane } from './control-plane.js'
import type { Control } from './state/control.js'
import { Faults } from './state/faults.js'
import { Journal } from './state/journal.js'
import { socketEntry } from './state/journal-entry.js'
import { observedAndFaulty } from './state/observed.js'
import { Snapshots } from './state/snapshots.js'

/** `closed` adds a WebSocket to the journal. */
export function controlledApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
): { application: RequestListener; control: Control; closed: (socket: ClosedSocket) => void } {
  const [faults, journal] = [new Faults(endpoints), new Journal()]
  const { behaviour, enforcement } = participant
  const beginning = saveState(participant)
  const reset = (): void => {
    restoreState(beginning, participant)
    Object.assign(participant, { behaviour, enforcement })
    faults.clear()
    journal.clear()
  }
  const application = createApplication(participant, endpoints, observedAndFaulty(faults, journal))
  const control = { participant, endpoints, faults, journal, snapshots: new Snapshots(), reset }
  const closed = (socket: ClosedSocket): void => journal.add(socket.endpoint, socketEntry(socket))
  return { application: withControlPlane(control, application), control, closed }
}
