/** One thread of a proof: `workers.ts` starts it and tells it what to do. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadSuite } from '../runner/load/load-suite.js'
import { allMutants } from '../simulator/simulator.js'
import { cleanRun } from './clean-run.js'
import { proveMutant } from './prove-mutant.js'
import { Originals } from './snapshots.js'
import type { TaskKind, Tasks, WorkerSetting } from './tasks.js'
import { guardRows } from './vacuity/check-rows.js'

const { suiteFolder, model, dropped } = workerData as WorkerSetting // what `workers.ts` gives
const port = parentPort
if (!port) throw new Error('this file is the beginning of a thread, and of nothing else')

const originals = new Originals({ suite: await loadSuite(suiteFolder), model })
const mutants = new Map((await allMutants()).map((mutant) => [mutant.name, mutant]))

type Doers = { [Kind in TaskKind]: (asked: Tasks[Kind]['asked']) => Promise<Tasks[Kind]['told']> }

const doers: Doers = {
  mutant: async ({ name, rows }) => {
    const mutant = mutants.get(name)
    if (!mutant) throw new Error(`there is no mutant ${name}`)
    return proveMutant(mutant, originals, { dropped: new Set(dropped), rows })
  },
  vacuity: ({ profile, part, of }) => guardRows(originals, profile, { part, of }),
  clean: ({ seed }) => cleanRun(originals, seed),
}

/** One task of any kind. */
interface Message<Kind extends TaskKind> {
  kind: Kind
  index: number
  asked: Tasks[Kind]['asked']
}

async function perform<Kind extends TaskKind>({ kind, index, asked }: Message<Kind>): Promise<void> {
  try {
    port?.postMessage({ index, result: await doers[kind](asked) })
  } catch (error) {
    port?.postMessage({ index, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

port.on('message', (message: Message<TaskKind>) => void perform(message))
