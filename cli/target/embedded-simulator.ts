import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DeclaredFacts } from '../../runner/target/declared-facts.js'
import type { SwitchPoint } from '../../simulator/base/behaviour.js'
import type { EmbeddedOptions, ServedSimulator } from './serve-simulator.js'

export interface EmbeddedSimulator {
  url: string
  claims: DeclaredFacts
  toggle(points: readonly SwitchPoint[]): Promise<void>
  close(): Promise<void>
}

/** Mebibytes. Objects of an exchange die in young memory. */
const youngMemory = 64

/** A later crash of the simulator ends the process. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedSimulator> {
  const worker = new Worker(new URL('../simulator-thread.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: youngMemory },
  })
  const [{ url, claims }] = (await once(worker, 'message')) as [Pick<ServedSimulator, 'url' | 'claims'>] // the first message of the thread
  return {
    url,
    claims,
    toggle: async (points) => {
      const toggled = once(worker, 'message')
      worker.postMessage(points)
      await toggled
    },
    close: async () => void (await worker.terminate()),
  }
}
