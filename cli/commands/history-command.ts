/** `conform history`: one HTML page over many runs. */
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../lib/files/folder.js'
import { systemReason } from '../../lib/files/system-error.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { print, printError } from '../../lib/print.js'
import { readRecord } from '../../record/file/read-record.js'
import { RecordError } from '../../record/file/record-error.js'
import { historyOf } from '../../reports/history/history.js'
import { historyPage } from '../../reports/history/history-page.js'
import { factsOf, type RunFacts } from '../../reports/history/run-facts.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { UsageError } from '../console/usage-error.js'
import { recordName } from '../output/results-folder.js'

/** Enough for folders of nights in folders of branches. */
const maximumDepth = 4

/** Exits with 0 also for failed runs. Rejects with `UsageError` if no folder contains a run. */
export async function historyCommand(folders: readonly string[], { out }: { out: string }): Promise<ExitCode> {
  const files = [...new Set((await Promise.all(folders.map((folder) => recordsIn(folder)))).flat())]
  const facts = new Map<string, RunFacts>()
  // One at a time, because a record needs much more memory than its facts.
  for (const file of files.sort()) {
    try {
      const found = factsOf(await readRecord(file))
      facts.set(`${found.run} ${found.startedAt}`, found)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      printError(`! skipped ${visibleLine(file)}: ${visibleLine(error.message)}`)
    }
  }
  if (facts.size === 0) throw new UsageError(`history: no run record in ${folders.join(', ')}`)
  const series = historyOf([...facts.values()])
  await makeFolder(dirname(out))
  await writeOutput(out, historyPage(series))
  for (const { name, runs, changed, flaky } of series) {
    print(
      visibleLine(
        `${name}: ${count(runs.length, 'run')}, ${count(changed.length, 'row')} changed, ${flaky.length} flaky`,
      ),
    )
  }
  print(out)
  return exitCode.conforming
}

/** All records at a path or below it. Follows no links, such as `latest`. */
async function recordsIn(path: string, depth = 0): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`history: ${path} does not exist`)
  // Reading rejects other types of files.
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`history: ${path} cannot be read (${systemReason(error)})`)
  })
  const own = entries.some((entry) => entry.isFile() && entry.name === recordName) ? [join(path, recordName)] : []
  const below = depth < maximumDepth ? entries.filter((entry) => entry.isDirectory()) : []
  return [...own, ...(await Promise.all(below.map((entry) => recordsIn(join(path, entry.name), depth + 1)))).flat()]
}
