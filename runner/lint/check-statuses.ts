import type { Check, ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Location, Profile, ResponsePattern, SituationFact } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'

/** What the rules of the interface allow: to be accepted is a success, to be refused blames the client. */
const success = '2xx'
const refusal = '4xx'
/** It asks the client to send the same request later, and blames neither side (RFC 9110, section 15.6.4). */
const later = '503'

/** Statuses with which a profile would let through what the rules do not allow. */
export function checkProfileStatuses(
  { accepted, refused, situations, location }: Profile,
  findings: FindingList,
): void {
  checkWithin(accepted, success, 'to be accepted is', location, findings)
  checkWithin(refused, refusal, 'to be refused is', location, findings)
  for (const fact of situations.values()) checkSituation(fact, findings)
}

function checkSituation({ situation, alternatives, divergence, location }: SituationFact, findings: FindingList): void {
  for (const response of alternatives) {
    if (divergence === undefined) {
      if (isLater(response) && alternatives.some((other) => other.outcome === 'refused' && !isLater(other))) continue
      const [allowed, words] =
        response.outcome === 'accepted'
          ? [success, 'to be accepted is']
          : [refusal, `"${situation}" is a client's mistake:`]
      checkWithin(response, allowed, words, location, findings)
    } else if (classesOf(response.status).size > 1) {
      const message = `the divergence "${divergence}" has statuses of several classes: ${response.status?.join(', ')}`
      findings.add(location, message, 'a divergence is one thing that was seen; list several looks under "refused"')
    }
  }
}

/** The loser of a race may be asked to come back, beside being refused. */
const isLater = ({ outcome, status = [] }: SituationFact['alternatives'][number]): boolean =>
  outcome === 'refused' && status.length === 1 && status[0] === later

/** Statuses that a step expects beside its outcome, or in place of one. */
export function checkStepStatuses({ rows }: ResolvedSuite, findings: FindingList): void {
  for (const { steps } of rows) for (const step of steps) checkStep(step, findings)
}

function checkStep({ expectations }: ResolvedStep, findings: FindingList): void {
  // The step is written by the text, and the profile knows that this is not what happens.
  if (expectations.some(({ divergence }) => divergence !== undefined)) return
  const outcomes = new Set(expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ outcome }) => outcome ?? [])))
  for (const expectation of expectations) {
    const status = ownStatus(expectation)
    if (!status) continue
    const found = findingOf(status, outcomes, expectation)
    if (found) findings.addLine(expectation.source, found.message, found.hint)
  }
}

function ownStatus({ kind, anyOf }: ResolvedExpectation): string[] | undefined {
  if (kind !== 'content') return undefined
  const isStatus = (check: Check): check is Extract<Check, { on: 'status' }> => check.on === 'status'
  return anyOf.flatMap(({ checks }) => checks).find(isStatus)?.oneOf
}

function findingOf(
  status: string[],
  outcomes: ReadonlySet<'accepted' | 'refused'>,
  { strength }: ResolvedExpectation,
): { message: string; hint: string } | undefined {
  if (outcomes.size === 0) {
    if (strength === 'may' || classesOf(status).size === 1) return undefined
    const message = `a status of ${status.join(' or ')} lets through success and refusal alike`
    return { message, hint: 'say "outcome" with a situation' }
  }
  if (outcomes.size > 1) return undefined
  const isAccepted = outcomes.has('accepted')
  const allowed = isAccepted ? success : refusal
  if (status.includes(allowed)) {
    const message = `the status ${allowed} cannot fail: the outcome says as much`
    return { message, hint: 'leave "status" out' }
  }
  return outside(status, allowed, isAccepted ? 'to be accepted is' : 'to be refused is')
}

/** A list of statuses must lie within one class. */
function checkWithin(
  { status = [] }: ResponsePattern,
  allowed: string,
  words: string,
  location: Location,
  findings: FindingList,
): void {
  const found = outside(status, allowed, words)
  if (found) findings.add(location, found.message, found.hint)
}

function outside(
  status: readonly string[],
  allowed: string,
  words: string,
): { message: string; hint: string } | undefined {
  const others = status.filter((item) => item[0] !== allowed[0])
  if (others.length === 0) return undefined
  const message = `${words} a status of ${allowed}, and ${others.join(', ')} ${others.length > 1 ? 'are' : 'is'} none`
  return { message, hint: 'a server error, or success instead of a refusal, is a divergence: name it' }
}

const classesOf = (status: readonly string[] | undefined): Set<string> =>
  new Set((status ?? []).map((item) => item[0] ?? ''))
