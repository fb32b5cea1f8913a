import type { OperationName } from '../../interface/operations.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { resolveSuite } from '../resolve/resolve-suite.js'
import { implicitRules } from '../resolve/scope.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Location, Rule, Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'

/** Undefined: a case of any operation suffices. */
export interface Judged {
  operation: OperationName | undefined
  cases: string[]
  rows: number
}

export interface RuleCoverage {
  rule: Rule
  /** Judges every response. */
  implicit: boolean
  testable: boolean
  operations: Judged[]
}

/** In file order. */
export function coverageOf(suite: Suite, { rows }: ResolvedViews = resolvedViews(suite)): RuleCoverage[] {
  const judging = rowsByRule(rows)
  const implicit = new Set<string>(Object.values(implicitRules))
  return [...suite.rules.values()].map((rule) => {
    const operations = rule.operations.length > 0 ? rule.operations : [undefined]
    return {
      rule,
      implicit: implicit.has(rule.id),
      testable: rule.strength !== 'client' && rule.untestable === undefined,
      operations: operations.map((operation) => judgedIn(operation, judging.get(rule.id) ?? [])),
    }
  })
}

export const isUntested = ({ implicit, testable }: RuleCoverage, { rows }: Judged): boolean =>
  testable && !implicit && rows === 0

function judgedIn(operation: OperationName | undefined, rows: readonly RowViews[]): Judged {
  const here = rows.filter((row) => operation === undefined || row.operation === operation)
  return { operation, cases: [...new Set(here.map((row) => row.case))], rows: here.length }
}

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

const judgedRules = (row: ResolvedRow): Set<string> =>
  new Set(
    judgingSteps(row)
      .flatMap(expectationsOf)
      .flatMap(({ kind, rules }) => (isImplicit(kind) ? [] : rules)),
  )

/** Steps before the one under test only prepare the row. */
function judgingSteps(row: ResolvedRow): ResolvedStep[] {
  const outcomes: ReadonlySet<string> = outcomesOf(row)
  return row.steps.filter(
    ({ role, sentWhen }) =>
      role === 'act' || (role === 'probe-after' && (sentWhen === undefined || outcomes.has(sentWhen))),
  )
}

/** A wrong outcome of a probe only blocks the row. */
const failuresWithoutRule = (row: ResolvedRow | undefined): ResolvedExpectation[] =>
  (row?.steps ?? []).flatMap(({ role, expectations }) =>
    expectations.filter(
      (one) =>
        one.rules.length === 0 &&
        !isImplicit(one.kind) &&
        (role === 'act' || (role === 'probe-after' && one.kind !== 'outcome')) &&
        !isOpen(one),
    ),
  )

const isOpen = ({ kind, anyOf }: ResolvedExpectation): boolean =>
  kind === 'outcome' && ['accepted', 'refused'].every((one) => anyOf.some(({ outcome }) => outcome === one))

function outcomesOf({ steps }: ResolvedRow): Set<'accepted' | 'refused'> {
  const tested = steps.flatMap(({ role, expectations }) => (role === 'act' ? expectations : []))
  const known = tested.flatMap(({ anyOf }) => anyOf.flatMap(({ outcome }) => outcome ?? []))
  return new Set(known.length > 0 ? known : ['accepted', 'refused'])
}

const isImplicit = (kind: ResolvedExpectation['kind']): boolean =>
  kind === 'server-error' || kind === 'shape' || kind === 'effects'

/** One view for each profile. */
export interface RowViews {
  case: string
  operation: string
  location: Location
  views: ResolvedRow[]
}

export interface ResolvedViews {
  suites: ResolvedSuite[]
  /** In file order. */
  rows: RowViews[]
}

/** Throws `ResolveError`. */
export function resolvedViews(suite: Suite): ResolvedViews {
  const suites = [...suite.profiles.values()].map((profile) => resolveSuite(suite, profile))
  const byId = suites.map(({ rows }) => new Map(rows.map((row) => [row.id, row])))
  const rows = suite.cases.flatMap(({ id, operation, rows: ofCase }) =>
    ofCase.map((row): RowViews => {
      const views = byId.flatMap((known) => known.get(`${id}/${row.id}`) ?? [])
      return { case: id, operation, location: row.location, views }
    }),
  )
  return { suites, rows }
}

function checkFailuresWithoutRule({ profiles }: Suite, { rows }: ResolvedViews, findings: FindingList): void {
  for (const [index, profile] of [...profiles.values()].entries()) {
    if (profile.basis !== 'text' || profile.line !== undefined) continue
    const judging = rows.filter(({ views }) => views.some((view) => judgedRules(view).size > 0))
    const lines = new Set(judging.flatMap(({ views }) => failuresWithoutRule(views[index])).map(({ source }) => source))
    for (const line of lines) {
      const message = `under the profile "${profile.name}", a row can fail here without breaking a rule`
      findings.addLine(line, message, 'name a rule of the text, or leave the value open in that profile')
    }
  }
}

export function checkRules(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  for (const covered of coverageOf(suite, views)) {
    for (const judged of covered.operations) checkCoverage(covered, judged, findings)
  }
  for (const row of views.rows) {
    if (row.views.some((view) => judgedRules(view).size > 0)) continue
    findings.add(row.location, 'this row judges no rule', 'name at least one in "rules"')
  }
  checkFailuresWithoutRule(suite, views, findings)
}

function checkCoverage(covered: RuleCoverage, judged: Judged, findings: FindingList): void {
  const { rule, testable } = covered
  const [first] = judged.cases
  if (!testable && first !== undefined) {
    const why = rule.strength === 'client' ? 'binds only clients' : 'is marked untestable'
    const message = `the rule "${rule.id}" ${why}, but the case "${first}" judges it`
    findings.add(rule.location, message, 'correct the rule or the case')
  }
  if (!isUntested(covered, judged)) return
  const where = judged.operation === undefined ? '' : ` in ${judged.operation}`
  const message = `no case judges the rule "${rule.id}"${where}`
  findings.add(rule.location, message, 'write a case, or give the reason in "untestable"')
}
