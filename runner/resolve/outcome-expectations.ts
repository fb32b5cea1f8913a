/** What is expected of an answer as a whole: that the request is accepted or refused, as the profile says of its situation. */
import type { Alternative, Check, Confidence, ResolvedExpectation, Strength } from '../../record/types/resolved-row.js'
import {
  accepted,
  type Expected,
  type PermittedResponse,
  type Profile,
  type ResponsePattern,
  type SituationFact,
} from '../suite/suite.js'
import { implicitRules } from './implicit-rules.js'
import { basisOf, type ExpectationScope, lineOf, rulesOf, strongest } from './scope.js'

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
    const byText = confidence === 'read' ? [expected('text', [alternativeByText(way)])] : []
    return [...byText, { ...expected(confidence, [defaultAlternative(way, profile)]), ...statusBasis(profile) }]
  }
  const several = fact.alternatives.length > 1
  const known = expected(
    fact.confidence,
    fact.alternatives.map((pattern) => alternativeOf(pattern, several, profile)),
  )
  const divergence = fact.divergence !== undefined && { divergence: fact.divergence }
  const byText =
    isPlainRefusal(fact) && fact.confidence === 'read' ? [expected('text', [alternativeByText('refused')])] : []
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

// What a profile says of how answers look, as checks.

/** Every member of the look as a check of its own. */
function checksOf(pattern: ResponsePattern): Check[] {
  const { status, mediaType, code, category, grpc, context, retry, mentions, namesHash, resources } = pattern
  const members: [pointer: string, wanted: string | number | null | undefined][] = [
    ['/code', code],
    ['/errorCategory', category],
    ['/grpcCodeValue', grpc],
  ]
  return [
    ...(status ? [{ on: 'status', oneOf: status } as const] : []),
    ...(mediaType === undefined ? [] : [{ on: 'media-type', equals: mediaType } as const]),
    ...members.flatMap(([pointer, wanted]) => (wanted === undefined ? [] : [equal(pointer, wanted)])),
    ...Object.entries(context ?? {}).map(([name, wanted]) => contextCheck(name, wanted)),
    ...(retry === undefined ? [] : [equal('/retryInfo', retry)]),
    ...(mentions === undefined ? [] : [{ on: 'text', mentions } as const]),
    ...(namesHash ? [{ on: 'hash' } as const] : []),
    ...(resources ? [{ on: 'resources', kinds: resources } as const] : []),
  ]
}

const equal = (pointer: string, wanted: string | number | null): Check => ({
  on: 'body',
  pointer,
  matcher: { equals: wanted },
})

function contextCheck(name: string, wanted: string | null): Check {
  const pointer = `/context/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return wanted === null ? { on: 'body', pointer, matcher: { present: true } } : equal(pointer, wanted)
}

/** The class of statuses that an outcome has at least: a look without a status would be met by success and refusal alike. */
const statusClass = { accepted: ['2xx'], refused: ['4xx'] }

/** How a situation looks that the profile only calls accepted or refused. */
function defaultAlternative(outcome: 'accepted' | 'refused', profile: Profile): Alternative {
  const { confidence: _, ...pattern } = profile[outcome]
  return { outcome, checks: checksOf({ status: statusClass[outcome], ...pattern }) }
}

/** One permitted answer to a situation. What it does not say of its status, the profile says for all refusals. */
function alternativeOf(
  { name, outcome, ...pattern }: PermittedResponse,
  several: boolean,
  profile: Profile,
): Alternative {
  const named = several ? { name } : {}
  if (Object.keys(pattern).length === 0) return { ...named, ...defaultAlternative(outcome, profile) }
  const status = profile[outcome].status ?? statusClass[outcome]
  return { ...named, outcome, checks: checksOf({ status, ...pattern }) }
}

/** The text alone: that it is accepted, or refused. */
const alternativeByText = (outcome: 'accepted' | 'refused'): Alternative => ({
  outcome,
  checks: checksOf({ status: statusClass[outcome] }),
})
