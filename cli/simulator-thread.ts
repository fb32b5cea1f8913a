/** The thread of a simulator that a command starts for itself: says its URL and what it holds, and then turns those switch points that it is told. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SwitchPoint } from '../simulator/base/behaviour.js'
import { loadProgram } from './load-program.js'
import type { EmbeddedOptions } from './target/serve-simulator.js'

const port = parentPort
if (!port) throw new Error('this file is the beginning of a thread, and of nothing else')

const { serveSimulator } = await loadProgram()
const { url, claims, turn } = await serveSimulator(workerData as EmbeddedOptions) // what `embedded-simulator.ts` gives

port.on('message', (points: readonly SwitchPoint[]) => {
  turn(points)
  port.postMessage('turned')
})
port.postMessage({ url, claims })
