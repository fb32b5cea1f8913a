import type { RunRow } from '../record/record.js'

/** Milliseconds between two lines where the output is no terminal. */
const pause = 5000
/** The first rows are no measure of the others. */
const first = 20
const width = 24

/**
 * Says how far the run is: a bar at the bottom of a terminal, and a line every few seconds elsewhere, as in the log of a CI job. What is
 * left is told by what the rows until then took.
 */
export function createProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): {
  row(row: RunRow, done: number, total: number): void
  clear(): void
} {
  let troubled = 0
  let begin: { at: number; done: number } | undefined
  let told = performance.now()
  const inWords = (done: number, total: number): string => {
    begin ??= { at: performance.now(), done }
    const left = ((performance.now() - begin.at) / Math.max(1, done - begin.done)) * (total - done)
    const trouble = troubled > 0 ? `, ${troubled} not passed` : ''
    const estimate = done - begin.done < first ? '' : `, about ${Math.ceil(left / 1000)} s left`
    return `${done} of ${total}${trouble}${estimate}`
  }
  return {
    row: ({ verdict }, done, total) => {
      if (!calm.has(verdict)) troubled += 1
      const words = inWords(done, total)
      if (stream.isTTY) {
        const filled = Math.round((done / total) * width)
        stream.write(`\r\u001b[2K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${words}`)
      } else if (performance.now() - told >= pause) {
        told = performance.now()
        stream.write(`${words}\n`)
      }
    },
    clear: () => {
      if (stream.isTTY) stream.write('\r\u001b[2K')
    },
  }
}

const calm: ReadonlySet<RunRow['verdict']> = new Set(['pass', 'not-applicable', 'excused', 'follows-the-text'])
