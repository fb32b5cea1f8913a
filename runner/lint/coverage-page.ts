import type { Strength } from '../../record/types/resolved-row.js'
import type { Rule, Suite, UnspecifiedBehaviour } from '../suite/suite.js'
import type { Passages } from '../text/passages.js'
import {
  coverageOf,
  isUntested,
  type Judged,
  judgedRules,
  type RowViews,
  type RuleCoverage,
  resolvedViews,
} from './coverage.js'

const strengths: readonly Strength[] = ['must', 'should', 'may', 'client']

/** With the passages of the interface text, quotes their sentences. */
export function coveragePage(suite: Suite, passages?: Passages): string {
  const views = resolvedViews(suite)
  const coverage = coverageOf(suite, views)
  const parts = [
    '# Coverage',
    'Generated from the suite files by `npm run docs:coverage`. `npm run check` reports an outdated page. After a merge conflict, generate it again.',
    ...numbers(suite, coverage),
    ...rulesBySection(suite, coverage),
    ...caseTables(suite, views.rows),
    ...secondErrors(suite),
    ...unspecifiedBehaviours([...suite.unspecified.values()]),
    ...passageByPassage(suite, passages),
  ]
  return `${parts.join('\n\n')}\n`
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

function numbers(suite: Suite, coverage: readonly RuleCoverage[]): string[] {
  const line = (name: string, rules: readonly Rule[]): string[] => [
    name,
    ...strengths.map((strength) => count(rules.filter((rule) => rule.strength === strength))),
    count(rules.filter(({ untestable }) => untestable !== undefined)),
  ]
  const rules = coverage.map(({ rule }) => rule)
  const bySection = sectionsOf(suite, coverage).map(([name, covered]) =>
    line(
      name,
      covered.map(({ rule }) => rule),
    ),
  )
  return [
    '## Rules by section and strength',
    table(['section', ...strengths, 'of these untestable'], [...bySection, line('**all**', rules)]),
    '## Rules by operation',
    table(['operation', 'testable rules', 'gaps: rules without a case'], byOperation(coverage)),
  ]
}

const count = (items: readonly unknown[]): string => (items.length === 0 ? '' : String(items.length))

function byOperation(coverage: readonly RuleCoverage[]): string[][] {
  const testable = coverage.filter((covered) => covered.testable)
  const names = new Set(testable.flatMap(({ operations }) => operations.map(({ operation }) => operation)))
  return [...names].map((name) => {
    const here = testable.flatMap((covered) =>
      covered.operations.filter(({ operation }) => operation === name).map((judged) => ({ covered, judged })),
    )
    const missing = here.filter(({ covered, judged }) => isUntested(covered, judged))
    return [name ?? 'any', String(here.length), count(missing)]
  })
}

function sectionsOf({ outline }: Suite, coverage: readonly RuleCoverage[]): [string, RuleCoverage[]][] {
  const names = new Set([...outline.map(({ name }) => name), ...coverage.map(({ rule }) => rule.section)])
  return [...names]
    .map((name): [string, RuleCoverage[]] => [name, coverage.filter(({ rule }) => rule.section === name)])
    .filter(([, covered]) => covered.length > 0)
}

function rulesBySection(suite: Suite, coverage: readonly RuleCoverage[]): string[] {
  const profiles = [...suite.profiles.keys()]
  const sections = sectionsOf(suite, coverage).flatMap(([name, covered]) => [
    `### ${name}`,
    table(
      ['rule', 'strength', 'statement', 'cases (rows)', ...profiles.map((name) => `can fail under ${name}`)],
      covered.map((one) => [
        one.rule.id,
        one.rule.strength,
        statementOf(one.rule),
        judgedBy(one),
        ...profiles.map((name) => failingBy(one, name)),
      ]),
    ),
  ])
  return [
    '## Rules and their cases',
    'The last columns count the rows that can fail the rule under each profile. Behaviour that the text leaves open cannot fail under the profile `interface`. A difference from a fact that was only read in source code is a warning.',
    ...sections,
  ]
}

const statementOf = ({ statement, factOf }: Rule): string =>
  factOf === undefined ? statement : `${statement} (Not in the interface text: a fact of ${factOf}.)`

function failingBy({ rule, implicit, operations }: RuleCoverage, profile: string): string {
  if (rule.strength === 'client' || rule.untestable !== undefined || implicit) return ''
  return operations.map(({ failing }) => String(failing.get(profile) ?? 0)).join('<br>')
}

function judgedBy(covered: RuleCoverage): string {
  const { rule, implicit, operations } = covered
  if (rule.strength === 'client') return 'client obligation'
  if (rule.untestable !== undefined) return `untestable: ${rule.untestable}`
  if (implicit) return 'checked on every response'
  const hasSeveral = operations.length > 1
  return operations.map((judged) => judgedIn(covered, judged, hasSeveral)).join('<br>')
}

function judgedIn(covered: RuleCoverage, judged: Judged, hasSeveral: boolean): string {
  const where = hasSeveral ? `${judged.operation ?? 'any'}: ` : ''
  if (isUntested(covered, judged)) return `${where}**gap**`
  return `${where}${judged.cases.join(', ')} (${judged.rows})`
}

function caseTables(suite: Suite, rows: readonly RowViews[]): string[] {
  const tables = [...casesByOperation(suite, rows)].flatMap(([operation, cases]) => [
    `### ${operation}`,
    table(caseHeads, cases),
  ])
  return ['## Cases and their rules', ...tables]
}

function secondErrors({ cases }: Suite): string[] {
  const rows = cases.flatMap(({ id, besides, rows }) =>
    besides === undefined ? [] : [[id, String(rows.length), besides]],
  )
  if (rows.length === 0) return []
  return [
    '## Requests with a second error',
    'Under `interface`, rejections are indistinguishable, so a rejection of these requests proves nothing about their rules. These rows fail only if the request is accepted. Profiles that define each rejection distinguish the errors.',
    table(['case', 'rows', 'second error'], rows),
  ]
}

function unspecifiedBehaviours(behaviours: readonly UnspecifiedBehaviour[]): string[] {
  if (behaviours.length === 0) return []
  const rows = behaviours.map(({ id, question, filledBy, answer }) => [id, question, filledBy ?? 'none', answer ?? ''])
  return ['## Unspecified behaviour', table(['id', 'subject', 'defined by', 'definition'], rows)]
}

function passageByPassage({ outline, text, rules, unspecified }: Suite, quotes?: Passages): string[] {
  const naming = new Map<string, string[]>()
  for (const { id, passages } of [...rules.values(), ...unspecified.values()]) {
    for (const { section, name } of passages) {
      const key = `${section} > ${name}`
      naming.set(key, [...(naming.get(key) ?? []), id])
    }
  }
  const sections = outline.flatMap(({ name, passages, withoutRule }, section) => [
    `### ${section + 1}. ${name}`,
    table(
      ['', 'passage', 'rules and unspecified behaviours', ...(quotes ? ['sentence'] : [])],
      passages.map(({ name: passage }, index) => {
        const reason = withoutRule.get(passage)?.reason ?? ''
        const named = naming.get(`${name} > ${passage}`)?.join(', ') ?? `none: ${reason}`
        const sentence = quotes ? [quotes.get(`${name} > ${passage}`) ?? ''] : []
        return [`${section + 1}.${index + 1}`, passage, named, ...sentence]
      }),
    ),
  ])
  const source = text ? [`${text.title} (${text.version}), SHA-256 \`${text.digest}\``] : []
  return outline.length === 0 ? [] : ['## Interface text, passage by passage', ...source, ...sections]
}

const caseHeads: readonly string[] = ['case', 'title', 'rows', 'rules']

function casesByOperation({ cases }: Suite, rows: readonly RowViews[]): Map<string, string[][]> {
  const tables = new Map<string, string[][]>()
  for (const { id, title, operation, rows: own } of cases) {
    const views = rows.filter((row) => row.case === id && row.operation === operation).flatMap((row) => row.views)
    const rules = [...new Set(views.flatMap((view) => [...judgedRules(view)]))].sort()
    const line = [id, title, String(own.length), rules.join(', ')]
    tables.set(operation, [...(tables.get(operation) ?? []), line])
  }
  return tables
}
