/** Violations of the text, as divergences that a person can accept. */
import { groupBy } from '../lib/group-by.js'
import { cutText } from '../lib/redaction/redaction.js'
import { countingJudgements, unmetVerdict } from '../record/judgements/counting-judgements.js'
import type { Judgement } from '../record/types/record.js'
import type { ResolvedRow } from '../record/types/resolved-row.js'
import { wantedText } from '../reports/wording/fact-text.js'
import { foundText } from '../reports/wording/reason-words.js'
import type { RowVerdict } from '../runner/judge/judge-row.js'
import { implicitRules } from '../runner/resolve/scope.js'
import { type JudgedRow, type JudgedRun, verdictOf } from './judged-rows.js'
import { describeAnswer, rowsOf } from './learn-situations.js'
import type { Observation, ObservedAnswer } from './observations.js'

export interface ProposedDivergence {
  id: string
  rule: string
  statement: string
  rows: string[]
  /** Outcomes that the divergence explains. */
  situations: { situation: string; answer: ObservedAnswer }[]
}

interface Violation {
  row: string
  rules: string[]
  what: string
  observation?: Observation
}

/** `answers`: violations by outcome. One divergence for each rule, with as few rules as possible. */
export function proposeDivergences(runs: readonly JudgedRun[], answers: readonly Observation[]): ProposedDivergence[] {
  const violations = [
    ...answers.map((observation) => violationOf(observation)),
    ...runs.flatMap(({ run, rows }) => (run.kind === 'record' ? rows.flatMap((row) => violationsIn(row)) : [])),
  ]
  return grouped(violations).map(([rule, group]) => proposal(rule, group))
}

function violationOf(observation: Observation): Violation {
  const { row, rules, situation, answer } = observation
  const broken = answer.status >= 500 ? [implicitRules.noServerError] : rules
  return {
    row,
    rules: broken,
    what: `The participant answers the situation ${situation} with ${describeAnswer(answer)}.`,
    observation,
  }
}

/** The failed judgements by the text, without those that the base profile knows. */
function violationsIn({ observed, base, text }: JudgedRow): Violation[] {
  const byBase = verdictOf(base, observed)
  if (byBase.verdict !== 'fail' && byBase.verdict !== 'warning') return []
  const unmet = brokenBy(text, verdictOf(text, observed)).filter((one) => !isKnown(one, byBase))
  return unmet.map((one) => ({
    row: observed.id,
    rules: one.rules,
    what: `The participant returns ${foundText(one)} in ${[one.subject, one.pointer].filter(Boolean).join(' ')}; the rule expects ${wantedText(one)}.`,
  }))
}

const brokenBy = (resolved: ResolvedRow, { judgements }: RowVerdict): Judgement[] =>
  countingJudgements({ resolved, judgements }).filter(
    (one) => !one.met && one.rules.length > 0 && unmetVerdict(one) === 'fail',
  )

/** The base profile accepts the value, or records a divergence in its place. */
const isKnown = ({ step, subject, pointer }: Judgement, { judgements }: RowVerdict): boolean =>
  !judgements.some(
    (one) =>
      !one.met &&
      one.divergence === undefined &&
      one.step === step &&
      one.subject === subject &&
      isSamePlace(one.pointer, pointer),
  )

/** One profile may judge an object, and the other its members. */
function isSamePlace(one = '', other = ''): boolean {
  const [outer, inner] = one.length < other.length ? [one, other] : [other, one]
  return inner === outer || inner.startsWith(`${outer}/`)
}

/** Repeatedly takes the rule of most rows. */
function grouped(violations: readonly Violation[]): [rule: string, group: Violation[]][] {
  const found: [string, Violation[]][] = []
  let rest = [...violations]
  while (rest.length > 0) {
    const counts = new Map<string, Set<string>>()
    for (const { row, rules } of rest)
      for (const rule of rules) counts.set(rule, (counts.get(rule) ?? new Set()).add(row))
    const [most] = [...counts].toSorted(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    if (!most) break
    const [rule, rows] = most
    found.push([rule, rest.filter((one) => one.rules.includes(rule))])
    rest = rest.filter(({ row }) => !rows.has(row))
  }
  return found
}

/** Characters; the actual value comes from the participant. */
const longestStatement = 300

function proposal(rule: string, group: readonly Violation[]): ProposedDivergence {
  const observations = group.flatMap(({ observation }) => observation ?? [])
  const situations = [...groupBy(observations, ({ situation }) => situation)].flatMap(([situation, [first]]) =>
    first ? [{ situation, answer: first.answer }] : [],
  )
  const [first] = group
  const [named] = situations
  return {
    id: named ? idOf(named.situation, named.answer) : `${rule}-BROKEN`,
    rule,
    statement: cutText(first?.what ?? '', longestStatement),
    rows: rowsOf(group),
    situations,
  }
}

function idOf(situation: string, { outcome, status }: ObservedAnswer): string {
  const name = situation.toUpperCase()
  if (outcome === 'accepted') return `${name}-ACCEPTED`
  return status >= 500 ? `SERVER-ERROR-FOR-${name}` : `${name}-REFUSED`
}
