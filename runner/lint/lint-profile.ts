import { join } from 'node:path'
import {
  type Location,
  type Profile,
  type ResponsePattern,
  type SituationFact,
  type Suite,
  textProfile,
} from '../suite/suite.js'
import { type Finding, FindingList } from '../yaml/findings.js'
import { shownPath } from '../yaml/suite-files.js'

/** Errors of a profile that is no part of the suite folder. */
export function lintProfile(suite: Suite, profile: Profile): Finding[] {
  const path = profile.file?.path
  const findings = new FindingList(suite.texts ?? new Map(), (name) =>
    shownPath(name === path ? name : join(suite.folder ?? '', name)),
  )
  checkProfileStatuses(profile, findings)
  checkAgainstText(suite, profile, findings)
  return findings.sorted().filter(({ isWarning }) => !isWarning)
}

/** An outcome that the text does not permit needs a divergence, which a reader of the record finds. */
function checkAgainstText({ profiles }: Suite, profile: Profile, findings: FindingList): void {
  const text = profiles.get(textProfile)
  for (const [name, { alternatives: shared, divergence, byRow, location }] of profile.situations) {
    if (!text || divergence !== undefined || location.file !== profile.location.file) continue
    const rows = [...(byRow?.values() ?? [])].filter((one) => one.divergence === undefined)
    const alternatives = [...shared, ...rows.flatMap((one) => one.alternatives)]
    const known = text.situations.get(name)?.alternatives ?? [{ outcome: 'refused' }]
    const permitted = new Set(known.map(({ outcome }) => outcome))
    const [other] = alternatives.filter(({ outcome }) => !permitted.has(outcome))
    if (!other) continue
    const message = `the text does not permit that "${name}" is ${other.outcome === 'accepted' ? 'accepted' : 'rejected'}`
    findings.add(location, message, 'name the violation with "divergence", and define it under "divergences"')
  }
}

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

function checkWithin(
  { status = [] }: ResponsePattern,
  allowed: string,
  subject: string,
  location: Location,
  findings: FindingList,
): void {
  const others = status.filter((item) => item[0] !== allowed[0])
  if (others.length === 0) return
  const message = `${subject} has a status of the class ${allowed}, not ${others.join(' or ')}`
  findings.add(location, message, 'record a server error or an unexpected success as a divergence')
}

const classesOf = (status: readonly string[] | undefined): Set<string> =>
  new Set((status ?? []).map((item) => item[0] ?? ''))
