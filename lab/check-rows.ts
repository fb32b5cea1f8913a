/** Searches expectations that cannot fail in rows against a conforming simulator. */
import type { RunRow } from '../record/types/record.js'
import type { ResolvedRow } from '../record/types/resolved-row.js'
import { variablesOf } from '../runner/template/variables.js'
import { performAt, rowsIn } from './environment.js'
import type { Circumstances } from './mutants/mutant.js'
import type { Snapshot, Snapshots } from './snapshots.js'
import { findVacuous, type Vacuous } from './vacuity/vacuous-expectations.js'

export interface CheckedRows {
  profile: string
  performed: number
  rows: number
  tried: number
  vacuous: Vacuous[]
}

/** Rows that cannot run in the first configuration run in another. */
const circumstancesOf = (profile: string): Circumstances[] => {
  const own: Circumstances = profile === 'interface' ? { behaviour: 'interface' } : {}
  const usual = profile === 'canton-3.4' ? { ...own, protocolVersion: 34 as const } : own
  return [usual, { ...usual, authorization: true }, { ...usual, synchronizers: 2 }, { ...own, protocolVersion: 34 }]
}

export async function checkRows(
  snapshots: Snapshots,
  profile: string,
  { part, of }: { part: number; of: number },
): Promise<CheckedRows> {
  const done = new Set<string>()
  const result: CheckedRows = { profile, performed: 0, rows: 0, tried: 0, vacuous: [] }
  for (const circumstances of circumstancesOf(profile)) {
    const snapshot = await snapshots.of(circumstances, profile)
    const { provisioned } = snapshot.environment
    const skipped = provisioned.plan.left.map(({ row }) => row)
    const all = [...rowsIn(snapshot.environment), ...skipped].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const own = new Set(all.filter((_, index) => index % of === part).map(({ id }) => id))
    result.rows = own.size
    for (const row of await performed(snapshot, ({ id }) => own.has(id) && !done.has(id))) {
      done.add(row.id)
      const variables = new Map([...provisioned.fixtures.variables, ...variablesOf(row.variables)])
      const { tried, vacuous } = findVacuous(row, variables)
      result.tried += tried
      result.vacuous.push(...vacuous)
    }
  }
  return { ...result, performed: done.size }
}

async function performed({ environment, start }: Snapshot, isChosen: (row: ResolvedRow) => boolean): Promise<RunRow[]> {
  if (!rowsIn(environment).some(isChosen)) return []
  const { url, close } = await start()
  const rows: RunRow[] = []
  try {
    await performAt(environment, url, isChosen, (row) => void rows.push(row))
  } finally {
    await close()
  }
  return rows.filter(({ evidence }) => evidence.length > 0)
}
