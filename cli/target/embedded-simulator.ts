import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DeclaredFacts } from '../../runner/target/target-file.js'
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

const newThread = (): Worker =>
  new Worker(new URL('../simulator-thread.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: youngMemory },
  })

let prepared: Worker | undefined
let start = startThread

/**
 * Tests serve the simulator in their own process, which saves the thread and its modules for each of many short runs.
 * @internal
 */
export function startEmbeddedBy(other: typeof start): void {
  start = other
}

/** A later crash of the simulator ends the process. */
export const startEmbedded = (options: EmbeddedOptions = {}): Promise<EmbeddedSimulator> => start(options)

/**
 * Starts the thread of the next simulator, which loads its modules while the caller reads the suite. An unused thread
 * ends with the process.
 */
export function prepareThread(): void {
  if (start !== startThread) return
  prepared ??= newThread()
  prepared.unref()
}

async function startThread(options: EmbeddedOptions): Promise<EmbeddedSimulator> {
  const worker = prepared ?? newThread()
  prepared = undefined
  worker.ref()
  worker.postMessage(options)
  const [{ url, claims }] = (await once(worker, 'message')) as [ServedSimulator] // without functions: the first message of the thread
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
