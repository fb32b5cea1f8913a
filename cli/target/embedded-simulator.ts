/** The simulator that comes with the tool, in a thread of its own: it answers while the command goes on, and neither waits for the other. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DeclaredFacts } from '../../runner/target/declared-facts.js'
import type { SwitchPoint } from '../../simulator/base/behaviour.js'
import type { EmbeddedOptions, ServedSimulator } from './serve-simulator.js'

/** A simulator that a command has started for itself. */
export interface EmbeddedSimulator {
  url: string
  /** What it holds that no run could make. */
  claims: DeclaredFacts
  /** Turns each of the switch points to what it is not now; done when the simulator answers so. */
  turn(points: readonly SwitchPoint[]): Promise<void>
  close(): Promise<void>
}

/** Mebibytes in which a thread keeps what is new: nearly all of it is over with the exchange, and is then never copied. */
const youngMemory = 64

/** Rejects with what keeps it from starting. A simulator that breaks later ends the process, as it would in the same thread. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedSimulator> {
  const worker = new Worker(new URL('../simulator-thread.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: youngMemory },
  })
  const [{ url, claims }] = (await once(worker, 'message')) as [Pick<ServedSimulator, 'url' | 'claims'>] // what the thread tells first
  return {
    url,
    claims,
    turn: async (points) => {
      const turned = once(worker, 'message')
      worker.postMessage(points)
      await turned
    },
    close: async () => void (await worker.terminate()),
  }
}
