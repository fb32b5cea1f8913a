import type { Check, ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Location, Profile, ResponsePattern, SituationFact } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'

const success = '2xx'
const rejection = '4xx'
/** Requests a retry without a client error (RFC 9110, section 15.6.4). */
const later = '503'

const acceptedRequest = 'an accepted request'
const rejectedRequest = 'a rejected request'

export function checkProfileStatuses(
  { accepted, refused, situations, location }: Profile,
  findings: FindingList,
): void {
  checkWithin(accepted, success, acceptedRequest, location, findings)
  checkWithin(refused, rejection, rejectedRequest, location, findings)
  for (const fact of situations.values()) checkSituation(fact, findings)
}

function checkSituation({ situation, alternatives, divergence, location }: SituationFact, findings: FindingList): void {
  for (const response of alternatives) {
    if (divergence === undefined) {
      if (isLater(response) && alternatives.some((other) => other.outcome === 'refused' && !isLater(other))) continue
      const [allowed, subject] =
        response.outcome === 'accepted' ? [success, acceptedRequest] : [rejection, `the client error "${situation}"`]
      checkWithin(response, allowed, subject, location, findings)
    } else if (classesOf(response.status).size > 1) {
      const message = `the divergence "${divergence}" has statuses of several classes: ${response.status?.join(', ')}`
      findings.add(location, message, 'a divergence is one observed behaviour; list alternatives under "refused"')
    }
  }
}

/** A request that loses a race may receive 503. */
const isLater = ({ outcome, status = [] }: SituationFact['alternatives'][number]): boolean =>
  outcome === 'refused' && status.length === 1 && status[0] === later

export function checkStepStatuses({ rows }: ResolvedSuite, findings: FindingList): void {
  for (const { steps } of rows) for (const step of steps) checkStep(step, findings)
}

function checkStep({ expectations }: ResolvedStep, findings: FindingList): void {
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
    const message = `the status ${status.join(' or ')} permits both success and rejection`
    return { message, hint: 'add "outcome" with a situation' }
  }
  if (outcomes.size > 1) return undefined
  const isAccepted = outcomes.has('accepted')
  const allowed = isAccepted ? success : rejection
  if (status.includes(allowed)) {
    const message = `the status ${allowed} cannot fail: the outcome implies it`
    return { message, hint: 'remove "status"' }
  }
  return outside(status, allowed, isAccepted ? acceptedRequest : rejectedRequest)
}

function checkWithin(
  { status = [] }: ResponsePattern,
  allowed: string,
  subject: string,
  location: Location,
  findings: FindingList,
): void {
  const found = outside(status, allowed, subject)
  if (found) findings.add(location, found.message, found.hint)
}

function outside(
  status: readonly string[],
  allowed: string,
  subject: string,
): { message: string; hint: string } | undefined {
  const others = status.filter((item) => item[0] !== allowed[0])
  if (others.length === 0) return undefined
  const message = `${subject} has a status of the class ${allowed}, not ${others.join(' or ')}`
  return { message, hint: 'record a server error or an unexpected success as a divergence' }
}

const classesOf = (status: readonly string[] | undefined): Set<string> =>
  new Set((status ?? []).map((item) => item[0] ?? ''))
