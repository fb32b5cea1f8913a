/** A row that was sent several times, as one row of the record. */
import type { RunRow } from '../record/record.js'
import { type Verdict, verdicts } from '../record/verdict.js'

/** The time that was worst stands for all, with how often the row came to each verdict. `rows` holds at least one. */
export function repeatedRow(rows: readonly [RunRow, ...RunRow[]]): RunRow {
  const [first, ...others] = rows
  if (others.length === 0) return first
  const counts = new Map<Verdict, number>()
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  const worst = others.reduce((found, row) => (badness(row) < badness(found) ? row : found), first)
  return {
    ...worst,
    repeated: Object.fromEntries(verdicts.flatMap((one) => (counts.has(one) ? [[one, counts.get(one)]] : []))),
  }
}

const badness = ({ verdict }: RunRow): number => verdicts.indexOf(verdict)
