import { parentPort, workerData } from 'node:worker_threads'
import { suitePath } from '../cli/tool/tool.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { checkRows } from './check-rows.js'
import { findFalseAlarms } from './false-alarms.js'
import { mutants } from './mutants/catalogue.js'
import { findNamed } from './mutants/mutant.js'
import { proveMutant } from './prove-mutant.js'
import { Snapshots } from './snapshots.js'
import { sweepOperation } from './sweep-operation.js'
import type { TaskKind, TaskMessage, Tasks, WorkerSettings } from './workers.js'

const { model, dropped } = workerData as WorkerSettings // set by `workers.ts`
const port = parentPort
if (!port) throw new Error('lab/worker.ts must run as a worker thread')

const snapshots = new Snapshots({ suite: await loadSuite(suitePath(undefined)), model })

type Performers = { [Kind in TaskKind]: (input: Tasks[Kind]['input']) => Promise<Tasks[Kind]['result']> }

const performers: Performers = {
  mutant: async ({ name, rows, seed }) => {
    return proveMutant(findNamed('mutant', name, mutants), snapshots, { dropped: new Set(dropped), rows, seed })
  },
  vacuity: ({ profile, part, of }) => checkRows(snapshots, profile, { part, of }),
  sweep: async ({ operation }) => ({ changes: await sweepOperation(snapshots, operation) }),
  falseAlarms: ({ seed }) => findFalseAlarms(snapshots, seed),
}

async function perform<Kind extends TaskKind>({ kind, index, input }: TaskMessage<Kind>): Promise<void> {
  try {
    port?.postMessage({ index, result: await performers[kind](input) })
  } catch (error) {
    port?.postMessage({ index, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

port.on('message', (message: TaskMessage<TaskKind>) => void perform(message))
