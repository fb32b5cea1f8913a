/** The thread of the embedded simulator: `embedded-simulator.ts` starts it, and is told where it listens. */
import { parentPort, workerData } from 'node:worker_threads'
import { type SimulatorOptions, startSimulator } from '../simulator/simulator.js'

export type EmbeddedOptions = Pick<SimulatorOptions, 'authorization'>

const port = parentPort
if (!port) throw new Error('this file is the beginning of a thread, and of nothing else')
const { url } = await startSimulator(workerData as EmbeddedOptions) // what `embedded-simulator.ts` gives
port.postMessage(url)
