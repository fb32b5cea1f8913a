import { printData } from '../../../lib/print.js'
import { count } from '../../../reports/wording/words.js'
import { coverageOf, isUntested, type Judged, type RuleCoverage } from '../../../runner/lint/coverage.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { matcherOf, NothingSelected, searchOf } from '../../../runner/plan/select.js'
import { recordedRules } from '../../../runner/resolve/recorded-suite.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { type Passages, quotedRules, readPassages } from '../../../runner/text/passages.js'
import { type ExitCode, exitCode } from '../../console/exit-code.js'
import { type TableFlags, tableOf } from '../../console/table.js'
import { suiteSettings } from '../../target/settings.js'

export interface ListRulesFlags extends TableFlags {
  suite?: string
  only?: string
  text?: string
}

export async function listRulesCommand(flags: ListRulesFlags): Promise<ExitCode> {
  const settings = await suiteSettings({ suite: flags.suite })
  const suite = await loadSuite(settings.suite)
  const passages = flags.text === undefined ? undefined : await readPassages(flags.text, suite.text)
  printRules(coverageOf(suite), placesOf(suite, passages), flags)
  return exitCode.conforming
}

/** Heading and position of each passage of a rule, with its sentence if the text is known. */
function placesOf(suite: Suite, passages: Passages | undefined): Places {
  const rules = recordedRules(suite)
  return new Map((passages ? quotedRules(rules, passages) : rules).map((rule) => [rule.id, rule.passages ?? []]))
}

type Places = ReadonlyMap<string, readonly string[]>

function printRules(coverage: readonly RuleCoverage[], places: Places, flags: ListRulesFlags): void {
  const selected = rulesMatching(coverage, flags.only)
  const items = selected.map((covered) => ({ ...ruleItem(covered), passages: places.get(covered.rule.id) ?? [] }))
  const table = tableOf(items, flags)
  if (table === undefined) printLines(selected, places)
  else printData(table)
}

/** Searches the statements if no id, section or operation matches. */
function rulesMatching(coverage: readonly RuleCoverage[], only: string | undefined): readonly RuleCoverage[] {
  const [matches, contains] = [matcherOf(only), searchOf(only)]
  const named = coverage.filter(({ rule }) => [rule.id, rule.section, ...rule.operations].some(matches))
  const selected = named.length > 0 ? named : coverage.filter(({ rule }) => contains(rule.statement))
  if (selected.length > 0) return selected
  throw new NothingSelected(`no rule, section, operation or statement matches ${JSON.stringify(only)}`)
}

const ruleItem = ({ rule, operations }: RuleCoverage) => ({
  id: rule.id,
  strength: rule.strength,
  section: rule.section,
  operations: rule.operations,
  statement: rule.statement,
  untestable: rule.untestable ?? '',
  cases: [...new Set(operations.flatMap((judged) => judged.cases))],
  rows: operations.reduce((sum, judged) => sum + judged.rows, 0),
})

function printLines(selected: readonly RuleCoverage[], places: Places): void {
  for (const covered of selected) {
    const { rule } = covered
    printData(`${rule.id}  [${rule.strength}, ${rule.section}]  ${rule.statement}`)
    for (const place of places.get(rule.id) ?? []) printData(`    ${place}`)
    for (const line of linesOf(covered)) printData(`    ${line}`)
  }
  const testable = selected.filter((covered) => covered.testable).length
  const gaps = selected.flatMap((covered) => covered.operations.filter((judged) => isUntested(covered, judged))).length
  printData(`\n${count(selected.length, 'rule')}, ${testable} testable, ${count(gaps, 'gap')}`)
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
  return `${where}: ${count(judged.rows, 'row')} in ${judged.cases.join(', ')}`
}
