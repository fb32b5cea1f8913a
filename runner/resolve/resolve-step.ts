import { cachedBy } from '../../lib/made-once.js'
import type { ResolvedExpectation, ResolvedStep, Role, TokenTemplate } from '../../record/types/resolved-row.js'
import { accepted, type BaseRequest, type Profile, type Race, type Step, type Suite } from '../suite/suite.js'
import { contentExpectations, mayLack, shapeExpectations } from './content-expectations.js'
import { outcomeExpectations, serverErrorExpectation } from './outcome-expectations.js'
import { editsOf, requestTemplate } from './request-template.js'
import type { ExpectationScope, StepScope, SuiteScope } from './scope.js'
import { factsOf, lineOf, rulesOf, situationFact, strengthsOf, strongest } from './scope.js'

interface ResolvingBy extends SuiteScope {
  suite: Suite
}

export interface StepSetting extends StepScope {
  role: Role
  sentWhen?: 'accepted' | 'refused'
}

/** Throws `ResolveError`. */
function resolveStep(
  step: Step,
  { role, rules, sentWhen, situation, besides, row }: StepSetting,
  resolving: ResolvingBy,
): ResolvedStep {
  const { suite, profile, strengths, facts } = resolving
  const base = suite.requests.get(step.request)
  if (!base) throw new Error(`the loader accepted the unknown request ${step.request}`)
  const scope: ExpectationScope = { profile, strengths, facts, rules, situation, besides, row }
  const token = tokenOf(step, suite)
  const { capture = {} } = step
  const changes = editsOf(step)
  return {
    name: step.name,
    role,
    ...(sentWhen && { sentWhen }),
    operation: base.operation,
    actor: step.as ?? base.as ?? 'operator',
    ...(token && { token }),
    request: requestTemplate(step, base),
    ...(role === 'act' && changes.length > 0 && { changes }),
    capture,
    ...mayLack(base.operation, Object.values(capture), profile),
    ...(step.race && { race: { times: step.race.times, others: othersOf(step, step.race.others ?? accepted, scope) } }),
    ...(step.eventually !== undefined && { eventually: step.eventually }),
    ...(step.sameConnection && { sameConnection: true as const }),
    ...(step.later !== undefined && { later: step.later }),
    ...(isPresignable(step, base) && { presignable: true }),
    expectations: expectationsOf(step, base, role, scope),
    source: lineOf(step.location),
  }
}

function expectationsOf(step: Step, base: BaseRequest, role: Role, scope: ExpectationScope): ResolvedExpectation[] {
  const outcome = step.outcome ? outcomeExpectations(step.outcome, scope) : []
  return [
    ...(step.race ? winnersOf(step, step.race, scope) : []),
    ...outcome,
    // In a race, these judge the accepted request.
    ...(role === 'act' && !step.race ? [serverErrorExpectation(outcome, scope, lineOf(step.location))] : []),
    ...contentExpectations(base.operation, step.expect, scope),
    ...(isOperation(step) ? shapeExpectations(base.operation, step.expect, step.location, scope) : []),
  ]
}

/** Responses to other methods have no schema. */
const isOperation = ({ send }: Step): boolean => (send?.method ?? 'POST') === 'POST'

function othersOf(step: Step, situation: string, scope: ExpectationScope): ResolvedExpectation[] {
  const outcome = outcomeExpectations({ what: situation, location: step.location }, scope)
  return [...outcome, serverErrorExpectation(outcome, scope, lineOf(step.location))]
}

function winnersOf(step: Step, { times, others }: Race, scope: ExpectationScope): ResolvedExpectation[] {
  const { strengths } = scope
  const rules = rulesOf({}, scope)
  if (rules.length === 0) return []
  const strength = strongest(rules, strengths)
  const mayBeAccepted =
    others && situationFact(others, scope)?.alternatives.some(({ outcome }) => outcome === 'accepted')
  const anyOf = [
    { checks: [{ on: 'winners', count: others ? 1 : times, ...(mayBeAccepted && { same: true as const }) } as const] },
  ]
  return [{ kind: 'winners', rules, strength, confidence: 'text', anyOf, source: lineOf(step.location) }]
}

function tokenOf({ token, send }: Step, { tokens }: Suite): TokenTemplate | undefined {
  const setsHeader = Object.keys(send?.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
  if (setsHeader) return { name: 'none', meaning: 'no token: the step sets the header itself', none: true }
  if (token === undefined) return undefined
  const found = tokens.get(token)
  if (!found) throw new Error(`the loader accepted the unknown token ${token}`)
  const { location: _, ...template } = found
  return template
}

const presignedMembers: ReadonlySet<string> = new Set(['/preparedTransaction', '/preparedTransactionHash'])

const isPresignable = (step: Step, base: BaseRequest): boolean =>
  base.presignable === true &&
  editsOf(step).length === 0 &&
  step.send === undefined &&
  Object.values(step.capture ?? {}).every((pointer) => presignedMembers.has(pointer))

export const isPlainlyAccepted = ({ outcome }: Step): boolean => outcome?.what === accepted

export interface Resolving extends ResolvingBy {
  /** Caches results: steps of probes occur in hundreds of rows. Throws `ResolveError`. */
  steps(steps: readonly Step[], setting: StepSetting): ResolvedStep[]
}

export function resolvingBy(suite: Suite, profile: Profile): Resolving {
  const by = { suite, profile, strengths: strengthsOf(suite), facts: factsOf(suite) }
  // Only divergences that name a situation depend on it, and only facts of a row on the row.
  const named = new Set(profile.divergences.flatMap(({ situations }) => situations ?? []))
  const ownRows = new Set([...profile.situations.values()].flatMap(({ byRow }) => [...(byRow?.keys() ?? [])]))
  const known = new Map<string, (step: Step) => ResolvedStep>()
  const steps = (given: readonly Step[], { situation, row, ...rest }: StepSetting): ResolvedStep[] => {
    if (given.length === 0) return []
    const setting = {
      ...rest,
      ...(situation !== undefined && named.has(situation) && { situation }),
      ...(row !== undefined && ownRows.has(row) && { row }),
    }
    const key = JSON.stringify(setting)
    const resolved = known.get(key) ?? cachedBy((step: Step) => resolveStep(step, setting, by))
    known.set(key, resolved)
    return given.map(resolved)
  }
  return { ...by, steps }
}
