import { type ControlledSimulator, startControlledSimulator } from '../../simulator/simulator.js'
import type { Simulator, SimulatorOptions } from '../types/simulator.js'
import { askPlainly } from './ask-plainly.js'
import { controlOf } from './control-of.js'
import { simulatorProblem } from './simulator-problem.js'
import { snapshotsOf } from './snapshots-of.js'

/** Starts the simulator behind `startSimulator`, apart from it so that types and documentation cost nobody its start. */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { url, ask, close } = await start(options)
  const plainly = askPlainly(ask)
  return { url, control: controlOf(plainly), snapshots: snapshotsOf(plainly), close }
}

async function start(options: SimulatorOptions): Promise<ControlledSimulator> {
  try {
    return await startControlledSimulator(options)
  } catch (error) {
    throw simulatorProblem(error, options.port)
  }
}
