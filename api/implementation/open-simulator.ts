import {
  deleteSnapshot,
  listSnapshots,
  restoreSnapshot,
  takeSnapshot,
} from '../../simulator/control/calls/snapshot-calls.js'
import { changeState, readState } from '../../simulator/control/calls/state-calls.js'
import { type ControlledSimulator, startControlledSimulator } from '../../simulator/simulator.js'
import type { Simulator, SimulatorOptions } from '../types/simulator.js'
import type { Snapshot, Snapshots } from '../types/snapshots.js'
import { type AskPlainly, askPlainly } from './ask-plainly.js'
import { controlOf } from './control-of.js'
import { simulatorProblem } from './simulator-problem.js'

/** Starts the simulator behind `startSimulator`, apart from it so that types and documentation cost nobody its start. */
export async function openSimulator<Party extends string>(options: SimulatorOptions<Party>): Promise<Simulator<Party>> {
  const { url, ask, partyIdOf, close: end } = await start(options)
  const plainly = askPlainly(ask)
  const parties = Object.fromEntries((options.parties ?? []).map((hint) => [hint, partyIdOf(hint)]))
  const close = (): Promise<void> => end()
  return {
    url,
    parties: parties as Record<Party, string>, // one for each of the hints
    control: controlOf(plainly),
    snapshots: snapshotsOf(plainly),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function start(options: SimulatorOptions): Promise<ControlledSimulator> {
  try {
    return await startControlledSimulator(options)
  } catch (error) {
    throw simulatorProblem(error, options.port)
  }
}

// Each cast is to the shape of an answer that the simulator makes itself; docs/control-plane.md tells them.

/** The states of a simulator, by the calls of its control plane. */
const snapshotsOf = (ask: AskPlainly): Snapshots => ({
  take: async (name) => JSON.parse(await ask(takeSnapshot, { params: { name } })) as Snapshot,
  async restore(name) {
    await ask(restoreSnapshot, { params: { name } })
  },
  async delete(name) {
    await ask(deleteSnapshot, { params: { name } })
  },
  list: async () => (JSON.parse(await ask(listSnapshots)) as { snapshots: Snapshot[] }).snapshots,
  save: () => ask(readState),
  async load(state) {
    await ask(changeState, { body: state })
  },
})
