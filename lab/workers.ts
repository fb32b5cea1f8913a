/** Each thread has its own snapshots. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { conformanceModel } from '../cli/tool/conformance-model.js'
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { CheckedRows } from './check-rows.js'
import type { ShuffledRun } from './false-alarms.js'
import type { ProvenMutant } from './mutation-report.js'
import type { SweptChange } from './sweep/sweep.js'

export interface WorkerSettings {
  model: readonly ModelPackage[]
  dropped: readonly string[]
}

export interface Tasks {
  mutant: { input: { name: string; rows: 'few' | 'near' | 'all'; seed?: string }; result: ProvenMutant }
  vacuity: { input: { profile: string; part: number; of: number }; result: CheckedRows }
  sweep: { input: { operation: string }; result: { changes: SweptChange[] } }
  falseAlarms: { input: { seed: string }; result: ShuffledRun }
}

export type TaskKind = keyof Tasks

export interface TaskMessage<Kind extends TaskKind> {
  kind: Kind
  index: number
  input: Tasks[Kind]['input']
}

class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
}

export interface Threads {
  settings: WorkerSettings
  threads: number
  atOnce: number
}

/** One task at a time on each thread, for tasks that do not wait. `dropped`: ids of cases to leave out. */
export const allThreads = (dropped: readonly string[] = []): Threads => ({
  settings: { model: conformanceModel, dropped },
  threads: availableParallelism(),
  atOnce: 1,
})

/** Resolves in the order of the inputs. Rejects with `TaskFailed`. */
export async function runTasks<Kind extends TaskKind>(
  kind: Kind,
  inputs: readonly Tasks[Kind]['input'][],
  { settings, threads, atOnce }: Threads,
  onEnd: (result: Tasks[Kind]['result'], done: number) => void,
): Promise<Tasks[Kind]['result'][]> {
  const results = new Map<number, Tasks[Kind]['result']>()
  const waiting = [...inputs.entries()]
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: settings, stderr: true })
      // A simulator without its checks may print errors.
      worker.stderr.resume()
      const end = (settle: () => void): void => void worker.terminate().then(settle, reject)
      let running = 0
      const next = (): void => {
        const [index, input] = waiting.shift() ?? []
        if (index !== undefined && input !== undefined) {
          running += 1
          worker.postMessage({ kind, index, input } satisfies TaskMessage<Kind>)
        } else if (running === 0) end(resolve)
      }
      worker.on('message', (message: { index: number; result?: Tasks[Kind]['result']; failed?: string }) => {
        if (message.result === undefined) return end(() => reject(new TaskFailed(message.failed)))
        running -= 1
        results.set(message.index, message.result)
        onEnd(message.result, results.size)
        next()
      })
      worker.on('error', (error) => end(() => reject(error)))
      try {
        for (let count = 0; count < atOnce; count += 1) next()
      } catch (error) {
        // `postMessage` throws for values that it cannot copy; the thread would wait for ever.
        end(() => reject(error))
      }
    })
  await Promise.all(Array.from({ length: Math.min(threads, inputs.length) }, work))
  return inputs.flatMap((_, index) => results.get(index) ?? [])
}
