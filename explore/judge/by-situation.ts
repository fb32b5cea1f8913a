/** What to make of two answers of which one at least is a refusal: which situation of the suite the request is in, and what the text says of that. */
import type { Answer } from '../../runner/judge/answer.js'
import { isMet, type Stance, type Witness } from './expected-outcomes.js'
import type { Ruling } from './finding.js'

export const mostNamed = 4

export interface Said {
  model: Answer
  target: Answer
  isAccepted: boolean
  because: string
}

/** `stances`: those that a request of this form can have; `features`: of the request. */
export function bySituation(
  stances: readonly Stance[],
  features: ReadonlySet<string>,
  said: Said,
  isText: boolean,
): Ruling | 'permitted' {
  const { model, target, isAccepted, because } = said
  const met = stances.filter(({ profile }) => isMet(profile, model))
  const permitting = met.filter(({ profile }) => isMet(profile, target))
  if (met.length > 0 && permitting.length === met.length && !isText) return 'permitted'
  const breaking = met.filter(({ text }) => !isMet(text, target))
  const isBroken = met.length > 0 && breaking.length === met.length
  if (isBroken) return { kind: 'breaks-rule', rules: mostCommon(rowsFor(breaking, features)), because }
  if (isText) return 'permitted'
  const rows = isAccepted ? telling(breaking, features) : deciding(met, breaking, features)
  if (rows.length > 0) return { kind: 'breaks-rule', rules: mostCommon(rows), because }
  return {
    kind: 'text-is-silent',
    because: isAccepted
      ? 'the text does not decide whether this is accepted'
      : 'the text does not decide how this is answered; the profile does',
  }
}

/** Rows whose request has nothing that this one has not. */
const recognised = (stances: readonly Stance[], features: ReadonlySet<string>): Witness[] =>
  stances.flatMap(({ rows }) => rows.filter(({ unusual }) => unusual.every((feature) => features.has(feature))))

/** The most unusual of those that are recognised; all of them where none is. */
function rowsFor(stances: readonly Stance[], features: ReadonlySet<string>): Witness[] {
  const known = recognised(stances, features)
  const most = Math.max(...known.map(({ unusual }) => unusual.length))
  return known.length > 0 ? known.filter(({ unusual }) => unusual.length === most) : stances.flatMap(({ rows }) => rows)
}

/** What has to be refused in one row has to be in whatever has the same about it. */
const telling = (breaking: readonly Stance[], features: ReadonlySet<string>): Witness[] =>
  recognised(breaking, features).some(({ unusual }) => unusual.length > 0) ? rowsFor(breaking, features) : []

/** Members that are there or not, of whatever value; what else is unusual where that is not; how it asks where nothing is. */
function characteristic({ unusual, own }: Witness): readonly string[] {
  const members = unusual.filter((feature) => /^\/[^/=]*$/.test(feature))
  if (members.length > 0) return members
  return unusual.length > 0 ? unusual : own
}

/** No row that leaves room for the answer of the target is recognised. */
function deciding(met: readonly Stance[], breaking: readonly Stance[], features: ReadonlySet<string>): Witness[] {
  const open = met.filter((stance) => !breaking.includes(stance)).flatMap(({ rows }) => rows)
  const isOpen = open.some((row) => characteristic(row).every((feature) => features.has(feature)))
  return !isOpen && recognised(breaking, features).length > 0 ? rowsFor(breaking, features) : []
}

/** Those that most rows say. */
function mostCommon(rows: readonly Witness[]): string[] {
  const counts = new Map<string, number>()
  for (const rule of rows.flatMap(({ rules }) => rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostNamed)
    .map(([rule]) => rule)
}
