import { type ExitCode, exitCode } from '../cli/console/exit-code.js'
import { suitePath } from '../cli/tool/tool.js'
import { print } from '../lib/print.js'
import { UsageError } from '../lib/usage-error.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { killedOnlyBy, requireOwnReport } from './mutation-report.js'
import { proveMutants } from './prove-mutants.js'
import { allThreads } from './workers.js'

/**
 * Runs the mutants that no other case detects according to the mutation report.
 * Rejects with `UsageError` and `TaskFailed`.
 */
export async function dropCommand(dropped: string): Promise<ExitCode> {
  const { cases } = await loadSuite(suitePath(undefined))
  if (!cases.some(({ id }) => id === dropped)) throw new UsageError(`drop: the suite has no case ${dropped}`)
  const report = await requireOwnReport()
  const names = killedOnlyBy(report, dropped).map(({ name }) => name)
  const found = await proveMutants(names, { threads: allThreads([dropped]) })
  const surviving = found.filter(({ outcome }) => outcome !== 'killed')
  for (const { name, rule, outcome } of surviving) print(`${name} [${rule}]: ${outcome}`)
  print(`${surviving.length} of ${report.mutants.length} mutants survive without ${dropped}`)
  return exitCode.conforming
}
