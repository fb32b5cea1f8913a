import { firstOf } from '../../lib/first-of.js'
import type { ExchangeRole, RecordedRule, StepReference } from '../../record/types/record.js'
import type { Confidence, Strength } from '../../record/types/resolved-row.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'

/** Symbols that the fonts of every system contain. */
export const verdictIcon: Record<Verdict, string> = {
  fail: '✗',
  error: '!',
  blocked: '■',
  'unexpected-pass': '?',
  warning: '▲',
  excused: '~',
  'follows-the-text': '§',
  'not-applicable': '–',
  pass: '✓',
}

export function verdictLine(counts: VerdictCounts): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}

export const confidenceWords: Record<Confidence, string> = {
  text: 'from the interface text',
  observed: 'observed on a live participant',
  read: 'read in the source code of the reference',
}

export const strengthWords: Record<Strength, string> = {
  must: 'mandatory',
  should: 'recommended',
  may: 'optional',
  client: 'obligation of clients',
}

const profileWords: Record<Strength, string> = {
  must: 'expectation of the profile',
  should: 'recommendation of the profile',
  may: 'option of the profile',
  client: 'obligation of clients',
}

export interface Obligation {
  strength: Strength
  confidence: Confidence
}

/** `mandatory`, or `expectation of the profile, observed on a live participant`: the text does not contain it. */
export const obligation = ({ strength, confidence }: Obligation): string =>
  confidence === 'text' ? strengthWords[strength] : `${profileWords[strength]}, ${confidenceWords[confidence]}`

/** `mandatory, section 2.1` */
export const ruleTag = ({ strength, section }: RecordedRule): string => `${strengthWords[strength]}, section ${section}`

const namedPassages = 2

/** `Table 4.2 (contractId); Table 4.3 (offset); and 3 more` */
export const shortPassages = ({ passages = [] }: { passages?: readonly string[] }): string =>
  firstOf(passages, namedPassages, (left) => `and ${left} more`).join('; ')

export const roleWords: Record<ExchangeRole, string> = {
  arrange: 'arrange',
  'probe-before': 'probe before',
  act: 'request under test',
  'probe-after': 'probe after',
  restore: 'restore',
  'late-check': 'late-effects check',
}

/** The name with the number of a concurrent request; the index of an unknown step. */
export function stepName({ steps }: { steps: readonly { name: string }[] }, { step, attempt }: StepReference): string {
  const name = steps[step]?.name ?? `step ${step}`
  return attempt === undefined ? name : `${name}, attempt ${attempt}`
}

export const isSameExchange = (a: StepReference, b: StepReference): boolean =>
  a.step === b.step &&
  a.role === b.role &&
  (a.attempt === undefined || b.attempt === undefined || a.attempt === b.attempt)
