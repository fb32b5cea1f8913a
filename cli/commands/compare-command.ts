import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { systemReason } from '../../lib/files/file-errors.js'
import { makeFolder, realPathOf } from '../../lib/files/paths.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { print, printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { RecordError } from '../../record/file/record-error.js'
import { ConfigurationsError } from '../../record/merge/combine-records.js'
import { comparePage } from '../../reports/compare/compare-page.js'
import { seriesOf } from '../../reports/compare/night-series.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { isRecordOf } from '../output/read-run.js'
import { isFirstRecord } from '../output/record-names.js'
import { readFacts } from '../output/run-facts.js'

/** Enough for folders of nights in folders of branches. */
const maximumDepth = 4

/** Failed runs exit with 0. Rejects with `UsageError` if no path contains a run. */
export async function compareCommand(paths: readonly string[], { out }: { out: string }): Promise<ExitCode> {
  const files = [...new Set((await Promise.all(paths.map((path) => recordsIn(path)))).flat())]
  if (await isRecordOf(out, files))
    throw new UsageError(`out: ${out} is a run record that compare reads; name another file`)
  const runs = new Map<string, { facts: RunFacts; file: string }>()
  // Sequential: a run without a summary needs the memory of its record.
  for (const file of files.sort()) {
    try {
      const facts = await readFacts(file)
      runs.set(`${facts.header.run} ${facts.header.startedAt}`, { facts, file })
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof ConfigurationsError)) throw error
      printError(`! skipped ${visibleLine(file)}: ${visibleLine(error.message)}`)
    }
  }
  if (runs.size === 0) throw new UsageError(`compare: no run record in ${paths.join(', ')}`)
  const found = [...runs.values()]
  const series = seriesOf(found.map(({ facts }) => facts))
  await makeFolder(dirname(out))
  const reports = new Map<RunFacts, string | undefined>()
  for (const { facts, file } of found) reports.set(facts, await reportBeside(file, out))
  await writeOutput(
    out,
    comparePage(series, (run) => reports.get(run)),
  )
  for (const { name, runs: nights, changed, flaky } of series) {
    const numbers = `${count(nights.length, 'run')}, ${count(changed.length, 'row')} changed, ${flaky.length} flaky`
    print(visibleLine(`${name}: ${numbers}`))
  }
  print(out)
  return exitCode.conforming
}

/** Relative to the page, so that the results can move together with it. */
async function reportBeside(recordFile: string, page: string): Promise<string | undefined> {
  const report = join(dirname(recordFile), 'report.html')
  const found = await stat(report).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const path = relative(await realPathOf(dirname(page)), await realPathOf(report))
  return path.split(sep).map(encodeURIComponent).join('/')
}

/** Follows no links, such as `latest`. */
async function recordsIn(path: string, depth = 0): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`compare: ${path} does not exist`)
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`compare: ${path} cannot be read (${systemReason(error)})`)
  })
  const first = entries.find((entry) => entry.isFile() && isFirstRecord(entry.name))
  const own = first ? [join(path, first.name)] : []
  const below = depth < maximumDepth ? entries.filter((entry) => entry.isDirectory()) : []
  return [...own, ...(await Promise.all(below.map((entry) => recordsIn(join(path, entry.name), depth + 1)))).flat()]
}
