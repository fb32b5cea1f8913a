/** The rows without a judgement. */
import type { RunRow } from '../../record/types/record.js'
import { reasonOf } from '../wording/reason.js'

/** Rows by reason, the most frequent reason first. */
export function notJudged<R extends Pick<RunRow, 'verdict' | 'reason'>>(
  rows: readonly R[],
): [reason: string, rows: R[]][] {
  const found = new Map<string, R[]>()
  for (const row of rows.filter(({ verdict }) => verdict === 'not-applicable' || verdict === 'blocked')) {
    const reason = reasonOf(row)
    const known = found.get(reason)
    if (known) known.push(row)
    else found.set(reason, [row])
  }
  return [...found].toSorted(([, a], [, b]) => b.length - a.length)
}
