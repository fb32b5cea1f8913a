import { join } from 'node:path'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { readRecord } from '../../../record/file/read-record.js'
import { permissionNames } from '../../../record/types/effects.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { suiteRun } from '../suites/suite-run.js'
import { simulate } from './conform-process.js'

interface Halt {
  /** Completed rows before the halt. */
  afterRows: number
  milliseconds: number
}

export interface HaltedRun {
  /** `ROW VERDICT`, sorted. */
  verdicts: string[]
  /** Milliseconds of the longest exchange. */
  longest: number
}

/** One seed for all runs. */
export async function haltedRun(folder: string, given: Pick<RunOptions, 'only'>, halt?: Halt): Promise<HaltedRun> {
  const simulator = await simulate()
  try {
    const recordFile = join(folder, 'run.ndjson')
    const model = conformanceModel
    const allow = new Set(permissionNames)
    const row = (_: unknown, done: number): void => {
      if (done !== halt?.afterRows) return
      simulator.signal('SIGSTOP')
      setTimeout(() => simulator.signal('SIGCONT'), halt.milliseconds)
    }
    await suiteRun(
      simulator.url,
      { ...given, recordFile, model, allow, seed: 'same', concurrency: 8, timeLimit: 30_000 },
      { row },
    )
    const { rows } = await readRecord(recordFile)
    const taken = rows.flatMap(({ evidence }) => evidence.map(({ milliseconds }) => milliseconds))
    return { verdicts: rows.map(({ id, verdict }) => `${id} ${verdict}`).sort(), longest: Math.max(...taken) }
  } finally {
    await simulator.stop()
  }
}
