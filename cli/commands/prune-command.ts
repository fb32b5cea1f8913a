import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { certificateName } from '../../certificate/bundle.js'
import { systemReason } from '../../lib/files/file-errors.js'
import { isFolder } from '../../lib/files/paths.js'
import { print } from '../../lib/print.js'
import { RecordError } from '../../record/file/record-error.js'
import { ConfigurationsError } from '../../record/merge/combine-records.js'
import { nonConforming } from '../../record/types/verdict.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import { journalIn } from '../../runner/changes/journal.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { UsageError } from '../console/usage-error.js'
import { type FoundRun, inMib, runsIn, totalOf } from '../output/old-runs.js'
import { recordFileIn } from '../output/record-names.js'
import { linkedRuns, lockFolder } from '../output/results-folder.js'
import { readRunFacts } from '../output/run-history.js'

interface PruneFlags {
  /** Number of newest runs. */
  keep: number
  keepFailed?: boolean
  certified?: boolean
  dryRun?: boolean
}

/** Rejects with `UsageError`, also while a run uses the folder. */
export async function pruneCommand(results: string, flags: PruneFlags): Promise<ExitCode> {
  if (!(await isFolder(results))) throw new UsageError(`prune: ${results} is not a folder`)
  if (flags.dryRun) return prune(results, flags)
  const lock = await lockFolder(results).catch((error: unknown) => {
    throw error instanceof UsageError ? error : notRemoved(results, error)
  })
  try {
    return await prune(results, flags)
  } finally {
    await lock.release()
  }
}

async function prune(results: string, flags: PruneFlags): Promise<ExitCode> {
  const runs = await runsIn(results)
  const linked = await linkedRuns(results)
  const removed: FoundRun[] = []
  for (const run of runs.slice(0, -flags.keep)) {
    const link = linked.get(run.name)
    const reason = link === undefined ? await reasonToKeep(run.path, flags) : `${link} leads to it`
    if (reason === undefined) {
      if (!flags.dryRun) await remove(run)
      removed.push(run)
    }
    const what = reason === undefined ? (flags.dryRun ? 'would remove' : 'removed') : 'kept'
    print(visibleLine(`${what} ${run.path}: ${reason ?? `${run.bytes} bytes`}`))
  }
  const bytes = totalOf(removed)
  const verb = flags.dryRun ? 'Would remove' : 'Removed'
  const rest = runs.length - removed.length
  print(
    `${verb} ${count(removed.length, 'run')}: ${bytes} bytes (${inMib(bytes)}). ${count(rest, 'run remains', 'runs remain')}.`,
  )
  return exitCode.conforming
}

async function reasonToKeep(folder: string, { certified, keepFailed }: PruneFlags): Promise<string | undefined> {
  if (await journalIn(folder)) return 'its changes on the participant are not restored; restore them with conform clean'
  if (!certified && existsSync(join(folder, certificateName))) return 'it is certified; --certified removes it'
  return keepFailed ? failureIn(await recordFileIn(folder)) : undefined
}

async function failureIn(recordFile: string | undefined): Promise<string | undefined> {
  if (recordFile === undefined) return undefined
  try {
    const { counts } = await readRunFacts(recordFile)
    const failed = nonConforming.reduce((sum, verdict) => sum + counts[verdict], 0)
    return failed > 0 ? `it has ${count(failed, 'failed or blocked row')}` : undefined
  } catch (error) {
    if (error instanceof RecordError || error instanceof ConfigurationsError)
      return `its failures are unknown: ${error.message}`
    throw error
  }
}

async function remove({ path }: FoundRun): Promise<void> {
  try {
    await rm(path, { recursive: true })
  } catch (error) {
    throw notRemoved(path, error)
  }
}

const notRemoved = (path: string, cause: unknown): UsageError =>
  new UsageError(`prune: ${path} cannot be removed (${systemReason(cause)})`, { cause })
