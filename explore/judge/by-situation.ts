/** Judges two answers, at least one an error, by the situations of the request. */
import type { Answer } from '../../runner/judge/answer.js'
import { type ExpectedOutcome, isMet, type SituationRow } from './expected-outcomes.js'
import type { Ruling } from './finding.js'

export const mostRules = 4

export interface ComparedAnswers {
  reference: Answer
  target: Answer
  isAccepted: boolean
  because: string
}

/** `outcomes`: those possible for the form of the request. */
export function judgeBySituation(
  outcomes: readonly ExpectedOutcome[],
  features: ReadonlySet<string>,
  answers: ComparedAnswers,
  isText: boolean,
): Ruling | 'permitted' {
  const { reference, target, isAccepted, because } = answers
  const met = outcomes.filter(({ profile }) => isMet(profile, reference))
  const permitting = met.filter(({ profile }) => isMet(profile, target))
  if (met.length > 0 && permitting.length === met.length && !isText) return 'permitted'
  const breaking = met.filter(({ text }) => !isMet(text, target))
  const isBroken = met.length > 0 && breaking.length === met.length
  if (isBroken) return { kind: 'breaks-rule', rules: mostCommon(rowsFor(breaking, features)), because }
  if (isText) return 'permitted'
  const rows = isAccepted ? rowsAgainst(breaking, features) : decidingRows(met, breaking, features)
  if (rows.length > 0) return { kind: 'breaks-rule', rules: mostCommon(rows), because }
  return {
    kind: 'text-is-silent',
    because: isAccepted
      ? 'the text does not decide whether this request is accepted'
      : 'the text does not decide the answer, but the profile does',
  }
}

const matchingRows = (outcomes: readonly ExpectedOutcome[], features: ReadonlySet<string>): SituationRow[] =>
  outcomes.flatMap(({ rows }) => rows.filter(({ unusual }) => unusual.every((feature) => features.has(feature))))

/** Rows with the most unusual features, or all rows if none match. */
function rowsFor(outcomes: readonly ExpectedOutcome[], features: ReadonlySet<string>): SituationRow[] {
  const matching = matchingRows(outcomes, features)
  const most = Math.max(...matching.map(({ unusual }) => unusual.length))
  return matching.length > 0
    ? matching.filter(({ unusual }) => unusual.length === most)
    : outcomes.flatMap(({ rows }) => rows)
}

/** Rows that require an error for an unusual feature of the request. */
const rowsAgainst = (breaking: readonly ExpectedOutcome[], features: ReadonlySet<string>): SituationRow[] =>
  matchingRows(breaking, features).some(({ unusual }) => unusual.length > 0) ? rowsFor(breaking, features) : []

function characteristic({ unusual, rare }: SituationRow): readonly string[] {
  const members = unusual.filter((feature) => /^\/[^/=]*$/.test(feature))
  if (members.length > 0) return members
  return unusual.length > 0 ? unusual : rare
}

/** Empty if the request resembles a row that permits the target's answer. */
function decidingRows(
  met: readonly ExpectedOutcome[],
  breaking: readonly ExpectedOutcome[],
  features: ReadonlySet<string>,
): SituationRow[] {
  const open = met.filter((outcome) => !breaking.includes(outcome)).flatMap(({ rows }) => rows)
  const isOpen = open.some((row) => characteristic(row).every((feature) => features.has(feature)))
  return !isOpen && matchingRows(breaking, features).length > 0 ? rowsFor(breaking, features) : []
}

function mostCommon(rows: readonly SituationRow[]): string[] {
  const counts = new Map<string, number>()
  for (const rule of rows.flatMap(({ rules }) => rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostRules)
    .map(([rule]) => rule)
}
