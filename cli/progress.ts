import type { RunRow } from '../record/record.js'

/** One line at the bottom of a terminal that says how far the run is. Where the output is no terminal it stays silent. */
export function createProgress(stream: NodeJS.WriteStream): {
  row(row: RunRow, done: number, total: number): void
  clear(): void
} {
  if (!stream.isTTY) return { row: () => undefined, clear: () => undefined }
  let troubled = 0
  return {
    row: ({ verdict }, done, total) => {
      if (verdict !== 'pass' && verdict !== 'not-applicable') troubled += 1
      const width = 24
      const filled = Math.round((done / total) * width)
      const bar = `${'#'.repeat(filled)}${'.'.repeat(width - filled)}`
      const trouble = troubled > 0 ? `, ${troubled} not passed` : ''
      stream.write(`\r\u001b[2K[${bar}] ${done} of ${total}${trouble}`)
    },
    clear: () => void stream.write('\r\u001b[2K'),
  }
}
