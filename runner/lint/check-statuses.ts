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
