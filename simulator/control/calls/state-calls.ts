import { printInstant } from '../../../lib/json/instant.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { readStateDocument, restoreState, saveState } from '../../participant/state-document.js'
import type { Control } from '../state/control.js'
import type { ControlRequest } from '../state/control-request.js'
import type { ControlCall } from './call.js'

const shownState = ({ participant: { ledger, clock } }: Control): JsonObject => ({
  participantId: ledger.participantId,
  ledgerEnd: ledger.end,
  now: printInstant(clock.now()),
})

export const readState: ControlCall = {
  method: 'get',
  path: '/state',
  title: 'returns the state of the participant as JSON',
  handle: ({ participant }) => saveState(participant),
}

export const changeState: ControlCall = {
  method: 'put',
  path: '/state',
  title: 'restores a saved state',
  handle: (control, { body }) => {
    restoreState(readStateDocument(body.toString('utf8')), control.participant)
    return shownState(control)
  },
}

export const reset: ControlCall = {
  method: 'post',
  path: '/reset',
  title: 'restores the state and the clock of the start; removes faults and journal',
  handle: (control) => {
    control.reset()
    return shownState(control)
  },
}

const nameIn = ({ params }: ControlRequest): string => params['name'] ?? ''

export const listSnapshots: ControlCall = {
  method: 'get',
  path: '/snapshots',
  title: 'lists the snapshots',
  handle: ({ snapshots }) => ({ snapshots: snapshots.list() }),
}

export const takeSnapshot: ControlCall = {
  method: 'post',
  path: '/snapshots/:name',
  title: 'stores the state of the participant under a name',
  handle: ({ snapshots, participant }, request) => snapshots.keep(nameIn(request), saveState(participant)),
}

export const restoreSnapshot: ControlCall = {
  method: 'post',
  path: '/snapshots/:name/restore',
  title: 'restores the state of a snapshot',
  handle: (control, request) => {
    restoreState(control.snapshots.get(nameIn(request)), control.participant)
    return shownState(control)
  },
}

export const deleteSnapshot: ControlCall = {
  method: 'delete',
  path: '/snapshots/:name',
  title: 'deletes a snapshot',
  handle: ({ snapshots }, request) => {
    snapshots.delete(nameIn(request))
    return { snapshots: snapshots.list() }
  },
}

export const stateCalls: readonly ControlCall[] = [
  readState,
  changeState,
  listSnapshots,
  takeSnapshot,
  restoreSnapshot,
  deleteSnapshot,
  reset,
]
