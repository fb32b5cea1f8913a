import type { FindingList } from '../load/finding-list.js'
import type { Suite } from '../suite/suite.js'

/** Rows that change vetting run alone and put back what they change: others may be using the same participant. */
export function checkTopology({ cases }: Suite, findings: FindingList): void {
  for (const { rows, serial, restore } of cases) {
    for (const { impact, location } of rows) {
      if (impact !== 'topology') continue
      if (!serial) findings.add(location, 'a row of the impact topology must run alone', 'say "serial: true" in its case')
      if (restore.length === 0)
        findings.add(location, 'a row of the impact topology must put back what it changes', 'say how in "restore"')
    }
  }
}
