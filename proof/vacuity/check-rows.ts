/** The vacuity guard: rows are performed at a participant that conforms, and every expectation of theirs has to be able to fail. */
import type { RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { performAt, rowsIn } from '../../runner/run/environment.js'
import { variablesOf } from '../../runner/template/recorded-variables.js'
import type { Circumstances } from '../../simulator/simulator.js'
import type { Original, Originals } from '../snapshots.js'
import { type Vacuous, vacuousIn } from './vacuous-expectations.js'

export interface GuardedRows {
  profile: string
  /** Rows that were performed, of how many the suite has. */
  performed: number
  rows: number
  /** Expectations that were tried. */
  tried: number
  vacuous: Vacuous[]
}

/** What participants of a profile are: rows that cannot be performed at one are at another. */
const circumstancesOf = (profile: string): Circumstances[] => {
  const own: Circumstances = profile === 'interface' ? { behaviour: 'interface' } : {}
  const usual = profile === 'canton-3.4' ? { ...own, protocolVersion: 34 as const } : own
  return [usual, { ...usual, authorization: true }, { ...usual, synchronizers: 2 }, { ...own, protocolVersion: 34 }]
}

/** Tries one part of the rows; all parts together are all rows. Rejects as a run does. */
export async function guardRows(
  originals: Originals,
  profile: string,
  { part, of }: { part: number; of: number },
): Promise<GuardedRows> {
  const done = new Set<string>()
  const found: GuardedRows = { profile, performed: 0, rows: 0, tried: 0, vacuous: [] }
  for (const circumstances of circumstancesOf(profile)) {
    const original = await originals.in(circumstances, profile)
    const left = original.environment.provisioned.plan.left.map(({ row }) => row)
    const all = [...rowsIn(original.environment), ...left].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const own = new Set(all.filter((_, index) => index % of === part).map(({ id }) => id))
    found.rows = own.size
    const rows = await performed(original, ({ id }) => own.has(id) && !done.has(id))
    for (const row of rows) {
      done.add(row.id)
      const variables = new Map([...original.environment.provisioned.fixtures.variables, ...variablesOf(row.variables)])
      const { tried, vacuous } = vacuousIn(row, variables)
      found.tried += tried
      found.vacuous.push(...vacuous)
    }
  }
  return { ...found, performed: done.size }
}

/** The rows that came to a verdict by what was answered. */
async function performed({ environment, copy }: Original, isChosen: (row: ResolvedRow) => boolean): Promise<RunRow[]> {
  if (!rowsIn(environment).some(isChosen)) return []
  const { url, close } = await copy({})
  const rows: RunRow[] = []
  try {
    await performAt(environment, url, isChosen, (row) => void rows.push(row))
  } finally {
    await close()
  }
  return rows.filter(({ evidence }) => evidence.length > 0)
}
