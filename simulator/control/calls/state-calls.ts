import { printInstant } from '../../../lib/json/instant.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { restoreState, saveState } from '../../participant/participant-state.js'
import { readStateDocument } from '../../participant/state-document.js'
import type { Control } from '../state/control.js'
import type { ControlCall } from './call.js'

export const shownState = ({ participant: { ledger, clock } }: Control): JsonObject => ({
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
  title: 'restores the state, the settings and the clock of the start; removes faults and journal',
  handle: (control) => {
    control.reset()
    return shownState(control)
  },
}
