/** What is expected of an answer as a whole: that the request is accepted or refused, as the profile says of its situation. */
import type { Alternative, Check, ResolvedExpectation, Strength } from '../../record/resolved-row.js'
import { accepted, type Expected, type SituationFact } from '../suite/suite.js'
import { implicitRules } from './implicit-rules.js'
import { lookOf, plainLook, refusedByText } from './looks.js'
import { type ExpectationScope, lineOf, strongest } from './scope.js'
import { basisOf } from './words.js'

/** Where the profile was only read, what the text says stands on its own. */
export function outcomeExpectations(outcome: Expected<string>, scope: ExpectationScope): ResolvedExpectation[] {
  const { profile } = scope
  const situation = outcome.what
  const common = { kind: 'outcome', rules: outcome.rules ?? scope.rules, source: lineOf(outcome.location) } as const
  const fact = profile.situations.get(situation)
  if (situation === accepted || !fact) {
    const way = situation === accepted ? 'accepted' : 'refused'
    const anyOf = [plainLook(way, profile)]
    return [
      {
        ...common,
        strength: strengthOf(common.rules, anyOf, scope),
        confidence: profile[way].confidence,
        situation,
        anyOf,
      },
    ]
  }
  const anyOf = fact.alternatives.map((look) => lookOf(look, fact.alternatives.length > 1, profile))
  const expectation: ResolvedExpectation = {
    ...common,
    strength: strengthOf(common.rules, anyOf, scope),
    confidence: fact.confidence,
    situation,
    basis: basisOf(fact),
    ...(fact.divergence !== undefined && { divergence: fact.divergence }),
    anyOf,
  }
  return [...byText(expectation, fact, scope), expectation]
}

/** The text itself holds where the rest was only read, unless just this is said to be different. */
function byText(
  { kind, rules, source, situation }: ResolvedExpectation,
  { confidence, divergence, alternatives }: SituationFact,
  scope: ExpectationScope,
): ResolvedExpectation[] {
  if (confidence !== 'read' || divergence !== undefined || alternatives.some((one) => one.outcome === 'accepted'))
    return []
  const anyOf = [refusedByText(scope.profile)]
  const strength = strengthOf(rules, anyOf, scope)
  return [{ kind, rules, strength, confidence: 'text', ...(situation !== undefined && { situation }), anyOf, source }]
}

/** To accept what nothing stands against is never less than a must, however weak the rule is that the row is about. */
const strengthOf = (rules: readonly string[], anyOf: readonly Alternative[], scope: ExpectationScope): Strength =>
  anyOf.every(({ outcome }) => outcome === 'accepted') ? 'must' : strongest(rules, scope.strengths)

/** No mistake of a client is answered by a server error, unless that is just what is expected. */
export function serverErrorExpectation(
  expected: readonly ResolvedExpectation[],
  scope: ExpectationScope,
  source: ResolvedExpectation['source'],
): ResolvedExpectation[] {
  const checks = expected.flatMap(({ anyOf }) => anyOf.flatMap((one) => one.checks))
  if (checks.some(isServerError)) return []
  const rules = [implicitRules.noServerError]
  return [
    {
      kind: 'server-error',
      rules,
      strength: strongest(rules, scope.strengths),
      confidence: 'text',
      anyOf: [{ checks: [{ on: 'status', oneOf: ['2xx', '3xx', '4xx'] }] }],
      source,
    },
  ]
}

const isServerError = (check: Check): boolean =>
  check.on === 'status' && check.oneOf.some((status) => status.startsWith('5'))
