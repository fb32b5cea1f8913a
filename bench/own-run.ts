/** What a run of this tool has left behind. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the footer of the newest run in the folder says; it is the last line of its record. */
export function footerIn(results: string): { milliseconds: number } {
  const lines = readFileSync(join(results, 'latest', 'run.ndjson'), 'utf8').trimEnd()
  return JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as { milliseconds: number } // as the writer of records has it
}
