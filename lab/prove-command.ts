import { type ExitCode, exitCode } from '../cli/console/exit-code.js'
import { suitePath } from '../cli/tool/tool.js'
import { print } from '../lib/print.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { matcherOf, NothingSelected } from '../runner/plan/select.js'
import type { CheckedRows } from './check-rows.js'
import { mutants } from './mutants/catalogue.js'
import {
  type MutationReport,
  type ProvenMutant,
  type ReportFiles,
  readOwnReport,
  summaryOf,
  writeReport,
} from './mutation-report.js'
import { proveMutants } from './prove-mutants.js'
import { sampleOf } from './sample.js'
import { allThreads, runTasks } from './workers.js'

export interface ProveFlags extends ReportFiles {
  only?: string
  all?: boolean
  sample?: number
  vacuity?: boolean
}

/** Rejects with `NothingSelected`, `FindingsError`, `UsageError`, `OutputError` and `TaskFailed`. */
export async function proveCommand(flags: ProveFlags): Promise<ExitCode> {
  const report = await proveCatalogue(flags)
  await writeReport(report, flags)
  const isProven = report.mutants.every(({ outcome }) => outcome === 'killed')
  // With selected mutants, the vacuous-assertion check runs only on request.
  const isComplete = flags.only === undefined && flags.sample === undefined
  const needsExpectations = isComplete || flags.vacuity === true
  const canFail = needsExpectations ? await proveExpectations() : true
  return isProven && canFail ? exitCode.conforming : exitCode.notConforming
}

async function proveCatalogue({ only, sample, all = false }: ProveFlags): Promise<MutationReport> {
  const matching = mutants.filter(({ name, rule, operation }) => [name, rule, operation].some(matcherOf(only)))
  if (matching.length === 0) throw new NothingSelected(`no mutant, rule or operation matches ${only}`)
  const chosen = sample === undefined ? matching : sampleOf(matching, sample)
  const { version, digest } = await loadSuite(suitePath(undefined))
  const names = chosen.map(({ name }) => name)
  const proven = await proveMutants(names, { threads: allThreads(), all }, printMutant)
  // The sweep is measured apart, by `npm run sweep`.
  const swept = (await readOwnReport())?.swept
  const report: MutationReport = { suite: { version, digest }, all, mutants: proven, ...(swept && { swept }) }
  const { killed, killedByOthers, survived, rules, othersInTheMedian } = summaryOf(report)
  print(
    `\n${proven.length} mutants of ${rules} rules: ${killed} killed by rows of their rule or by the last reads, ${killedByOthers} only by rows of other rules, ${survived} survived; ` +
      `median of failing rows of other rules: ${othersInTheMedian}`,
  )
  return report
}

function printMutant({ name, rule, outcome, performed, killers, others, unjudged, reason }: ProvenMutant): void {
  const by = Object.values(killers).reduce((sum, rows) => sum + rows, 0)
  const counts = `${performed} rows: ${by} of this rule failed, ${others.length} of other rules failed, ${unjudged} not judged`
  print(`${outcome === 'killed' ? 'killed' : outcome.toUpperCase()} ${name} [${rule}]: ${counts}`)
  if (outcome !== 'killed' && reason !== undefined) print(`    ${reason}`)
}

/** Parts of the rows of a profile, to use all threads. */
const parts = 4

async function proveExpectations(): Promise<boolean> {
  const { profiles } = await loadSuite(suitePath(undefined))
  const names = [...profiles.keys()]
  const tasks = names.flatMap((profile) => Array.from({ length: parts }, (_, part) => ({ profile, part, of: parts })))
  const found = await runTasks('vacuity', tasks, allThreads(), () => undefined)
  for (const name of names)
    printVacuous(
      name,
      found.filter(({ profile }) => profile === name),
    )
  return found.every(({ vacuous }) => vacuous.length === 0)
}

function printVacuous(profile: string, checked: readonly CheckedRows[]): void {
  const sum = (of: (one: CheckedRows) => number): number => checked.reduce((total, one) => total + of(one), 0)
  const vacuous = checked.flatMap((one) => one.vacuous)
  print(
    `${profile}: ${sum(({ tried }) => tried)} expectations in ${sum(({ performed }) => performed)} of ${sum(({ rows }) => rows)} rows, ${vacuous.length} cannot fail`,
  )
  for (const { row, step, expectation, kind, rules } of vacuous)
    print(`    ${row}, step ${step}, expectation ${expectation} (${kind}, ${rules.join(' ')})`)
}
