import { type ControlledSimulator, startControlledSimulator } from '../../simulator/simulator.js'
import type { Simulator, SimulatorOptions } from '../types/simulator.js'
import { askPlainly } from './ask-plainly.js'
import { controlOf } from './control-of.js'
import { simulatorProblem } from './simulator-problem.js'
import { snapshotsOf } from './snapshots-of.js'

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
