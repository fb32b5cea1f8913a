/** Receives options, posts URL and facts of a simulator, then toggles received switch points. */
import { parentPort } from 'node:worker_threads'
import type { SwitchPoint } from '../simulator/base/behaviour.js'
import { loadSimulator } from './load-program.js'
import type { EmbeddedOptions } from './target/serve-simulator.js'

const port = parentPort
if (!port) throw new Error('this file runs only as a worker thread')

const { serveSimulator } = await loadSimulator()
// Listens only now: the port keeps earlier messages.
port.once('message', async (options: EmbeddedOptions) => {
  const { url, claims, toggle } = await serveSimulator(options)
  port.on('message', (points: readonly SwitchPoint[]) => {
    toggle(points)
    port.postMessage('toggled')
  })
  port.postMessage({ url, claims })
})
