import { join } from 'node:path'
import { suggestion } from '../../lib/suggest.js'
import { type Matcher, type MatcherName, matcherNames, type ResolvedStep } from '../../record/types/resolved-row.js'
import { ResolveError } from '../resolve/resolve-error.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Case, Passage, Row, Section, Step, Suite } from '../suite/suite.js'
import { FindingList } from '../yaml/finding-list.js'
import type { Finding } from '../yaml/findings.js'
import { shownPath } from '../yaml/suite-files.js'
import { checkRules } from './check-rules.js'
import { checkProfileStatuses, checkStepStatuses } from './check-statuses.js'
import { checkUnusedEntries } from './check-unused.js'
import { type ResolvedViews, type RowViews, resolvedViews } from './resolved-views.js'

/**
 * What is wrong with a suite that can be run nevertheless: what it forgets of the interface, what it holds that nothing
 * needs, and expectations that let through more than the rules do.
 */
export function lintSuite(suite: Suite): Finding[] {
  const findings = new FindingList(suite.texts ?? new Map(), (name) => shownPath(join(suite.folder ?? '', name)))
  for (const check of [checkLineWidth, checkOutline, checkDefaultRules]) check(suite, findings)
  for (const profile of suite.profiles.values()) checkProfileStatuses(profile, findings)
  const views = viewsOf(suite, findings)
  if (views) checkRows(suite, views, findings)
  return findings.sorted()
}

/** Undefined, and a finding, where a request cannot be made: then nothing more can be said of rows. */
function viewsOf(suite: Suite, findings: FindingList): ResolvedViews | undefined {
  try {
    return resolvedViews(suite)
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error
    findings.addLine(error.source, error.problem, 'an edit must lead to where the base request has something')
    return undefined
  }
}

function checkRows(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  checkRules(suite, views, findings)
  checkTopology(views.rows, findings)
  for (const resolved of views.suites) {
    checkIdleExpectations(resolved, findings)
    checkStepStatuses(resolved, findings)
  }
  checkUnusedEntries(suite, views.suites, findings)
}

/** Rows that change vetting run alone and put back what they change: others may be using the same participant. */
function checkTopology(rows: readonly RowViews[], findings: FindingList): void {
  for (const { location, views } of rows) {
    for (const { impact, alone, steps } of views) {
      if (impact !== 'topology') continue
      if (!alone)
        findings.add(location, 'a row of the impact topology must run alone', 'say "serial: true" in its case')
      if (!steps.some(({ role }) => role === 'restore'))
        findings.add(location, 'a row of the impact topology must put back what it changes', 'say how in "restore"')
    }
  }
}

/** Longer lines are hard to read in an editor, and so is what differs in them. */
const maxWidth = 140

/** Lines of suite files that nobody reads to their end. */
function checkLineWidth({ texts }: Suite, findings: FindingList): void {
  for (const [file, text] of texts ?? []) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const width = [...line].length
      if (width <= maxWidth) continue
      const hint =
        'write maps and lists one member to a line, and a long text as ">-", or quoted with "\\" at the ends of lines'
      findings.add(
        { file, line: index + 1, column: maxWidth + 1 },
        `the line has ${width} characters, and ${maxWidth} are the limit`,
        hint,
      )
    }
  }
}

/** Rules that a case or a row names for expectations without rules of their own, where there are no such expectations. */
function checkDefaultRules(suite: Suite, findings: FindingList): void {
  for (const suiteCase of suite.cases) {
    const { rules, rows } = suiteCase
    const taking = rows.filter((row) => takesDefault(suiteCase, row, suite))
    if (rules && taking.every(({ ownRules }) => ownRules !== undefined)) {
      findings.add(rules.location, 'no expectation of any row takes these rules', 'take them out: each names its own')
    }
    for (const row of rows) {
      if (!row.ownRules || taking.includes(row)) continue
      findings.add(row.ownRules, 'no expectation of this row takes these rules', 'take them out: each names its own')
    }
  }
}

function takesDefault({ restore, afterwards }: Case, { steps }: Row, { probes }: Suite): boolean {
  const later = afterwards === undefined ? [] : (probes.get(afterwards)?.afterAcceptance ?? [])
  return [...steps, ...later, ...restore].some(hasExpectationWithoutRules)
}

function hasExpectationWithoutRules({ outcome, race, expect: { status, headers, body } }: Step): boolean {
  const all = [outcome, status, ...(headers?.values() ?? []), ...(body?.values() ?? [])]
  return race !== undefined || all.some((one) => one !== undefined && one.rules === undefined)
}

/** Expectations that are met whatever the target answers. */
function checkIdleExpectations({ rows, fixtures }: ResolvedSuite, findings: FindingList): void {
  for (const { steps } of [...rows, ...fixtures]) for (const step of steps) checkStep(step, findings)
}

function checkStep({ expectations, capture }: ResolvedStep, findings: FindingList): void {
  for (const { anyOf, source } of expectations) {
    for (const check of anyOf.flatMap(({ checks }) => checks)) {
      if (check.on !== 'body') continue
      for (const why of idle(check.matcher, check.pointer, capture)) {
        const message = `the expectation of "${check.pointer}" cannot fail: ${why}`
        findings.addLine(source, message, 'say what it really has to be')
      }
    }
  }
}

/** Matchers that every value meets which is compared with itself. */
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

function idle(matcher: Matcher, pointer: string, capture: Readonly<Record<string, string>>): string[] {
  const own = Object.entries(capture).flatMap(([variable, from]) => (from === pointer ? [`\${${variable}}`] : []))
  return matcherNames.flatMap((name) => {
    const wanted = matcher[name]
    const items = Array.isArray(wanted) ? wanted : [wanted]
    const itself = own.find((variable) => items.includes(variable))
    if (itself !== undefined && reflexive.includes(name)) return [`${itself} is taken from just there`]
    if (name === 'includes' && isEmptyObject(wanted)) return ['every object has no members at least']
    return []
  })
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

/**
 * Rules and unspecified behaviours name passages that the text of the interface has, and every passage of it is named by one of them or
 * has a reason why it is not. A suite without an outline has nothing to be held against.
 */
function checkOutline({ outline, rules, unspecified }: Suite, findings: FindingList): void {
  if (outline.length === 0) return
  const sections = new Map(outline.map((section) => [section.name, section]))
  const passages = [...rules.values(), ...unspecified.values()].flatMap((one) => one.passages)
  for (const passage of passages) checkPassage(passage, sections, findings)
  const named = new Set(passages.map(keyOf))
  for (const section of outline) checkSection(section, named, findings)
}

const keyOf = ({ section, name }: Pick<Passage, 'section' | 'name'>): string => `${section} > ${name}`

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
    const excused = withoutRule.get(one.name)
    if (isNamed && excused) {
      findings.add(excused.location, `a rule names "${one.name}" of "${name}"`, 'take the reason why none does away')
    } else if (!isNamed && !excused) {
      const message = `no rule and no unspecified behaviour names "${one.name}" of "${name}"`
      findings.add(one.location, message, 'write one, or say in "without-rule" why none has to')
    }
  }
  for (const [missing, { location }] of withoutRule) {
    if (passages.some((one) => one.name === missing)) continue
    const names = passages.map((one) => one.name)
    findings.add(location, `the section "${name}" has no passage "${missing}"`, suggestion(missing, names))
  }
}
