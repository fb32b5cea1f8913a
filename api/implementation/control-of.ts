import {
  advanceClock,
  freezeClock,
  readClock,
  setClock,
  unfreezeClock,
} from '../../simulator/control/calls/clock-calls.js'
import { clearFault, clearFaults, listFaults, setFault } from '../../simulator/control/calls/fault-calls.js'
import { clearJournal, readJournal } from '../../simulator/control/calls/journal-calls.js'
import { changeRules, readRules } from '../../simulator/control/calls/rule-calls.js'
import { reset } from '../../simulator/control/calls/state-calls.js'
import type { LedgerTime, SimulatorControl } from '../types/control.js'
import type { SetFault } from '../types/faults.js'
import type { Exchange } from '../types/journal.js'
import type { AskPlainly } from './ask-plainly.js'

// Each cast is to the shape of an answer that the simulator makes itself; docs/control-plane.md tells them.

const time = async (text: Promise<string>): Promise<LedgerTime> => JSON.parse(await text) as LedgerTime

/** The control of a simulator, by the calls of its control plane. */
export const controlOf = (ask: AskPlainly): SimulatorControl => ({
  clock: {
    read: () => time(ask(readClock)),
    freeze: () => time(ask(freezeClock)),
    unfreeze: () => time(ask(unfreezeClock)),
    advance: (seconds) => time(ask(advanceClock, { body: { seconds } })),
    set: (now) => time(ask(setClock, { body: { now } })),
  },
  faults: faultsOf(ask),
  journal: {
    async read({ operation, last } = {}) {
      const query = {
        ...(operation !== undefined && { operation }),
        ...(last !== undefined && { last: String(last) }),
      }
      return (JSON.parse(await ask(readJournal, { query })) as { exchanges: Exchange[] }).exchanges
    },
    async clear() {
      await ask(clearJournal)
    },
  },
  rules: rulesOf(ask),
  async reset() {
    await ask(reset)
  },
})

const faultsOf = (ask: AskPlainly): SimulatorControl['faults'] => ({
  inject: async (fault) => JSON.parse(await ask(setFault, { body: fault })) as SetFault,
  list: async () => (JSON.parse(await ask(listFaults)) as { faults: SetFault[] }).faults,
  async clear(id) {
    if (id === undefined) await ask(clearFaults)
    else await ask(clearFault, { params: { id } })
  },
})

const rulesOf = (ask: AskPlainly): SimulatorControl['rules'] => {
  const change = async (ids: readonly string[], on: boolean): Promise<void> => {
    await ask(changeRules, { body: Object.fromEntries(ids.map((id) => [id, on])) })
  }
  return {
    list: async () => (JSON.parse(await ask(readRules)) as { rules: Record<string, boolean> }).rules,
    enforce: (...ids) => change(ids, true),
    leaveOut: (...ids) => change(ids, false),
  }
}
