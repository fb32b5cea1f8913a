/** A file beside the suite: its mutants, and the rows that detect them. Reports cite it. */
import { suitePath } from '../cli/tool/tool.js'
import { writeOutput } from '../lib/files/write-output.js'
import { UsageError } from '../lib/usage-error.js'
import type { OracleFinding } from '../record/types/record.js'
import { type CitedMutationReport, readMutationReport } from '../runner/load/mutation-report.js'
import { type SweptOperation, sweptSection } from './sweep-report.js'

type Cited = CitedMutationReport['mutants'][number]

export interface ProvenMutant extends Cited {
  name: string
  operation: string
  /** Number of runs, if more than one. Other members describe the last run. */
  runs?: number
  performed: number
  /** Number of failed rows that claim the rule, by case. */
  killers: Readonly<Record<string, number>>
  others: readonly string[]
  unjudged: number
  /** Of the reads after the last row. */
  finding?: Pick<OracleFinding, 'kind' | 'oracle'>
  reason?: string
}

export interface MutationReport extends CitedMutationReport {
  all: boolean
  mutants: readonly ProvenMutant[]
  swept?: readonly SweptOperation[]
}

interface MutationSummary {
  mutants: number
  rules: number
  killed: number
  killedByOthers: number
  survived: number
  /** Failed rows of other rules for one mutant: median and 90th percentile. */
  othersInTheMedian: number
  othersAtNinety: number
}

export function summaryOf({ mutants }: Pick<MutationReport, 'mutants'>): MutationSummary {
  const count = (outcome: ProvenMutant['outcome']): number => mutants.filter((one) => one.outcome === outcome).length
  const others = mutants.map((one) => one.others.length).toSorted((a, b) => a - b)
  return {
    mutants: mutants.length,
    rules: new Set(mutants.map(({ rule }) => rule)).size,
    killed: count('killed'),
    killedByOthers: count('killed-by-others'),
    survived: count('survived'),
    othersInTheMedian: others[Math.floor(others.length / 2)] ?? 0,
    othersAtNinety: others[Math.floor(others.length * 0.9)] ?? 0,
  }
}

export const killedOnlyBy = ({ mutants }: MutationReport, caseId: string): ProvenMutant[] =>
  mutants.filter(({ killers }) => {
    const cases = Object.keys(killers)
    return cases.length > 0 && cases.every((one) => one === caseId)
  })

/** Default: the report of the suite of this program. Undefined without a report. Rejects as `readMutationReport`. */
export const readOwnReport = async (suiteFolder = suitePath(undefined)): Promise<MutationReport | undefined> =>
  (await readMutationReport(suiteFolder)) as MutationReport | undefined // only this folder writes it

/** Rejects as `readMutationReport`, also without a report. */
export async function requireOwnReport(suiteFolder?: string): Promise<MutationReport> {
  const report = await readOwnReport(suiteFolder)
  if (!report) throw new UsageError('this suite has no mutation report: run npm run prove')
  return report
}

/** The files to write, if any. */
export interface ReportFiles {
  json?: string
  markdown?: string
}

/** Rejects with `OutputError`. */
export async function writeReport(report: MutationReport, { json, markdown }: ReportFiles): Promise<void> {
  if (json !== undefined) await writeOutput(json, printMutationReport(report))
  if (markdown !== undefined) await writeOutput(markdown, mutationPage(report))
}

/**
 * One line for each mutant, for readable differences between versions.
 * @internal
 */
export function printMutationReport({ suite, all, mutants, swept = [] }: MutationReport): string {
  const lines = mutants.map(({ reason: told, ...one }) => `    ${JSON.stringify({ ...one, ...(told && { told }) })}`)
  const operations = swept.map((one) => `    ${JSON.stringify(one)}`)
  const sweep = operations.length === 0 ? '' : `,\n  "swept": [\n${operations.join(',\n')}\n  ]`
  return `{\n  "suite": ${JSON.stringify(suite)},\n  "all": ${all},\n  "mutants": [\n${lines.join(',\n')}\n  ]${sweep}\n}\n`
}

const killingRows = (one: ProvenMutant): string[] =>
  rowsIn(one) === 0 ? [] : [`${rowsIn(one)} rows in ${shortened(Object.keys(one.killers).toSorted())}`]

const killingRead = ({ finding }: ProvenMutant): string[] =>
  finding ? [`last reads: ${finding.oracle} ${finding.kind}`] : []

const rowsIn = ({ killers }: ProvenMutant): number => Object.values(killers).reduce((sum, rows) => sum + rows, 0)

const outcomes: Readonly<Record<ProvenMutant['outcome'], (one: ProvenMutant) => string>> = {
  killed: (one) => [...killingRows(one), ...killingRead(one)].join('; '),
  'killed-by-others': ({ others }) => `**only rows of other rules**: ${shortened(others)}`,
  survived: () => '**survived**',
}

const shortened = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`

/** @internal */
export function mutationPage(report: MutationReport): string {
  const { mutants } = report
  const { killed, killedByOthers, survived, rules, othersInTheMedian, othersAtNinety } = summaryOf(report)
  const sections = [...new Set(mutants.map(({ rule }) => rule))]
    .toSorted()
    .map((rule) => `### ${rule}\n\n${tableOf(mutants.filter((one) => one.rule === rule))}\n`)
  return `# Mutation report

Each line is a mutant: a simulator that breaks one rule. A row kills the mutant if one of its unmet expectations cites the rule. The *last reads* kill a
mutant if they contradict its answers, or prove nothing: then the run does not conform, or is incomplete.
\`npm run prove\` writes this page. [mutants.md](../mutants.md) explains mutants, and \`npm run lab -- mutants\` describes each of them.

| | |
|---|---|
| Suite | ${report.suite.version}, ${report.suite.digest.slice(0, 12)} |
| Mutants | ${mutants.length}, of ${rules} rules |
| Killed by rows of the rule, or by the last reads | ${killed} |
| Killed only by rows of other rules | ${killedByOthers} |
| Survived | ${survived} |
| Failing rows of other rules | ${othersInTheMedian} in the median, ${othersAtNinety} at the 90th percentile; ${scopeOf(report)} |
${sweptSection(report.swept ?? [])}
## By rule

${sections.join('\n')}`
}

const scopeOf = ({ all }: MutationReport): string =>
  all ? 'of all rows' : 'of all rows that cite the rule, and a sample of 40 other rows of the operation'

function tableOf(several: readonly ProvenMutant[]): string {
  const lines = several.map((one) => `| ${one.name} | ${one.operation} | ${outcomes[one.outcome](one)} |`)
  return ['| Mutant | Operation | Killed by |', '|---|---|---|', ...lines].join('\n')
}
