import type { OperationName } from '../../interface/operations.js'
import { implicitRules } from '../resolve/implicit-rules.js'
import type { Rule, Suite } from '../suite/suite.js'
import { failingRules, judgedRules } from './judged-rules.js'
import { type ResolvedViews, type RowViews, resolvedViews } from './resolved-views.js'

/** Undefined: a case of any operation suffices. */
export interface Judged {
  operation: OperationName | undefined
  cases: string[]
  rows: number
  failing: ReadonlyMap<string, number>
  /** Listed in suite.yaml. */
  gap: boolean
}

export interface RuleCoverage {
  rule: Rule
  /** Judges every response. */
  implicit: boolean
  testable: boolean
  operations: Judged[]
}

/** In file order. */
export function coverageOf(suite: Suite, { rows, suites }: ResolvedViews = resolvedViews(suite)): RuleCoverage[] {
  const judging = rowsByRule(rows)
  const profiles = suites.map(({ profile }) => profile.name)
  const implicit = new Set<string>(Object.values(implicitRules))
  return [...suite.rules.values()].map((rule) => {
    const operations = rule.operations.length > 0 ? rule.operations : [undefined]
    return {
      rule,
      implicit: implicit.has(rule.id),
      testable: rule.strength !== 'client' && rule.untestable === undefined,
      operations: operations.map((operation) => judgedIn(rule, operation, judging.get(rule.id) ?? [], suite, profiles)),
    }
  })
}

export const isUntested = ({ implicit, testable }: RuleCoverage, { rows }: Judged): boolean =>
  testable && !implicit && rows === 0

function judgedIn(
  rule: Rule,
  operation: OperationName | undefined,
  rows: readonly RowViews[],
  suite: Suite,
  profiles: readonly string[],
): Judged {
  const here = rows.filter((row) => operation === undefined || row.operation === operation)
  const lists = operation === undefined ? [...suite.gaps.rules.values()] : [suite.gaps.rules.get(operation) ?? []]
  return {
    operation,
    cases: [...new Set(here.map((row) => row.case))],
    rows: here.length,
    failing: new Map(profiles.map((name, index) => [name, failingBy(index, rule, here)])),
    gap: lists.flat().some(({ name }) => name === rule.id),
  }
}

const failingBy = (profile: number, { id }: Rule, rows: readonly RowViews[]): number =>
  rows.filter(({ views }) => {
    const view = views[profile]
    return view !== undefined && failingRules(view).has(id)
  }).length

function rowsByRule(rows: readonly RowViews[]): Map<string, RowViews[]> {
  const judging = new Map<string, RowViews[]>()
  for (const row of rows) {
    for (const rule of new Set(row.views.flatMap((view) => [...judgedRules(view)]))) {
      const known = judging.get(rule)
      if (known) known.push(row)
      else judging.set(rule, [row])
    }
  }
  return judging
}
