/** Tasks are done on all cores: each thread has originals of its own, and several tasks under way. */
import { Worker } from 'node:worker_threads'
import type { TaskKind, Tasks, WorkerSetting } from './tasks.js'

/** A task that could not be done; the message says why. */
class ProofFailed extends Error {
  override readonly name = 'ProofFailed'
}

export interface Threads {
  setting: WorkerSetting
  threads: number
  /** Tasks under way in a thread at once: of some, most of the time is spent waiting for what shows late. */
  atOnce: number
}

/** Does all of them; `ended` hears of each. Resolves in the order in which they were given. Rejects with `ProofFailed`. */
export async function onThreads<Kind extends TaskKind>(
  kind: Kind,
  tasks: readonly Tasks[Kind]['asked'][],
  { setting, threads, atOnce }: Threads,
  ended: (told: Tasks[Kind]['told'], done: number) => void,
): Promise<Tasks[Kind]['told'][]> {
  const results = new Map<number, Tasks[Kind]['told']>()
  const waiting = [...tasks.entries()]
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: setting, stderr: true })
      // A participant without its checks stumbles now and then, and says so.
      worker.stderr.resume()
      const end = (settle: () => void): void => void worker.terminate().then(settle, reject)
      let underWay = 0
      const next = (): void => {
        const [index, asked] = waiting.shift() ?? []
        if (index !== undefined) {
          underWay += 1
          worker.postMessage({ kind, index, asked })
        } else if (underWay === 0) end(resolve)
      }
      worker.on('message', (told: { index: number; result?: Tasks[Kind]['told']; failed?: string }) => {
        if (told.result === undefined) return end(() => reject(new ProofFailed(told.failed)))
        underWay -= 1
        results.set(told.index, told.result)
        ended(told.result, results.size)
        next()
      })
      worker.on('error', (error) => end(() => reject(error)))
      try {
        for (let count = 0; count < atOnce; count += 1) next()
      } catch (error) {
        // What cannot be told to a thread; it would wait for ever.
        end(() => reject(error))
      }
    })
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work))
  return tasks.flatMap((_, index) => results.get(index) ?? [])
}
