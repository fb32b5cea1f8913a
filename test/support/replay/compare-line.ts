import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Evidence } from '../../../record/types/record.js'
import { recordedRun } from '../records/recorded-run.js'
import { wholeSuite } from '../suites/whole-suite.js'
import { answerShape } from './answer-shape.js'

export type Line = '3.4' | '3.5' | '3.6'

interface RecordedRow {
  row: string
  exchanges: (Pick<Evidence, 'step' | 'role' | 'attempt'> & { shape: string })[]
}

/** The winner of a race differs in each run, and so do lists that contain effects of other rows. */
const differsInEachRun = (steps: readonly { race?: object; operation: string }[], step: number): boolean =>
  steps[step]?.race !== undefined || ['updates', 'completions'].includes(steps[step]?.operation ?? '')

/** Runs rows on the simulator of a line, and compares the shapes of their answers with the recorded ones. */
export async function compareLine(
  line: Line,
  only?: readonly string[],
): Promise<{ compared: number; same: number; differing: string[] }> {
  const profile = `canton-${line}`
  const { rows } = await recordedRun({ behaviour: `canton-${line}` }, { profile, seed: line, ...(only && { only }) })
  const recorded = new Map(recordedRows(line).map(({ row, exchanges }) => [row, exchanges]))
  let compared = 0
  const differing: string[] = []
  for (const { id, evidence, resolved } of rows) {
    for (const one of recorded.get(id) ?? []) {
      const own = evidence.find((other) => isSameStep(one, other))
      if (!own || differsInEachRun(resolved.steps, one.step)) continue
      compared += 1
      if (answerShape(own) !== one.shape) differing.push(`${id} step ${one.step}`)
    }
  }
  return { compared, same: compared - differing.length, differing }
}

const isSameStep = (one: Pick<Evidence, 'step' | 'role' | 'attempt'>, other: Evidence): boolean =>
  one.step === other.step && one.role === other.role && one.attempt === other.attempt

function recordedRows(line: Line): RecordedRow[] {
  const bytes = readFileSync(join(wholeSuite.folder ?? '', `../test/recordings/lines/${line}.ndjson.gz`))
  const [, ...lines] = gunzipSync(bytes).toString('utf8').trim().split('\n')
  return lines.map((text): RecordedRow => JSON.parse(text))
}
