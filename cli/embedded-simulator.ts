/** The simulator that comes with the tool, in a thread of its own: it answers while the run judges, and neither waits for the other. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EmbeddedOptions } from './simulator-thread.js'

/** A simulator that a command has started for itself. */
export interface EmbeddedSimulator {
  url: string
  close(): Promise<void>
}

/** Mebibytes in which a thread keeps what is new: nearly all of it is over with the exchange, and is then never copied. */
const youngMemory = 64

/** Rejects with what keeps it from starting. A simulator that breaks later ends the process, as it would in the same thread. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedSimulator> {
  const worker = new Worker(new URL('./simulator-thread.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: youngMemory },
  })
  const [url] = (await once(worker, 'message')) as [string] // what the thread tells
  return { url, close: async () => void (await worker.terminate()) }
}
