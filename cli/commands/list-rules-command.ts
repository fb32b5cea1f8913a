/** `conform list rules`: prints the rules and their cases, as lines or as the page docs/coverage.md. */
import { inputReason } from '../../lib/files/input-error.js'
import { readInputText } from '../../lib/files/read-input.js'
import { printData, printError } from '../../lib/print.js'
import { coverageOf, isUntested, type Judged, type RuleCoverage } from '../../runner/lint/coverage.js'
import { coveragePage } from '../../runner/lint/coverage-page.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { matcherOf, NothingSelected } from '../../runner/plan/select.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { suitePath } from '../tool/tool.js'

export interface ListRulesFlags {
  suite?: string
  only?: string
  /** Print the page. */
  markdown?: true
  /** Compare the page with this file. */
  current?: string
}

export async function listRulesCommand(flags: ListRulesFlags): Promise<ExitCode> {
  const suite = await loadSuite(suitePath(flags.suite))
  if (flags.current !== undefined) return isCurrent(flags.current, () => coveragePage(suite))
  if (flags.markdown) printData(coveragePage(suite).trimEnd())
  else printLines(coverageOf(suite), flags.only)
  return exitCode.conforming
}

async function isCurrent(file: string, page: () => string): Promise<ExitCode> {
  const problem = await readInputText(file, 'a page').then(
    (text) => (text === page() ? undefined : 'is not current'),
    (error: unknown) => `cannot be read (${inputReason(error)})`,
  )
  if (problem === undefined) return exitCode.conforming
  printError(`${file} ${problem}: run npm run docs:coverage`)
  return exitCode.usage
}

function printLines(coverage: readonly RuleCoverage[], only: string | undefined): void {
  const matches = matcherOf(only)
  const selected = coverage.filter(({ rule }) => [rule.id, rule.section, ...rule.operations].some(matches))
  if (selected.length === 0) throw new NothingSelected(`no rule, section or operation matches ${JSON.stringify(only)}`)
  for (const covered of selected) {
    const { rule } = covered
    printData(`${rule.id}  [${rule.strength}, ${rule.section}]  ${rule.statement}`)
    for (const line of linesOf(covered)) printData(`    ${line}`)
  }
  const testable = selected.filter((covered) => covered.testable).length
  const gaps = selected.flatMap((covered) => covered.operations.filter((judged) => isUntested(covered, judged))).length
  printData(`\n${selected.length} rules, ${testable} testable, ${gaps} gaps`)
}

function linesOf(covered: RuleCoverage): string[] {
  const { rule, implicit, operations } = covered
  if (rule.strength === 'client') return ['client obligation: not testable on a participant']
  if (rule.untestable !== undefined) return [`untestable: ${rule.untestable}`]
  if (implicit) return ['checked on every response']
  return operations.map((judged) => lineOf(covered, judged))
}

function lineOf(covered: RuleCoverage, judged: Judged): string {
  const where = judged.operation ?? 'any operation'
  if (isUntested(covered, judged)) return `${where}: gap, no case exists`
  return `${where}: ${judged.rows} ${judged.rows === 1 ? 'row' : 'rows'} in ${judged.cases.join(', ')}`
}
