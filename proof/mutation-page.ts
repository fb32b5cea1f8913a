/** The page docs/mutation-report.md. */
import { type MutationReport, type ProvenMutant, summaryOf } from './mutation-report.js'

const rowsIn = ({ killers }: ProvenMutant): number => Object.values(killers).reduce((sum, rows) => sum + rows, 0)

const outcomes: Readonly<Record<ProvenMutant['outcome'], (one: ProvenMutant) => string>> = {
  killed: (one) => `${rowsIn(one)} rows in ${shortened(Object.keys(one.killers).toSorted())}`,
  'killed-by-others': ({ others }) => `**only rows of other rules**: ${shortened(others)}`,
  survived: () => '**survived**',
}

const shortened = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`

export function mutationPage(report: MutationReport): string {
  const { mutants } = report
  const { killed, killedByOthers, survived, rules, othersInTheMedian, othersAtNinety } = summaryOf(report)
  const sections = [...new Set(mutants.map(({ rule }) => rule))]
    .toSorted()
    .map((rule) => `### ${rule}\n\n${tableOf(mutants.filter((one) => one.rule === rule))}\n`)
  return `# Mutation report

Each line is a mutant: a simulator that breaks one rule. A row kills the mutant if one of its unmet expectations cites the rule.
\`npm run prove\` writes this page. [mutants.md](mutants.md) explains mutants, and \`conform list mutants\` describes each of them.

| | |
|---|---|
| Suite | ${report.suite.version}, ${report.suite.digest.slice(0, 12)} |
| Mutants | ${mutants.length}, of ${rules} rules |
| Killed by rows of the rule | ${killed} |
| Killed only by rows of other rules | ${killedByOthers} |
| Survived | ${survived} |
| Failing rows of other rules | ${othersInTheMedian} in the median, ${othersAtNinety} at the 90th percentile; ${scopeOf(report)} |

## By rule

${sections.join('\n')}`
}

const scopeOf = ({ all }: MutationReport): string =>
  all ? 'of all rows' : 'of all rows that cite the rule, and a sample of 40 other rows of the operation'

function tableOf(several: readonly ProvenMutant[]): string {
  const lines = several.map((one) => `| ${one.name} | ${one.operation} | ${outcomes[one.outcome](one)} |`)
  return ['| Mutant | Operation | Killed by |', '|---|---|---|', ...lines].join('\n')
}
