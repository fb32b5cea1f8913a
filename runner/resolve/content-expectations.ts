import { isOperationName } from '../../interface/operations.js'
import type { Check, Confidence, ResolvedExpectation } from '../../record/types/resolved-row.js'
import type { Divergence, Expectation, Expected, Location, Matcher } from '../suite/suite.js'
import { withoutFormats } from './formats.js'
import { implicitRules, jsonBodies } from './implicit-rules.js'
import { withoutOptional } from './optional-members.js'
import { basisOf, type ExpectationScope, lineOf, rulesOf, strongest } from './scope.js'

export function contentExpectations(
  operation: string,
  { status, headers, body }: Expectation,
  scope: ExpectationScope,
): ResolvedExpectation[] {
  return [
    ...(status ? [content(status, { on: 'status', oneOf: status.what }, 'text', scope)] : []),
    ...[...(headers ?? [])].flatMap(([name, expected]) =>
      withoutFormats(expected.what, scope.profile).map(({ matcher, confidence }) =>
        content(expected, { on: 'header', name, matcher }, confidence, scope),
      ),
    ),
    ...[...(body ?? [])].flatMap(([pointer, expected]) => memberExpectations(operation, pointer, expected, scope)),
  ]
}

/** A divergence replaces the expectation of the same member and rule. */
function memberExpectations(
  operation: string,
  pointer: string,
  expected: Expected<Matcher>,
  scope: ExpectationScope,
): ResolvedExpectation[] {
  const divergence = divergenceAt(pointer, expected.rules ?? scope.rules, scope)
  const resolved = withoutFormats(divergence?.expect.get(pointer) ?? expected.what, scope.profile)
  return resolved.map(({ matcher, confidence }) => ({
    ...content(
      expected,
      withoutOptional(operation, { on: 'body', pointer, matcher }, scope.profile),
      confidence === 'read' ? confidence : (divergence?.confidence ?? confidence),
      scope,
    ),
    ...(divergence && { divergence: divergence.id, basis: basisOf(divergence) }),
  }))
}

export const divergenceAt = (
  pointer: string,
  rules: readonly string[],
  { profile, situation }: ExpectationScope,
): Divergence | undefined =>
  profile.divergences.find(
    ({ rule, expect, situations }) =>
      rules.includes(rule) && expect.has(pointer) && (situations?.includes(situation ?? '') ?? true),
  )

function content(
  { rules: own, location }: Pick<Expected<unknown>, 'rules' | 'location'>,
  check: Check,
  confidence: Confidence,
  scope: ExpectationScope,
): ResolvedExpectation {
  const rules = rulesOf({ ...(own && { rules: own }) }, scope)
  const strength = strongest(rules, scope.strengths)
  return { kind: 'content', rules, strength, confidence, anyOf: [{ checks: [check] }], source: lineOf(location) }
}

export function shapeExpectations(
  operation: string,
  { schema }: Expectation,
  location: Location,
  { profile: { basis }, strengths }: ExpectationScope,
): ResolvedExpectation[] {
  if (!schema || !isOperationName(operation)) return []
  const expected = (rule: string, check: Check, confidence: Confidence): ResolvedExpectation => ({
    kind: 'shape',
    rules: [rule],
    strength: strongest([rule], strengths),
    confidence,
    anyOf: [{ checks: [check] }],
    source: lineOf(location),
  })
  return [
    expected(jsonBodies, { on: 'json' }, 'text'),
    expected(implicitRules.responseShape, { on: 'shape', operation, basis }, basis === 'facts' ? 'observed' : 'text'),
  ]
}
