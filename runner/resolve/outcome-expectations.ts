import { isJsonObject } from '../../lib/json/json.js'
import { pointerPart } from '../../lib/json/pointer.js'
import type { Alternative, Check, Confidence, ResolvedExpectation, Strength } from '../../record/types/resolved-row.js'
import {
  accepted,
  type Expected,
  type PermittedResponse,
  type Profile,
  type ResponsePattern,
  type SituationFact,
} from '../suite/suite.js'
import { basisOf, type ExpectationScope, implicitRules, lineOf, rulesOf, situationFact, strongest } from './scope.js'

/** For facts read in source code, the outcome from the text is separate. */
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
  const fact = situationFact(situation, scope)
  if (situation === accepted || !fact) {
    const expectedOutcome = situation === accepted ? 'accepted' : 'refused'
    const { confidence } = profile[expectedOutcome]
    const byText = confidence === 'read' ? [expected('text', [alternativeByText(expectedOutcome)])] : []
    return [
      ...byText,
      { ...expected(confidence, [defaultAlternative(expectedOutcome, profile)]), ...statusBasis(profile) },
    ]
  }
  const { alternatives } = fact
  const anyOf = alternatives.map((one) => alternativeOf(one, alternatives.length > 1, profile))
  const known = expected(fact.confidence, anyOf)
  const divergence = fact.divergence !== undefined && { divergence: fact.divergence }
  const byText =
    isPlainRefusal(fact) && fact.confidence === 'read' ? [expected('text', [alternativeByText('refused')])] : []
  return [...byText, { ...known, basis: withStatuses(basisOf(fact), profile), ...divergence }]
}

/** A rejection proves nothing if the profile does not distinguish rejections, or also permits acceptance. */
const besidesOf = (anyOf: readonly Alternative[], { besides, profile }: ExpectationScope): { besides?: string } => {
  const isOpen = new Set(anyOf.map((one) => one.outcome)).size > 1
  return besides !== undefined && (profile.basis === 'text' || isOpen) ? { besides } : {}
}

/** The text does not define the status classes of acceptance and rejection. */
const statusBasis = ({ basis, statusesBy }: ExpectationScope['profile']): { basis?: string } =>
  basis === 'text' && statusesBy !== undefined ? { basis: statusesBy } : {}

const withStatuses = (basis: string, profile: ExpectationScope['profile']): string =>
  [basis, statusBasis(profile).basis].filter((one) => one !== undefined).join('; ')

const isPlainRefusal = ({ divergence, alternatives }: SituationFact): boolean =>
  divergence === undefined && alternatives.every(({ outcome }) => outcome === 'refused')

/** Acceptance of a valid request is mandatory, even if the rules of the row are weak. */
const strengthOf = (rules: readonly string[], anyOf: readonly Alternative[], scope: ExpectationScope): Strength =>
  anyOf.every(({ outcome }) => outcome === 'accepted') ? 'must' : strongest(rules, scope.strengths)

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

function checksOf(pattern: ResponsePattern): Check[] {
  const { status, mediaType, code, category, grpc, context, retry, mentions, namesHash, resources } = pattern
  const members: [pointer: string, expected: string | number | null | undefined][] = [
    ['/code', code],
    ['/errorCategory', category],
    ['/grpcCodeValue', grpc],
  ]
  return [
    ...(status ? [{ on: 'status', oneOf: status } as const] : []),
    ...(mediaType === undefined ? [] : [{ on: 'media-type', equals: mediaType } as const]),
    ...members.flatMap(([pointer, expected]) => (expected === undefined ? [] : [equal(pointer, expected)])),
    ...Object.entries(context ?? {}).map(([name, expected]) => contextCheck(name, expected)),
    ...(retry === undefined ? [] : [equal('/retryInfo', retry)]),
    ...(mentions === undefined ? [] : [{ on: 'text', mentions } as const]),
    ...(namesHash ? [{ on: 'hash' } as const] : []),
    ...(resources ? [{ on: 'resources', kinds: resources } as const] : []),
  ]
}

const equal = (pointer: string, expected: string | number | null): Check => ({
  on: 'body',
  pointer,
  matcher: { equals: expected },
})

function contextCheck(name: string, expected: string | null): Check {
  const pointer = `/context/${pointerPart(name)}`
  return expected === null ? { on: 'body', pointer, matcher: { present: true } } : equal(pointer, expected)
}

/** Without it, a pattern could match acceptance and rejection. */
const statusClass = { accepted: ['2xx'], refused: ['4xx'] }

function defaultAlternative(outcome: 'accepted' | 'refused', profile: Profile): Alternative {
  const { confidence: _, ...pattern } = profile[outcome]
  return { outcome, checks: checksOf({ status: statusClass[outcome], ...pattern }) }
}

function alternativeOf(
  { name, outcome, ...pattern }: PermittedResponse,
  hasSeveral: boolean,
  profile: Profile,
): Alternative {
  const named = hasSeveral ? { name } : {}
  if (Object.keys(pattern).length === 0) return { ...named, ...defaultAlternative(outcome, profile) }
  const status = profile[outcome].status ?? statusClass[outcome]
  return { ...named, outcome, checks: [...checksOf({ status, ...pattern }), ...errorBodyChecks(pattern, profile)] }
}

/** Of the body of each rejection with an error code. */
const errorBody = 'error-body'

/** Facts that all rejections share; category and retry belong to the code. */
function errorBodyChecks({ code, category, retry }: ResponsePattern, { formats }: Profile): Check[] {
  const { at, ...whole } = formats.get(errorBody)?.matcher ?? {}
  if (code === undefined || !isJsonObject(at)) return []
  const own = {
    ...(category !== undefined && { '/context/category': { equals: String(category), optional: true } }),
    ...(retry === undefined && { '/retryInfo': { null: true } }),
  }
  return [{ on: 'body', pointer: '', matcher: { ...whole, at: { ...at, ...own } } }]
}

const alternativeByText = (outcome: 'accepted' | 'refused'): Alternative => ({
  outcome,
  checks: checksOf({ status: statusClass[outcome] }),
})
