/** Starts the embedded simulator in its own thread. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DeclaredFacts } from '../../runner/target/declared-facts.js'
import type { SwitchPoint } from '../../simulator/base/behaviour.js'
import type { EmbeddedOptions, ServedSimulator } from './serve-simulator.js'

export interface EmbeddedSimulator {
  url: string
  /** Its declared facts: state that no run can create. */
  claims: DeclaredFacts
  /** Toggles the switch points. */
  toggle(points: readonly SwitchPoint[]): Promise<void>
  close(): Promise<void>
}

/** Mebibytes of young memory: objects of an exchange die there and are never copied. */
const youngMemory = 64

/** Rejects if the simulator cannot start. A later crash of the simulator ends the process. */
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
