import { availableParallelism } from 'node:os'
import { upperBound } from '../../lab/clean-run.js'
import { mutants } from '../../lab/mutants/catalogue.js'
import {
  killedOnlyBy,
  type MutationReport,
  MutationReportError,
  mutationPage,
  type ProvenMutant,
  printMutationReport,
  readMutationReport,
  summaryOf,
} from '../../lab/mutation-report.js'
import { proveMutants } from '../../lab/prove-mutants.js'
import { sampleOf } from '../../lab/sample.js'
import { sweptOperations, sweptTotals, withSwept } from '../../lab/sweep-report.js'
import { runTasks, type Threads } from '../../lab/workers.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { print } from '../../lib/print.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { matcherOf, NothingSelected } from '../../runner/plan/select.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { UsageError } from '../console/usage-error.js'
import { conformanceModel } from '../target/conformance-model.js'
import { suitePath } from '../tool/tool.js'

export interface ProveFlags {
  only?: string
  all?: boolean
  drop?: string
  clean?: number
  after?: number
  sample?: number
  vacuity?: boolean
  sweep?: boolean
  json?: string
  markdown?: string
  suite?: string
}

const verdict = (isProven: boolean): ExitCode => (isProven ? exitCode.conforming : exitCode.notConforming)

/** Throws `NothingSelected`, `UsageError`, `FindingsError`, `MutationReportError`, `OutputError` and `ProofFailed`. */
export async function proveCommand(flags: ProveFlags): Promise<ExitCode> {
  if (flags.sweep) return proveSweep(flags)
  if (flags.clean !== undefined) return proveClean(flags, flags.clean)
  if (flags.drop !== undefined) return proveDrop(flags, flags.drop)
  const report = await proveCatalogue(flags)
  const isProven = report.mutants.every(({ outcome }) => outcome === 'killed')
  // With selected mutants, the vacuous-assertion check runs only on request.
  const isComplete = flags.only === undefined && flags.sample === undefined
  if (!isComplete && !flags.vacuity) return verdict(isProven)
  return verdict((await proveExpectations(flags)) && isProven)
}

const threadsOf = ({ suite }: ProveFlags, dropped: string[] = []): Omit<Threads, 'atOnce'> => ({
  settings: { suiteFolder: suitePath(suite), model: conformanceModel, dropped },
  threads: availableParallelism(),
})

/** One task at a time on each thread: these tasks do not wait. */
const singleTasks = (flags: ProveFlags): Threads => ({ ...threadsOf(flags), atOnce: 1 })

async function proveCatalogue(flags: ProveFlags): Promise<MutationReport> {
  const matching = mutants.filter(({ name, rule, operation }) => [name, rule, operation].some(matcherOf(flags.only)))
  if (matching.length === 0) throw new NothingSelected(`no mutant, rule or operation matches ${flags.only}`)
  const chosen = flags.sample === undefined ? matching : sampleOf(matching, flags.sample)
  const { version, digest } = await loadSuite(suitePath(flags.suite))
  const all = flags.all ?? false
  const names = chosen.map(({ name }) => name)
  const proven = await proveMutants(names, { ...threadsOf(flags), all }, printMutant)
  // The sweep is measured apart, by `npm run sweep`.
  const swept = (await readMutationReport(suitePath(flags.suite)))?.swept
  const report: MutationReport = { suite: { version, digest }, all, mutants: proven, ...(swept && { swept }) }
  const { killed, killedByOthers, survived, rules, othersInTheMedian } = summaryOf(report)
  print(
    `\n${proven.length} mutants of ${rules} rules: ${killed} killed by rows of their rule or by the last reads, ${killedByOthers} only by rows of other rules, ${survived} survived; ` +
      `median of failing rows of other rules: ${othersInTheMedian}`,
  )
  if (flags.json !== undefined) await writeOutput(flags.json, printMutationReport(report))
  if (flags.markdown !== undefined) await writeOutput(flags.markdown, mutationPage(report))
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

async function proveExpectations(flags: ProveFlags): Promise<boolean> {
  const { profiles } = await loadSuite(suitePath(flags.suite))
  const names = [...profiles.keys()]
  const tasks = names.flatMap((profile) => Array.from({ length: parts }, (_, part) => ({ profile, part, of: parts })))
  const found = await runTasks('vacuity', tasks, singleTasks(flags), () => undefined)
  for (const name of names) {
    const own = found.filter(({ profile }) => profile === name)
    const sum = (of: (one: (typeof own)[number]) => number): number => own.reduce((total, one) => total + of(one), 0)
    const vacuous = own.flatMap((one) => one.vacuous)
    print(
      `${name}: ${sum(({ tried }) => tried)} expectations in ${sum(({ performed }) => performed)} of ${sum(({ rows }) => rows)} rows, ${vacuous.length} cannot fail`,
    )
    for (const { row, step, expectation, kind, rules } of vacuous)
      print(`    ${row}, step ${step}, expectation ${expectation} (${kind}, ${rules.join(' ')})`)
  }
  return found.every(({ vacuous }) => vacuous.length === 0)
}

async function proveClean(flags: ProveFlags, runs: number): Promise<ExitCode> {
  const seeds = Array.from({ length: runs }, (_, index) => ({ seed: `clean ${(flags.after ?? 0) + index + 1}` }))
  const found = await runTasks('clean', seeds, singleTasks(flags), ({ seed, profile, rows, variants, alarms }) => {
    print(
      `${seed}, by ${profile}: ${rows} rows, ${alarms.length} false alarms; ${variants.join(', ') || 'no variants'}`,
    )
    for (const { row, verdict: found, reason } of alarms) print(`    ${row} ${found}: ${reason}`)
  })
  const alarmed = found.filter(({ alarms }) => alarms.length > 0).length
  const rows = found.reduce((sum, one) => sum + one.rows, 0)
  const bound = `fewer than ${(upperBound(runs) * 100).toFixed(2)} % of such runs raise a false alarm, with 95 % confidence`
  print(`\n${runs} runs, ${rows} rows, ${alarmed} runs with a false alarm${alarmed === 0 ? `: ${bound}` : ''}`)
  return verdict(alarmed === 0)
}

/** Changes each member of the answers of the operations that `only` matches; writes the figures into the mutation report. */
async function proveSweep(flags: ProveFlags): Promise<ExitCode> {
  const chosen = sweptOperations.filter(matcherOf(flags.only))
  if (chosen.length === 0) throw new NothingSelected(`no operation matches ${flags.only}`)
  const inputs = chosen.map((operation) => ({ operation }))
  const answers = await runTasks('sweep', inputs, singleTasks(flags), () => undefined)
  const found = answers.flatMap(({ changes }) => changes)
  const open = found.filter(({ killed, free }) => !killed && free === undefined)
  for (const one of open) print(`open: ${one.operation} ${one.kind} ${one.path}: ${one.change}`)
  for (const { operation, changes, killed, free } of sweptTotals(found))
    print(`${operation}: ${changes} changes, ${killed} killed, ${free} free, ${changes - killed - free} open`)
  const report = await readMutationReport(suitePath(flags.suite))
  if (report && (flags.json !== undefined || flags.markdown !== undefined)) {
    const swept = { ...report, swept: withSwept(report.swept ?? [], found) }
    if (flags.json !== undefined) await writeOutput(flags.json, printMutationReport(swept))
    if (flags.markdown !== undefined) await writeOutput(flags.markdown, mutationPage(swept))
  }
  return verdict(open.length === 0)
}

/** Runs the mutants that no other case detects according to the mutation report. */
async function proveDrop(flags: ProveFlags, dropped: string): Promise<ExitCode> {
  const { cases } = await loadSuite(suitePath(flags.suite))
  if (!cases.some(({ id }) => id === dropped)) throw new UsageError(`drop: the suite has no case ${dropped}`)
  const report = await readMutationReport(suitePath(flags.suite))
  if (!report) throw new MutationReportError('this suite has no mutation report: run npm run prove')
  const names = killedOnlyBy(report, dropped).map(({ name }) => name)
  const found = await proveMutants(names, { ...threadsOf(flags, [dropped]), all: false })
  const surviving = found.filter(({ outcome }) => outcome !== 'killed')
  for (const { name, rule, outcome } of surviving) print(`${name} [${rule}]: ${outcome}`)
  print(`${surviving.length} of ${report.mutants.length} mutants survive without ${dropped}`)
  return exitCode.conforming
}
