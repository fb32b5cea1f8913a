import type { RunRow } from '../record/record.js'

/** One line at the bottom of a terminal that says how far the run is. Where the output is no terminal it stays silent. */
export function createProgress(stream: NodeJS.WriteStream): {
  row(row: RunRow, done: number, total: number): void
  clear(): void
} {
  if (!stream.isTTY) return { row: () => undefined, clear: () => undefined }
  let troubled = 0
  let begin: { at: number; done: number } | undefined
  return {
    row: ({ verdict }, done, total) => {
      if (verdict !== 'pass' && verdict !== 'not-applicable') troubled += 1
      const width = 24
      const filled = Math.round((done / total) * width)
      const bar = `${'#'.repeat(filled)}${'.'.repeat(width - filled)}`
      const trouble = troubled > 0 ? `, ${troubled} not passed` : ''
      begin ??= { at: performance.now(), done }
      const left = ((performance.now() - begin.at) / Math.max(1, done - begin.done)) * (total - done)
      // The first rows are no measure of the others.
      const estimate = done - begin.done < 20 ? '' : `, about ${Math.ceil(left / 1000)} s left`
      stream.write(`\r\u001b[2K[${bar}] ${done} of ${total}${trouble}${estimate}`)
    },
    clear: () => void stream.write('\r\u001b[2K'),
  }
}
