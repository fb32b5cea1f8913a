import { parsed } from '../../lib/json/parsed.js'
import { printData, printError, withDataOnly } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { wildcard } from '../../lib/wildcard.js'
import { readHeader } from '../../record/file/read-record.js'
import { streamLines } from '../../record/file/stream-lines.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { partsOf } from '../output/read-run.js'

/**
 * Prints the lines of the records of a run, for programs such as jq; with `rows`, ids or patterns, only their lines. Exits
 * with 5 if a line cannot be read. Rejects with `RecordError`, `InputError` and `UsageError`.
 */
export const recordCommand = (run: string, rows: readonly string[]): Promise<ExitCode> =>
  withDataOnly(async () => {
    const open = new Set(rows)
    let isWhole = true
    for (const file of await partsOf(run)) {
      for await (const line of streamLines(file)) {
        if (line.number === 1) readHeader(file, line)
        const { number, text, problem = 'is too long' } = line
        // Servers of continuous integration execute some lines that are no JSON.
        if (text === undefined || parsed(text) === undefined) {
          printError(`${file}: line ${number} ${text === undefined ? problem : 'is not JSON'}.`)
          isWhole = false
        } else if (isWanted(text, rows, open)) printData(text)
      }
    }
    if (open.size > 0) throw new UsageError(`record: ${run} has no row ${[...open].join(', ')}`)
    return isWhole ? exitCode.conforming : exitCode.incomplete
  })

/** Removes the found names from `open`. */
function isWanted(text: string, rows: readonly string[], open: Set<string>): boolean {
  if (rows.length === 0) return true
  const id = rowId.exec(text)?.[1] ?? ''
  const found = rows.filter((row) => wildcard(row)(id))
  for (const row of found) open.delete(row)
  return found.length > 0
}

/** A row line begins with its type and id. Ids of the suite need no escapes. */
const rowId = /^\{"type":"row","id":"([^"\\]+)"/
