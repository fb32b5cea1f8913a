/** Receives options, posts URL and facts of a simulator, then toggles received switch points. */
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import type { SwitchPoint } from '../simulator/base/behaviour.js'
import { loadSimulator } from './load-program.js'
import type { EmbeddedOptions } from './target/serve-simulator.js'

const port = parentPort
if (!port) throw new Error('this file runs only as a worker thread')

const { serveSimulator } = await loadSimulator()
// The port keeps a message that came earlier.
const [options] = (await once(port, 'message')) as [EmbeddedOptions] // from `embedded-simulator.ts`
const { url, claims, toggle } = await serveSimulator(options)

port.on('message', (points: readonly SwitchPoint[]) => {
  toggle(points)
  port.postMessage('toggled')
})
port.postMessage({ url, claims })
