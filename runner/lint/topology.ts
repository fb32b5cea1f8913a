import type { FindingList } from '../load/finding-list.js'
import type { RowViews } from './resolved-views.js'

/** Rows that change vetting run alone and put back what they change: others may be using the same participant. */
export function checkTopology(rows: readonly RowViews[], findings: FindingList): void {
  for (const { location, views } of rows) {
    for (const { impact, alone, steps } of views) {
      if (impact !== 'topology') continue
      if (!alone)
        findings.add(location, 'a row of the impact topology must run alone', 'say "serial: true" in its case')
      if (!steps.some(({ role }) => role === 'restore'))
        findings.add(location, 'a row of the impact topology must put back what it changes', 'say how in "restore"')
    }
  }
}
