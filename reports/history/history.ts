import { groupBy } from '../../lib/group-by.js'
import type { Verdict } from '../../record/types/verdict.js'
import type { HistoryRun } from './history-run.js'

export interface Series {
  name: string
  /** Oldest first. */
  runs: HistoryRun[]
  /** Rows with different verdicts, the latest change first. */
  changed: ChangedRow[]
  flaky: FlakyRow[]
}

export interface ChangedRow {
  id: string
  /** In the order of the runs; undefined in a run without the row. */
  verdicts: (Verdict | undefined)[]
  last: number
}

export interface FlakyRow {
  id: string
  /** Changes between runs with the same versions of target and suite. */
  flips: number
  runs: number
  within: number
}

/** One change can be a new or fixed fault. */
const fewestFlips = 2

export function historyOf(runs: readonly HistoryRun[]): Series[] {
  // A merged run replaces its parts.
  const parts = new Set(runs.flatMap((run) => run.parts))
  const whole = runs.filter(({ run }) => !parts.has(run))
  const sorted = whole.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  const series = [...groupBy(sorted, (run) => run.series)]
  return series.map(([name, alike]) => ({ name, runs: alike, changed: changedRows(alike), flaky: flakyRows(alike) }))
}

const idsOf = (runs: readonly HistoryRun[]): string[] =>
  [...new Set(runs.flatMap(({ verdicts }) => [...verdicts.keys()]))].sort()

function changedRows(runs: readonly HistoryRun[]): ChangedRow[] {
  const rows = idsOf(runs).flatMap((id): ChangedRow[] => {
    const verdicts = runs.map((run) => run.verdicts.get(id))
    const changes = changesIn(verdicts)
    const last = changes.at(-1)
    return last === undefined ? [] : [{ id, verdicts, last }]
  })
  return rows.sort((a, b) => b.last - a.last)
}

function changesIn(verdicts: readonly (Verdict | undefined)[]): number[] {
  let before: Verdict | undefined
  return verdicts.flatMap((verdict, index) => {
    if (verdict === undefined) return []
    const isOther = before !== undefined && before !== verdict
    before = verdict
    return isOther ? [index] : []
  })
}

function flakyRows(runs: readonly HistoryRun[]): FlakyRow[] {
  const found = new Map<string, FlakyRow>()
  for (const alike of groupBy(runs, ({ version, suite }) => JSON.stringify([version, suite])).values()) {
    for (const id of idsOf(alike)) {
      const verdicts = alike.map((run) => run.verdicts.get(id))
      const row = found.get(id) ?? { id, flips: 0, runs: 0, within: 0 }
      row.flips += changesIn(verdicts).length
      row.runs += verdicts.filter((verdict) => verdict !== undefined).length
      row.within += alike.filter(({ flaky }) => flaky.includes(id)).length
      found.set(id, row)
    }
  }
  const isFlaky = ({ flips, within }: FlakyRow): boolean => flips >= fewestFlips || within > 0
  return [...found.values()].filter(isFlaky).sort((a, b) => b.flips + b.within - a.flips - a.within)
}
