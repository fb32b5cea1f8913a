import { required, text } from '../../json/decode.js'
import type { Control } from '../state/control.js'
import { decodeControlBody, exactly } from '../state/control-request.js'
import { changeBehaviour, readBehaviour } from './behaviour-calls.js'
import type { ControlCall } from './call.js'
import { advanceClock, freezeClock, readClock, setClock, unfreezeClock } from './clock-calls.js'
import { clearFault, clearFaults, listFaults, setFault } from './fault-calls.js'
import { clearJournal, readJournal } from './journal-calls.js'
import { listPackages } from './package-calls.js'
import { changeRules, readRules } from './rule-calls.js'
import {
  deleteSnapshot,
  giveSnapshot,
  listSnapshots,
  readSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from './snapshot-calls.js'
import { changeState, readState, reset } from './state-calls.js'

const shownSeed = ({ participant: { entropy } }: Control) => ({
  seed: entropy.state.seed,
  drawn: entropy.state.counter,
})

const readSeed: ControlCall = {
  method: 'get',
  path: '/seed',
  title: 'returns the seed and the number of drawn blocks',
  handle: shownSeed,
}

const changeSeed: ControlCall = {
  method: 'put',
  path: '/seed',
  title: 'derives all further ids from another `seed`',
  handle: (control, request) => {
    control.participant.entropy.state.seed = decodeControlBody(exactly({ seed: required(text) }), request).seed
    return shownSeed(control)
  },
}

const calls: readonly ControlCall[] = [
  readClock,
  freezeClock,
  unfreezeClock,
  advanceClock,
  setClock,
  readSeed,
  changeSeed,
  readBehaviour,
  changeBehaviour,
  readRules,
  changeRules,
  listPackages,
  listFaults,
  setFault,
  clearFaults,
  clearFault,
  readJournal,
  clearJournal,
  readState,
  changeState,
  listSnapshots,
  takeSnapshot,
  giveSnapshot,
  readSnapshot,
  restoreSnapshot,
  deleteSnapshot,
  reset,
]

const listCalls: ControlCall = {
  method: 'get',
  path: '',
  title: 'lists these calls',
  handle: () => ({
    calls: controlCalls.map(({ method, path, title }) => ({
      method: method.toUpperCase(),
      path: shownPath(path),
      title,
    })),
  }),
}

export const controlCalls: readonly ControlCall[] = [listCalls, ...calls]

export const prefix = '/control'

export const shownPath = (path: string): string => prefix + path.replace(/:(\w+)/g, '{$1}')
