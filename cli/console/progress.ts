/** A bar on a terminal; otherwise a line every few seconds, for CI logs. */
import type { statusLine } from '../../lib/print.js'
import type { RunRow } from '../../record/types/record.js'
import type { SentRow } from '../../runner/changes/row-changes.js'
import type { RowsAhead } from '../../runner/run/run.js'
import { TimeLeft } from './time-left.js'

/** Milliseconds between two lines if the output is not a terminal. */
const pause = 5000
/** Rows before the first estimate: the first rows are slower. */
const warmUp = 20
const width = 24

export function createProgress(output: typeof statusLine): {
  planned(ahead: RowsAhead): void
  sent(row: SentRow): void
  row(row: RunRow): void
  clear(): void
} {
  let ahead: ReadonlySet<string> = new Set()
  let done = 0
  let notPassed = 0
  let sent = 0
  let left: TimeLeft | undefined
  let printedAt = performance.now()
  const describe = (): string => {
    const seconds = sent < warmUp ? undefined : left?.seconds()
    const failures = notPassed > 0 ? `, ${notPassed} not passed` : ''
    const estimate = seconds === undefined ? '' : `, about ${Math.ceil(seconds)} s left`
    return `${done} of ${ahead.size}${failures}${estimate}`
  }
  return {
    planned: (rows) => {
      left = new TimeLeft(rows)
      done = 0
      ahead = new Set([...rows.rows, ...rows.alone].map(({ id }) => id))
    },
    sent: (row) => {
      if (row.evidence.length > 0) sent += 1
      left?.row(row)
    },
    row: (row) => {
      // Rows of the plan that do not run are recorded at the start.
      if (!ahead.has(row.id)) return
      done += 1
      if (!passing.has(row.verdict)) notPassed += 1
      const text = describe()
      if (output.isTTY) {
        const filled = Math.round((done / ahead.size) * width)
        output.overwrite(`[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${text}`)
      } else if (performance.now() - printedAt >= pause) {
        printedAt = performance.now()
        output.log(text)
      }
    },
    clear: () => {
      if (output.isTTY) output.overwrite('')
    },
  }
}

const passing: ReadonlySet<RunRow['verdict']> = new Set(['pass', 'not-applicable', 'excused', 'follows-the-text'])
