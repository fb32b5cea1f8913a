/** A bar on a terminal; otherwise a line every few seconds, for CI logs. */
import type { statusLine } from '../../lib/print.js'
import type { RunRow } from '../../record/types/record.js'
import type { SentRow } from '../../runner/changes/row-changes.js'
import type { RowsAhead } from '../../runner/run/run.js'

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
  /** Rows that are not sent yet. */
  let together = new Set<string>()
  let alone = new Set<string>()
  let done = 0
  let notPassed = 0
  let sent = 0
  /** Milliseconds of the exchanges of these rows. */
  let exchanged = 0
  let firstSentAt: number | undefined
  let printedAt = performance.now()
  // In a random order, the rows that are left take as long as those that were sent. Rows that run alone do not overlap.
  const secondsLeft = (): number | undefined => {
    if (sent < warmUp || firstSentAt === undefined) return undefined
    const elapsed = performance.now() - firstSentAt
    return (together.size * elapsed + alone.size * exchanged) / sent / 1000
  }
  const describe = (): string => {
    const seconds = secondsLeft()
    const failures = notPassed > 0 ? `, ${notPassed} not passed` : ''
    const estimate = seconds === undefined ? '' : `, about ${Math.ceil(seconds)} s left`
    return `${done} of ${ahead.size}${failures}${estimate}`
  }
  return {
    planned: (rows) => {
      together = new Set(rows.rows.map(({ id }) => id))
      alone = new Set(rows.alone.map(({ id }) => id))
      done = 0
      ahead = new Set([...together, ...alone])
    },
    sent: ({ id, evidence }) => {
      const isOpen = together.delete(id) || alone.delete(id)
      if (!isOpen || evidence.length === 0) return
      firstSentAt ??= performance.now()
      sent += 1
      exchanged += evidence.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
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
