import type { statusLine } from '../../lib/print.js'
import type { RunRow } from '../../record/types/record.js'
import type { RowsAhead } from '../../runner/run/run.js'
import { TimeLeft } from './time-left.js'

/** Milliseconds between two lines where the output is no terminal. */
const pause = 5000
/** The first rows are no measure of the others. */
const first = 20
const width = 24

/** Says how far the run is: a bar at the bottom of a terminal, and a line every few seconds elsewhere, as in the log of a CI job. */
export function createProgress(output: typeof statusLine): {
  /** What is left is told by it. */
  planned(ahead: RowsAhead): void
  row(row: RunRow, done: number, total: number): void
  clear(): void
} {
  let troubled = 0
  let seen = 0
  let left: TimeLeft | undefined
  let told = performance.now()
  const inWords = (done: number, total: number): string => {
    const seconds = seen < first ? undefined : left?.seconds()
    const trouble = troubled > 0 ? `, ${troubled} not passed` : ''
    const estimate = seconds === undefined ? '' : `, about ${Math.ceil(seconds)} s left`
    return `${done} of ${total}${trouble}${estimate}`
  }
  return {
    planned: (ahead) => {
      left = new TimeLeft(ahead)
    },
    row: (row, done, total) => {
      if (!calm.has(row.verdict)) troubled += 1
      if (row.evidence.length > 0) seen += 1
      left?.row(row)
      const words = inWords(done, total)
      if (output.isTTY) {
        const filled = Math.round((done / total) * width)
        output.overwrite(`[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${words}`)
      } else if (performance.now() - told >= pause) {
        told = performance.now()
        output.log(words)
      }
    },
    clear: () => {
      if (output.isTTY) output.overwrite('')
    },
  }
}

const calm: ReadonlySet<RunRow['verdict']> = new Set(['pass', 'not-applicable', 'excused', 'follows-the-text'])
