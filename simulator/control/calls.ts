import { changeBehaviour, readBehaviour } from './behaviour-calls.js'
import type { ControlCall } from './call.js'
import { advanceClock, freezeClock, readClock, setClock, unfreezeClock } from './clock-calls.js'
import { clearFault, clearFaults, listFaults, setFault } from './fault-calls.js'
import { clearJournal, readJournal } from './journal-calls.js'
import { listPackages } from './package-calls.js'
import { changeRules, readRules } from './rule-calls.js'
import { changeSeed, readSeed } from './seed-calls.js'
import {
  deleteSnapshot,
  giveSnapshot,
  listSnapshots,
  readSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from './snapshot-calls.js'
import { changeState, readState, reset } from './state-calls.js'

const doing: readonly ControlCall[] = [
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

/** Everything that the control plane can do. */
export const controlCalls: readonly ControlCall[] = [listCalls, ...doing]

export const prefix = '/control'

/** The whole path of a call, with its parameters in braces. */
export const shownPath = (path: string): string => prefix + path.replace(/:(\w+)/g, '{$1}')
