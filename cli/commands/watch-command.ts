import { print, printMistake } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import type { Verdict } from '../../record/types/verdict.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { explain } from '../console/failure.js'
import { repeatedRunText } from '../console/repeated-run.js'
import { watchFiles } from '../console/watched-files.js'
import { variableOf } from '../target/setting-options.js'
import { type Flags, filesOf } from '../target/settings.js'
import { suitePath } from '../tool/tool.js'
import { runCommand } from './run-command.js'

/** Runs again after each change, until a signal. `watch`: further files and folders. Rejects with `UsageError`. */
export async function watchCommand({ watch, ...flags }: Flags, color: boolean): Promise<ExitCode> {
  if (flags['resume'] !== undefined || flags['dryRun'] === true)
    throw new UsageError('watch: --resume and --dry-run cannot be repeated; remove them')
  const paths = [...(await watchedPaths(flags)), ...(Array.isArray(watch) ? watch.map(String) : [])]
  const files = await watchFiles(paths)
  const end = (): void => files.close()
  process.once('SIGTERM', end).once('SIGHUP', end)
  let before: ReadonlyMap<string, Verdict> = new Map()
  let code: ExitCode = exitCode.conforming
  do {
    const began = performance.now()
    try {
      code = await runCommand(flags, color, ({ rows }) => {
        print(`\n${repeatedRunText(rows, before, { color })}`)
        before = new Map([...before, ...rows.map(({ id, verdict }) => [id, verdict] as const)])
      })
    } catch (error) {
      const { text, code: failed } = explain(error, color)
      printMistake(text)
      code = failed
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print(`\n${seconds} s. Watching ${paths.join(' and ')}. Press Enter to run again, or Ctrl-C to stop.`)
    process.once('SIGINT', end)
  } while (await nextChange(files, end))
  process.removeListener('SIGTERM', end).removeListener('SIGHUP', end)
  return code
}

/** SIGINT during a run ends only the run. */
async function nextChange({ next }: Awaited<ReturnType<typeof watchFiles>>, end: () => void): Promise<boolean> {
  try {
    return await next()
  } finally {
    process.removeListener('SIGINT', end)
  }
}

async function watchedPaths(flags: Flags): Promise<string[]> {
  const suite = flags['suite'] ?? process.env[variableOf('suite')]
  return [suitePath(suite ? String(suite) : undefined), ...(await filesOf(flags, process.env))]
}
