import { join } from 'node:path'
import { isJsonObject } from '../../lib/json/json.js'
import { suggestion } from '../../lib/suggest.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { type Matcher, type MatcherName, matcherNames, type ResolvedStep } from '../../record/types/resolved-row.js'
import { ResolveError } from '../resolve/request-template.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Case, Listed, Location, Passage, PassageName, Row, Section, Step, Suite } from '../suite/suite.js'
import { type Finding, FindingList } from '../yaml/findings.js'
import { shownPath } from '../yaml/suite-files.js'
import { checkConsumption } from './check-consumption.js'
import { checkMembers } from './check-members.js'
import { checkRules, type ResolvedViews, type RowViews, resolvedViews } from './coverage.js'
import { checkProfileStatuses } from './lint-profile.js'

/**
 * Errors and warnings of a suite that `loadSuite` accepts, sorted by location.
 * @example lintSuite(suite)[0]?.message // 'the row has no outcome'
 */
export function lintSuite(suite: Suite): Finding[] {
  const findings = new FindingList(suite.texts ?? new Map(), (name) => shownPath(join(suite.folder ?? '', name)))
  for (const check of [checkLineWidth, checkOutline, checkDefaultRules, checkOutcomes, checkMembers])
    check(suite, findings)
  for (const profile of suite.profiles.values()) checkProfileStatuses(profile, findings)
  const views = viewsOf(suite, findings)
  if (views) checkRows(suite, views, findings)
  return findings.sorted()
}

function viewsOf(suite: Suite, findings: FindingList): ResolvedViews | undefined {
  try {
    return resolvedViews(suite)
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error
    findings.addLine(error.source, error.problem, 'an edit needs an existing parent in the base request')
    return undefined
  }
}

function checkRows(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  checkRules(suite, views, findings)
  checkTopology(views.rows, findings)
  for (const resolved of views.suites) checkVacuousExpectations(resolved, findings)
  checkUnusedEntries(suite, views.suites, findings)
  checkConsumption(suite, views.suites, findings)
}

/** Other clients may use the participant. */
function checkTopology(rows: readonly RowViews[], findings: FindingList): void {
  for (const { location, views } of rows) {
    for (const { impact, alone, steps } of views) {
      if (impact !== 'topology') continue
      if (!alone)
        findings.add(location, 'a row with the impact topology must run alone', 'add "serial: true" to its case')
      if (!steps.some(({ role }) => role === 'restore'))
        findings.add(location, 'a row with the impact topology must restore its changes', 'add "restore" to its case')
    }
  }
}

/** Characters. */
const maxWidth = 140

function checkLineWidth({ texts }: Suite, findings: FindingList): void {
  for (const [file, text] of texts ?? []) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const width = [...line].length
      if (width <= maxWidth) continue
      const hint = 'write one member on each line, and a long string as ">-" or quoted with "\\" at the ends of lines'
      const location = { file, line: index + 1, column: maxWidth + 1 }
      findings.warn(location, `the line has ${width} characters; the limit is ${maxWidth}`, hint)
    }
  }
}

/** Such a row does not state whether a conforming participant accepts its request. */
function checkOutcomes({ cases }: Suite, findings: FindingList): void {
  for (const { steps, location } of cases.flatMap(({ rows }) => rows)) {
    if (steps.at(-1)?.outcome) continue
    findings.warn(location, 'the row has no outcome', 'add "outcome" with "accepted" or the situation of the request')
  }
}

function checkDefaultRules(suite: Suite, findings: FindingList): void {
  const reportUnused = (location: Location, whose: string): void =>
    findings.add(location, `no expectation of ${whose} uses these rules`, 'remove them: each expectation names its own')
  for (const suiteCase of suite.cases) {
    const { ownRules, rows } = suiteCase
    const using = rows.filter((row) => usesDefaultRules(suiteCase, row, suite))
    if (ownRules && using.every((row) => row.ownRules !== undefined)) reportUnused(ownRules, 'any row')
    for (const row of rows) if (row.ownRules && !using.includes(row)) reportUnused(row.ownRules, 'this row')
  }
}

function usesDefaultRules({ restore, afterwards }: Case, { steps }: Row, { probes }: Suite): boolean {
  const later = afterwards === undefined ? [] : (probes.get(afterwards)?.afterAcceptance ?? [])
  return [...steps, ...later, ...restore].some(hasExpectationWithoutRules)
}

function hasExpectationWithoutRules({ outcome, race, expect: { headers, body } }: Step): boolean {
  const all = [outcome, ...(headers?.values() ?? []), ...(body?.values() ?? [])]
  return race !== undefined || all.some((one) => one !== undefined && one.rules === undefined)
}

function checkVacuousExpectations({ rows, fixtures }: ResolvedSuite, findings: FindingList): void {
  for (const { steps } of [...rows, ...fixtures]) for (const step of steps) checkStep(step, findings)
}

function checkStep({ expectations, capture }: ResolvedStep, findings: FindingList): void {
  for (const { anyOf, source } of expectations) {
    for (const check of anyOf.flatMap(({ checks }) => checks)) {
      if (check.on !== 'body') continue
      for (const why of vacuousReasons(check.matcher, check.pointer, capture)) {
        const message = `the expectation of "${check.pointer}" cannot fail: ${why}`
        findings.addLine(source, message, 'expect a value that can differ')
      }
    }
  }
}

/** Each value meets these matchers in comparison with itself. */
const reflexive: readonly MatcherName[] = [
  'equals',
  'one-of',
  'same-set',
  'subset-of',
  'superset-of',
  'intersects',
  'includes',
  'at-least',
]

function vacuousReasons(matcher: Matcher, pointer: string, capture: Readonly<Record<string, string>>): string[] {
  const own = Object.entries(capture).flatMap(([variable, from]) => (from === pointer ? [`\${${variable}}`] : []))
  return matcherNames.flatMap((name) => {
    const expected = matcher[name]
    const items = Array.isArray(expected) ? expected : [expected]
    const itself = own.find((variable) => items.includes(variable))
    if (itself !== undefined && reflexive.includes(name)) return [`${itself} is captured from the same place`]
    if (name === 'includes' && isJsonObject(expected) && Object.keys(expected).length === 0)
      return ['every object includes the empty object']
    return []
  })
}

/** Suites without an outline are not checked. */
function checkOutline({ outline, rules, unspecified }: Suite, findings: FindingList): void {
  if (outline.length === 0) return
  const sections = new Map(outline.map((section) => [section.name, section]))
  const passages = [...rules.values(), ...unspecified.values()].flatMap((one) => one.passages)
  for (const passage of passages) checkPassage(passage, sections, findings)
  const named = new Set(passages.map(keyOf))
  for (const section of outline) checkSection(section, named, findings)
}

const keyOf = ({ section, name }: PassageName): string => `${section} > ${name}`

function checkPassage(
  { section, name, location }: Passage,
  sections: ReadonlyMap<string, Section>,
  findings: FindingList,
): void {
  const known = sections.get(section)
  if (!known) {
    findings.add(location, `the outline has no section "${section}"`, suggestion(section, sections.keys()))
  } else if (!known.passages.some((one) => one.name === name)) {
    const names = known.passages.map((one) => one.name)
    findings.add(location, `the section "${section}" has no passage "${name}"`, suggestion(name, names))
  }
}

function checkSection(
  { name, passages, withoutRule }: Section,
  named: ReadonlySet<string>,
  findings: FindingList,
): void {
  for (const one of passages) {
    const isNamed = named.has(keyOf({ section: name, name: one.name }))
    const withReason = withoutRule.get(one.name)
    if (isNamed && withReason) {
      findings.add(
        withReason.location,
        `a rule names "${one.name}" of "${name}"`,
        'remove the passage from "without-rule"',
      )
    } else if (!isNamed && !withReason) {
      const message = `no rule and no unspecified behaviour names "${one.name}" of "${name}"`
      findings.add(one.location, message, 'add one, or give the reason in "without-rule"')
    }
  }
  for (const [missing, { location }] of withoutRule) {
    if (passages.some((one) => one.name === missing)) continue
    const names = passages.map((one) => one.name)
    findings.add(location, `the section "${name}" has no passage "${missing}"`, suggestion(missing, names))
  }
}

function checkUnusedEntries(suite: Suite, resolved: readonly ResolvedSuite[], findings: FindingList): void {
  checkSituations(suite, resolved, findings)
  const report = (kind: string, values: Iterable<Listed>, needed: ReadonlySet<string>): void => {
    for (const { name, location } of values) {
      if (!needed.has(name)) findings.add(location, `no case uses the ${kind} "${name}"`, 'remove it')
    }
  }
  const { fixtures, actors } = neededBy(resolved)
  const probes = new Set(suite.cases.flatMap(({ afterwards }) => afterwards ?? []))
  const steps = unresolvedSteps(suite, probes, fixtures)
  report('fixture', suite.fixtures.values(), fixtures)
  report('request', suite.requests.values(), new Set(steps.map(({ request }) => request)))
  report('probe', suite.probes.values(), probes)
  report('actor', suite.actors.values(), actors)
  report('token', suite.tokens.values(), new Set(steps.flatMap(({ token }) => token ?? [])))
}

function checkSituations(suite: Suite, resolved: readonly ResolvedSuite[], findings: FindingList): void {
  const expectations = resolved.flatMap(({ rows }) => rows.flatMap(({ steps }) => steps.flatMap(expectationsOf)))
  const used = new Set(expectations.flatMap(({ situation }) => situation ?? []))
  for (const { name, location } of suite.situations.values()) {
    if (!used.has(name)) findings.add(location, `no case uses the situation "${name}"`, 'write a case, or remove it')
  }
}

function neededBy(resolved: readonly ResolvedSuite[]): { fixtures: Set<string>; actors: Set<string> } {
  const rows = resolved.flatMap((one) => one.rows)
  const needed = new Set(rows.flatMap(({ fixtures }) => fixtures))
  const created = resolved.flatMap(({ fixtures }) => fixtures.filter(({ name }) => needed.has(name)))
  const calling = new Set([...rows, ...created].flatMap(({ steps }) => steps.map(({ actor }) => actor)))
  // The rights of users name parties.
  const parties = resolved
    .flatMap(({ actors }) => actors.filter(({ name }) => calling.has(name)))
    .flatMap(({ rights }) => rights.flatMap((right) => right.split(' ')[1] ?? []))
  return { fixtures: new Set([...needed, ...parties]), actors: calling }
}

/** Resolved rows contain no names of base requests and tokens. */
function unresolvedSteps(suite: Suite, probes: ReadonlySet<string>, fixtures: ReadonlySet<string>): Step[] {
  const ofCases = suite.cases.flatMap(({ rows, restore }) => [...rows.flatMap(({ steps }) => steps), ...restore])
  const ofProbes = [...suite.probes.values()].filter(({ name }) => probes.has(name))
  const ofFixtures = [...suite.fixtures.values()].filter(({ name }) => fixtures.has(name))
  return [
    ...ofCases,
    ...ofProbes.flatMap(({ before, after, afterAcceptance }) => [...before, ...after, ...afterAcceptance]),
    ...ofFixtures.flatMap(({ steps }) => steps),
  ]
}
