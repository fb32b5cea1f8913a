/** A worker thread of `workers.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadSuite } from '../runner/load/load-suite.js'
import { allMutants } from '../simulator/simulator.js'
import { cleanRun } from './clean-run.js'
import { proveMutant } from './prove-mutant.js'
import { Snapshots } from './snapshots.js'
import { checkRows } from './vacuity/check-rows.js'
import type { TaskKind, TaskMessage, Tasks, WorkerSettings } from './workers.js'

const { suiteFolder, model, dropped } = workerData as WorkerSettings // set by `workers.ts`
const port = parentPort
if (!port) throw new Error('proof/worker.ts must run as a worker thread')

const snapshots = new Snapshots({ suite: await loadSuite(suiteFolder), model })
const mutants = new Map((await allMutants()).map((mutant) => [mutant.name, mutant]))

type Performers = { [Kind in TaskKind]: (input: Tasks[Kind]['input']) => Promise<Tasks[Kind]['result']> }

const performers: Performers = {
  mutant: async ({ name, rows }) => {
    const mutant = mutants.get(name)
    if (!mutant) throw new Error(`unknown mutant ${name}`)
    return proveMutant(mutant, snapshots, { dropped: new Set(dropped), rows })
  },
  vacuity: ({ profile, part, of }) => checkRows(snapshots, profile, { part, of }),
  clean: ({ seed }) => cleanRun(snapshots, seed),
}

async function perform<Kind extends TaskKind>({ kind, index, input }: TaskMessage<Kind>): Promise<void> {
  try {
    port?.postMessage({ index, result: await performers[kind](input) })
  } catch (error) {
    port?.postMessage({ index, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

port.on('message', (message: TaskMessage<TaskKind>) => void perform(message))
