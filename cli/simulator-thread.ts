/** Posts URL and facts of an embedded simulator, then toggles received switch points. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SwitchPoint } from '../simulator/base/behaviour.js'
import { loadProgram } from './load-program.js'
import type { EmbeddedOptions } from './target/serve-simulator.js'

const port = parentPort
if (!port) throw new Error('this file runs only as a worker thread')

const { serveSimulator } = await loadProgram()
const { url, claims, toggle } = await serveSimulator(workerData as EmbeddedOptions) // from `embedded-simulator.ts`

port.on('message', (points: readonly SwitchPoint[]) => {
  toggle(points)
  port.postMessage('toggled')
})
port.postMessage({ url, claims })
