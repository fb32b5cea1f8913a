import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { contradictions } from '../../../record/judgements/oracle-findings.js'
import { permissionNames } from '../../../record/types/effects.js'
import type { RunRecord, RunRow } from '../../../record/types/record.js'
import { judgeBy } from '../../../runner/run/expectations-by.js'
import { run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { defaultAccess, type TargetAccess } from '../../../runner/target/target-file.js'
import { readTarget } from '../suites/plain-target.js'
import { profileNamed, suiteOf, wholeSuite } from '../suites/whole-suite.js'
import { inWords } from '../words/in-words.js'

export interface Judging {
  profile: 'interface' | 'canton-3.5'
  /** As for `--only`. */
  only?: string
  ids?: ReadonlySet<string>
  access?: TargetAccess
  authorization?: string
  /** Milliseconds. Without it: 0, because the embedded simulator has no late effects. */
  lateDelay?: number
}

export const idsNeeding = (capability: string): ReadonlySet<string> =>
  new Set(
    wholeSuite.cases.flatMap((one) =>
      one.rows.flatMap((row) => (row.needs.includes(capability) ? `${one.id}/${row.id}` : [])),
    ),
  )

/** With the findings of the last reads. Throws for a contradiction of these reads. */
export async function judgedBy(url: string, judging: Judging): Promise<RunRow[]> {
  const { rows } = await recordOf(url, judging, suiteFor(judging))
  return rows
}

/** The rows of one run, judged by the text alone, and again by the facts of the reference, which can block a row. */
export async function judgedTwice(
  url: string,
  given: Omit<Judging, 'profile'>,
): Promise<{ byFacts: RunRow[]; byText: RunRow[] }> {
  const judging: Judging = { ...given, profile: 'interface' }
  const suite = suiteFor(judging)
  const record = await recordOf(url, judging, suite)
  return { byText: record.rows, byFacts: judgeBy(record, profileNamed('canton-3.5'), suite).rows }
}

const suiteFor = ({ ids }: Judging): Suite => (ids ? suiteOf((id) => ids.has(id)) : wholeSuite)

async function recordOf(url: string, judging: Judging, suite: Suite): Promise<RunRecord> {
  const { profile: name, only, authorization = 'none', access = defaultAccess, lateDelay } = judging
  const recordFile = join(tmpdir(), `judged-${randomUUID()}.ndjson`)
  const options = {
    suite,
    profile: profileNamed(name),
    target: readTarget(url, authorization),
    embedded: true,
    recordFile,
    tool: { name: 'test', version: '0' },
    ...(only !== undefined && { only }),
    access,
    ...(lateDelay !== undefined && { lateDelay }),
    seed: 'judged',
    concurrency: 8,
    timeLimit: 30_000,
    model: conformanceModel,
    allow: new Set(permissionNames),
  }
  try {
    const record = await run(options, { planned: () => undefined, row: () => undefined })
    const [contradiction] = contradictions(record)
    if (contradiction) throw new Error(inWords(contradiction.reason))
    return record
  } finally {
    await rm(recordFile, { force: true })
  }
}

/** Neither passed nor not applicable. */
export const unpassedRows = (rows: readonly RunRow[]): RunRow[] =>
  rows.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
