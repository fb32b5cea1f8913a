import type { FindingList } from '../load/finding-list.js'
import type { ConditionOutcome, Outcome, Location, Profile, Row, Step, Suite } from '../suite/suite.js'

/** What the rules of the interface allow: to be accepted is a success, to be refused blames the client. */
const success = '2xx'
const refusal = '4xx'

/** Statuses with which steps and profiles would let through what the rules do not allow. */
export function checkStatuses(suite: Suite, findings: FindingList): void {
  for (const profile of suite.profiles.values()) checkProfile(profile, findings)
  for (const { rows } of suite.cases) for (const row of rows) checkRow(row, suite, findings)
}

function checkProfile({ accepted, refused, conditions, location }: Profile, findings: FindingList): void {
  checkWithin(accepted, success, 'to be accepted is', location, findings)
  checkWithin(refused, refusal, 'to be refused is', location, findings)
  for (const condition of conditions.values()) checkCondition(condition, findings)
}

function checkCondition({ condition, alternatives, divergence, location }: ConditionOutcome, findings: FindingList): void {
  for (const outcome of alternatives) {
    if (divergence === undefined) {
      checkWithin(outcome, refusal, `"${condition}" is a client's mistake:`, location, findings)
    } else if (classesOf(outcome.status).size > 1) {
      const message = `the divergence "${divergence}" has statuses of several classes: ${outcome.status?.join(', ')}`
      findings.add(location, message, 'a divergence is one thing that was seen; use "any-of" for several')
    }
  }
}

function checkRow({ rules, steps, location }: Row, suite: Suite, findings: FindingList): void {
  const free = rules.length > 0 && rules.every((id) => suite.rules.get(id)?.strength === 'may')
  steps.forEach((step, index) => {
    const tested = index === steps.length - 1
    checkStep(step, tested ? place : step.location, tested && free, findings)
  })
}

function checkStep({ verdict: { outcome, expect } }: Step, location: Location, free: boolean, findings: FindingList): void {
  const { status } = expect
  if (!status) return
  if (!outcome) {
    if (free || classesOf(status).size === 1) return
    const message = `a status of ${status.join(' or ')} lets through success and refusal alike`
    findings.add(location, message, 'say "accepted: true", or "refused" with a condition')
    return
  }
  const allowed = 'accepted' in outcome ? success : refusal
  const words = 'accepted' in outcome ? 'to be accepted is' : 'to be refused is'
  checkWithin({ status }, allowed, words, location, findings)
  if (status.includes(allowed)) {
    findings.add(location, `the status ${allowed} cannot fail: the outcome says as much`, 'leave "status" out')
  }
}

/** A list of statuses must lie within one class. */
function checkWithin(
  { status = [] }: Outcome,
  allowed: string,
  words: string,
  location: Location,
  findings: FindingList,
): void {
  const others = status.filter((item) => item[0] !== allowed[0])
  if (others.length === 0) return
  findings.add(
    location,
    `${words} a status of ${allowed}, and ${others.join(', ')} ${others.length > 1 ? 'are' : 'is'} none`,
    'a server error, or success in place of a refusal, is a divergence: name it',
  )
}

const classesOf = (status: readonly string[] | undefined): Set<string> =>
  new Set((status ?? []).map((item) => item[0] ?? ''))
