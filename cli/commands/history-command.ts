/** `conform history`: one page over many runs. */
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

/** Folders of nights lie in folders of branches, seldom deeper. */
const deepest = 4

/** Ends well for runs that did not conform, too. Throws `UsageError` where there is no run in any of the folders. */
export async function historyCommand(folders: readonly string[], { out }: { out: string }): Promise<ExitCode> {
  const files = [...new Set((await Promise.all(folders.map((folder) => recordsIn(folder)))).flat())]
  const facts = new Map<string, RunFacts>()
  // One after the other: of each only a little is kept.
  for (const file of files.sort()) {
    try {
      const found = factsOf(await readRecord(file))
      facts.set(`${found.run} ${found.startedAt}`, found)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      printError(`! ${visibleLine(file)} is left out: ${visibleLine(error.message)}`)
    }
  }
  if (facts.size === 0) throw new UsageError(`history: there is no run record in ${folders.join(', ')}`)
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

/** All records at a path or below it; what leads elsewhere, as `latest` does, is not followed. */
async function recordsIn(path: string, depth = 0): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`history: there is no ${path}`)
  // What is neither is refused by name when it is read.
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`history: ${path} cannot be read (${systemReason(error)})`)
  })
  const own = entries.some((entry) => entry.isFile() && entry.name === recordName) ? [join(path, recordName)] : []
  const below = depth < deepest ? entries.filter((entry) => entry.isDirectory()) : []
  return [...own, ...(await Promise.all(below.map((entry) => recordsIn(join(path, entry.name), depth + 1)))).flat()]
}
