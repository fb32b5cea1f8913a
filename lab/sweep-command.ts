import { type ExitCode, exitCode } from '../cli/console/exit-code.js'
import { print } from '../lib/print.js'
import { matcherOf, NothingSelected } from '../runner/plan/select.js'
import { type ReportFiles, requireOwnReport, writeReport } from './mutation-report.js'
import { sweptOperations, sweptTotals, withSwept } from './sweep-report.js'
import { allThreads, runTasks } from './workers.js'

export interface SweepFlags extends ReportFiles {
  only?: string
}

/**
 * Changes each member of the answers of the operations that `only` matches; writes the figures into the mutation report.
 * Rejects with `NothingSelected`, `UsageError`, `OutputError` and `TaskFailed`.
 */
export async function sweepCommand({ only, ...files }: SweepFlags): Promise<ExitCode> {
  const chosen = sweptOperations.filter(matcherOf(only))
  if (chosen.length === 0) throw new NothingSelected(`no operation matches ${only}`)
  // Before the tasks, whose figures would be lost.
  const isWritten = files.json !== undefined || files.markdown !== undefined
  const report = isWritten ? await requireOwnReport() : undefined
  const inputs = chosen.map((operation) => ({ operation }))
  const answers = await runTasks('sweep', inputs, allThreads(), () => undefined)
  const found = answers.flatMap(({ changes }) => changes)
  const open = found.filter(({ killed, free }) => !killed && free === undefined)
  for (const one of open) print(`open: ${one.operation} ${one.kind} ${one.path}: ${one.change}`)
  for (const { operation, changes, killed, free } of sweptTotals(found))
    print(`${operation}: ${changes} changes, ${killed} killed, ${free} free, ${changes - killed - free} open`)
  if (report) await writeReport({ ...report, swept: withSwept(report.swept ?? [], found) }, files)
  return open.length === 0 ? exitCode.conforming : exitCode.notConforming
}
