import { optionalMembers } from '../../interface/described-schemas.js'
import { isOperationName, type OperationName } from '../../interface/operations.js'
import { isJsonObject } from '../../lib/json/json.js'
import type {
  Check,
  Confidence,
  Data,
  ResolvedExpectation,
  Matcher as ResolvedMatcher,
} from '../../record/types/resolved-row.js'
import type { Divergence, Expectation, Expected, Format, Location, Matcher, Profile } from '../suite/suite.js'
import { basisOf, type ExpectationScope, implicitRules, jsonBodies, lineOf, rulesOf, strongest } from './scope.js'

export function contentExpectations(
  operation: string,
  { headers, body }: Expectation,
  scope: ExpectationScope,
): ResolvedExpectation[] {
  return [
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
  { rules: own, location }: Expected<unknown>,
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

interface FormatlessMatcher {
  matcher: ResolvedMatcher
  confidence: Confidence
}

/** For facts read in source code, the text's matcher is separate. */
function withoutFormats(matcher: Matcher, { formats }: Profile): FormatlessMatcher[] {
  const named = formatsIn(matcher).flatMap((name) => formats.get(name) ?? [])
  const confidences = new Set(named.map(({ confidence }) => confidence))
  const facts = expand(matcher, formats, (format) => format.matcher)
  const found: FormatlessMatcher[] = confidences.has('read')
    ? [
        { matcher: expand(matcher, formats, ({ text }) => text), confidence: 'text' },
        { matcher: facts, confidence: 'read' },
      ]
    : [{ matcher: facts, confidence: confidences.has('observed') ? 'observed' : 'text' }]
  return found.filter((one) => !isOpen(one.matcher))
}

const isOpen = (matcher: object): boolean => Object.keys(matcher).length === 0

function formatsIn({ format, each, every, some, at }: Matcher): string[] {
  const inner = [each, every, some, ...(isJsonObject(at) ? Object.values(at) : [])]
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...inner.flatMap((one) => (isJsonObject(one) ? formatsIn(one) : [])),
  ]
}

function expand(matcher: Matcher, formats: Profile['formats'], choose: (format: Format) => Matcher): ResolvedMatcher {
  const { format: name, of, ...own } = matcher
  const format = name === undefined ? undefined : formats.get(name)
  if (name !== undefined && !format) throw new Error(`the loader accepted the unknown format ${name}`)
  const { each, every, some, at, ...plain } = own
  const inner = (item: Data | undefined): Data | undefined => {
    const found = isJsonObject(item) ? { ...expand(item, formats, choose) } : (item ?? null)
    return isJsonObject(found) && isOpen(found) ? undefined : found
  }
  const nested = Object.entries({ each, every, some }).flatMap(([key, item]): [string, Data][] => {
    const found = item === undefined ? undefined : inner(item)
    return found === undefined ? [] : [[key, found]]
  })
  const places = Object.entries(isJsonObject(at) ? at : {}).flatMap(([pointer, item]): [string, Data][] => {
    const found = inner(item)
    return found === undefined ? [] : [[pointer, found]]
  })
  return {
    ...(format && withArgument(choose(format), of)),
    ...plain,
    ...Object.fromEntries(nested),
    ...(places.length > 0 && { at: Object.fromEntries(places) }),
  }
}

function withArgument(matcher: Matcher, of: Data | undefined): ResolvedMatcher {
  if (of === undefined) return matcher
  return Object.fromEntries(Object.entries(matcher).map(([name, value]) => [name, replaced(value, of)]))
}

const isArgument = (value: Data | undefined): boolean => typeof value === 'string' && /^\$\{of\}$/.test(value)

function replaced(value: Data | undefined, of: Data): Data {
  if (isArgument(value)) return of
  if (Array.isArray(value)) return value.map((item) => replaced(item, of))
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, of)]))
}

type BodyCheck = Extract<Check, { on: 'body' }>

/** Under the text alone, a member without a sentence that requires it may be absent. */
function withoutOptional(operation: string, check: BodyCheck, profile: Profile): BodyCheck {
  const { pointer, matcher } = check
  const judged = judgedByText(operation, profile)
  if (!judged) return check
  const optional = optionalMembers(judged, pointer)
  return {
    ...check,
    matcher: markOptional(judged, pointer, matcher),
    ...(optional.length > 0 && { optional: [...optional] }),
  }
}

export function mayLack(operation: string, pointers: readonly string[], profile: Profile): { mayLack?: string[] } {
  const judged = judgedByText(operation, profile)
  const found = judged ? new Set(pointers.flatMap((pointer) => optionalMembers(judged, pointer))) : new Set<string>()
  return found.size > 0 ? { mayLack: [...found] } : {}
}

function judgedByText(operation: string, { basis }: Profile): OperationName | undefined {
  return basis === 'text' && isOperationName(operation) ? operation : undefined
}

function markOptional(operation: OperationName, pointer: string, matcher: ResolvedMatcher): ResolvedMatcher {
  const { each, every, some, at } = matcher
  const inner = (below: string, value: Data | undefined): Data =>
    isJsonObject(value) ? { ...markOptional(operation, `${pointer}${below}`, value) } : (value ?? null)
  const member = (below: string, value: Data): Data => {
    const isOptional = optionalMembers(operation, `${pointer}${below}`).includes(`${pointer}${below}`)
    const found = inner(below, value)
    return isOptional && isJsonObject(found) ? { ...found, optional: true } : found
  }
  return {
    ...matcher,
    ...(isJsonObject(each) && { each: inner('/0', each) }),
    ...(isJsonObject(every) && { every: inner('/0', every) }),
    ...(isJsonObject(some) && { some: inner('/0', some) }),
    ...(isJsonObject(at) && {
      at: Object.fromEntries(Object.entries(at).map(([below, value]) => [below, member(below, value)])),
    }),
  }
}
