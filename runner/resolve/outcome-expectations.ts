/** What is expected of an answer as a whole: that the request is accepted or refused, as the profile says of its situation. */
import type { Alternative, Confidence, ResolvedExpectation, Strength } from '../../record/resolved-row.js'
import { accepted, type Expected, type SituationFact } from '../suite/suite.js'
import { implicitRules } from './implicit-rules.js'
import { lookByText, lookOf, plainLook } from './looks.js'
import { type ExpectationScope, lineOf, rulesOf, strongest } from './scope.js'
import { basisOf } from './words.js'

/** Where the profile was only read, what the text says stands on its own. */
export function outcomeExpectations(outcome: Expected<string>, scope: ExpectationScope): ResolvedExpectation[] {
  const { profile } = scope
  const situation = outcome.what
  const common = {
    kind: 'outcome',
    rules: rulesOf(outcome, scope),
    situation,
    source: lineOf(outcome.location),
  } as const
  const expected = (confidence: Confidence, anyOf: Alternative[]): ResolvedExpectation => ({
    ...common,
    strength: strengthOf(common.rules, anyOf, scope),
    confidence,
    anyOf,
    ...besidesOf(anyOf, scope),
  })
  const fact = profile.situations.get(situation)
  if (situation === accepted || !fact) {
    const way = situation === accepted ? 'accepted' : 'refused'
    const { confidence } = profile[way]
    const byText = confidence === 'read' ? [expected('text', [lookByText(way)])] : []
    return [...byText, { ...expected(confidence, [plainLook(way, profile)]), ...statusBasis(profile) }]
  }
  const several = fact.alternatives.length > 1
  const known = expected(
    fact.confidence,
    fact.alternatives.map((look) => lookOf(look, several, profile)),
  )
  const divergence = fact.divergence !== undefined && { divergence: fact.divergence }
  const byText = isPlainRefusal(fact) && fact.confidence === 'read' ? [expected('text', [lookByText('refused')])] : []
  return [...byText, { ...known, basis: withStatuses(basisOf(fact), profile), ...divergence }]
}

/** Of refusals that look alike nobody can say what they are for, nor of those that are as right as to be accepted. */
const besidesOf = (anyOf: readonly Alternative[], { besides, profile }: ExpectationScope): { besides?: string } => {
  const isOpen = new Set(anyOf.map((one) => one.outcome)).size > 1
  return besides !== undefined && (profile.basis === 'text' || isOpen) ? { besides } : {}
}

/** That success and refusal are statuses of certain classes is nothing that the text says. */
const statusBasis = ({ basis, statusesBy }: ExpectationScope['profile']): { basis?: string } =>
  basis === 'text' && statusesBy !== undefined ? { basis: statusesBy } : {}

const withStatuses = (basis: string, profile: ExpectationScope['profile']): string =>
  [basis, statusBasis(profile).basis].filter((one) => one !== undefined).join('; ')

/** What the text refuses as well, unless just this is said to be different. */
const isPlainRefusal = ({ divergence, alternatives }: SituationFact): boolean =>
  divergence === undefined && alternatives.every(({ outcome }) => outcome === 'refused')

/** To accept what nothing stands against is never less than a must, however weak the rule is that the row is about. */
const strengthOf = (rules: readonly string[], anyOf: readonly Alternative[], scope: ExpectationScope): Strength =>
  anyOf.every(({ outcome }) => outcome === 'accepted') ? 'must' : strongest(rules, scope.strengths)

/** No answer is a server error, but one that is just what is expected. */
export function serverErrorExpectation(
  expected: readonly ResolvedExpectation[],
  scope: ExpectationScope,
  source: ResolvedExpectation['source'],
): ResolvedExpectation {
  const checks = expected.flatMap(({ anyOf }) => anyOf.flatMap((one) => one.checks))
  const except = checks.flatMap((check) => (check.on === 'status' ? check.oneOf.filter(isServerError) : []))
  const rules = [implicitRules.noServerError]
  return {
    kind: 'server-error',
    rules,
    strength: strongest(rules, scope.strengths),
    confidence: 'text',
    ...statusBasis(scope.profile),
    anyOf: [{ checks: [{ on: 'no-server-error', except: [...new Set(except)] }] }],
    source,
  }
}

const isServerError = (status: string): boolean => status.startsWith('5')
