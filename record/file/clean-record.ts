/**
 * Redacts values from the target, a target file or a request. Texts of the suite stay, because a secret may equal a
 * common word.
 */
import { cleanBody, cleanHeaders } from '../../interface/clean-parts.js'
import type { Redaction } from '../../lib/redaction/redaction.js'
import type {
  Evidence,
  Judgement,
  RecordedBody,
  RecordedCheck,
  RecordedFixture,
  RecordedVariables,
  RunHeader,
  RunRow,
} from '../types/record.js'
import { mapTexts } from './map-texts.js'

/** Characters of the body of a request, or bytes of one that is not UTF-8. */
export const requestKept = 1024 * 1024

export function cleanHeader(header: RunHeader, redaction: Redaction): RunHeader {
  const { target, support, controls, variables, made, settings } = header
  return {
    ...header,
    target: {
      ...target,
      url: redaction.clean(target.url),
      ...(target.version !== undefined && { version: redaction.clean(target.version) }),
      ...(target.participant !== undefined && { participant: redaction.clean(target.participant) }),
    },
    ...(made && { made: { ...made, parties: made.parties.map((party) => redaction.clean(party)) } }),
    ...(support && { support: support.map((check) => cleanCheck(check, redaction)) }),
    ...(controls && { controls: controls.map((one) => cleanFixture(one, redaction)) }),
    ...(settings && { settings: cleanTexts(settings, redaction) }),
    ...withVariables(variables, redaction),
  }
}

function cleanFixture(one: RecordedFixture, redaction: Redaction): RecordedFixture {
  const evidence = cleanEvidence(one.evidence, redaction)
  const variables = withVariables(one.variables, redaction)
  const isRedacted = variables.redacted || isRedactedIn(evidence, one.evidence)
  return { ...one, evidence, ...variables, ...(isRedacted && { redacted: true }) }
}

export function cleanRow(row: RunRow, redaction: Redaction): RunRow {
  const { reason, judgements, stopped } = row
  const evidence = row.evidence.map((one) => cleanEvidence(one, redaction))
  const variables = withVariables(row.variables, redaction)
  const isRedacted = variables.redacted || evidence.some((one, index) => isRedactedIn(one, row.evidence[index]))
  return {
    ...row,
    ...(reason && { reason: cleanTexts(reason, redaction) }),
    judgements: judgements.map((judgement) => cleanJudgement(judgement, redaction)),
    evidence,
    ...(stopped && { stopped: cleanTexts(stopped, redaction) }),
    ...variables,
    ...(isRedacted && { redacted: true }),
  }
}

export function cleanExchange<Exchange extends { evidence: Evidence }>(one: Exchange, redaction: Redaction): Exchange {
  const evidence = cleanEvidence(one.evidence, redaction)
  return { ...one, evidence, ...(isRedactedIn(evidence, one.evidence) && { redacted: true }) }
}

/** Request headers are not judged. */
function isRedactedIn(clean: Evidence, came: Evidence | undefined): boolean {
  const isSame = JSON.stringify(clean.response?.headers) === JSON.stringify(came?.response?.headers)
  return (
    !isSame ||
    isAltered(clean.response?.body, came?.response?.body) ||
    isAltered(clean.request.body, came?.request.body)
  )
}

/** Cut bodies have their own flag. */
const isAltered = (clean: RecordedBody | undefined, came: RecordedBody | undefined): boolean =>
  !(came?.text ?? '').startsWith(clean?.text ?? '') || !(came?.base64 ?? '').startsWith(clean?.base64 ?? '')

function cleanEvidence(evidence: Evidence, redaction: Redaction): Evidence {
  const { request, response, problem, earlier } = evidence
  return {
    ...evidence,
    request: {
      ...request,
      url: redaction.clean(request.url),
      headers: cleanHeaders(request.headers, redaction),
      ...(request.body && { body: cleanBody(request.body, redaction, requestKept) }),
    },
    ...(response && {
      response: {
        ...response,
        headers: cleanHeaders(response.headers, redaction),
        body: cleanBody(response.body, redaction),
      },
    }),
    ...(problem && { problem: { ...problem, message: redaction.clean(problem.message) } }),
    ...(earlier && { earlier: { ...earlier, message: redaction.clean(earlier.message) } }),
  }
}

const cleanCheck = (check: RecordedCheck, redaction: Redaction): RecordedCheck => ({
  ...check,
  ...(check.found !== undefined && { found: redaction.clean(check.found) }),
})

const cleanJudgement = (
  { pointer, wanted, found, because, ...judgement }: Judgement,
  redaction: Redaction,
): Judgement => ({
  ...judgement,
  ...(pointer !== undefined && { pointer: redaction.clean(pointer) }),
  wanted: cleanTexts(wanted, redaction),
  found: cleanTexts(found, redaction),
  ...(because && { because: cleanTexts(because, redaction) }),
})

/** Redacts each string of facts except the names of this program. */
export const cleanTexts = <Facts>(facts: Facts, redaction: Redaction): Facts =>
  mapTexts(facts, (text) => redaction.clean(text))

function withVariables(
  variables: RecordedVariables | undefined,
  redaction: Redaction,
): { variables?: RecordedVariables; redacted?: true } {
  if (!variables) return {}
  const clean = Object.entries(variables).map(([name, value]) => [name, redaction.clean(value)] as const)
  const isRedacted = clean.some(([name, value]) => variables[name] !== value)
  return { variables: Object.fromEntries(clean), ...(isRedacted && { redacted: true }) }
}
