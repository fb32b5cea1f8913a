/**
 * What goes into a record of what was judged. The judge sees what came; here secrets are taken out of everything that a target,
 * a target file or a request had a part in. The suite's own words, ids and verdicts stay: a secret may be a word as well.
 */
import { cleanBody, cleanHeaders } from '../interface/clean-parts.js'
import type { Redaction } from '../interface/redaction.js'
import type { Evidence, Judgement, RecordedCheck, RecordedVariables, RowLine, RunHeader } from './record.js'

/** Characters of a request's body that a record keeps. */
const requestKept = 1024 * 1024

export function cleanHeader(header: RunHeader, redaction: Redaction): RunHeader {
  const { target, support, variables } = header
  return {
    ...header,
    target: {
      ...target,
      url: redaction.clean(target.url),
      ...(target.version !== undefined && { version: redaction.clean(target.version) }),
    },
    ...(support && { support: support.map((check) => cleanCheck(check, redaction)) }),
    ...(variables && { variables: cleanVariables(variables, redaction) }),
  }
}

/** A row as it is recorded, shown and reported; `row` is as it was judged. */
export function cleanRow<Row extends RowLine>(row: Row, redaction: Redaction): Row {
  const { reason, judgements, evidence, variables, stopped } = row
  return {
    ...row,
    ...(reason !== undefined && { reason: redaction.clean(reason) }),
    judgements: judgements.map((judgement) => cleanJudgement(judgement, redaction)),
    evidence: evidence.map((one) => cleanEvidence(one, redaction)),
    ...(stopped !== undefined && { stopped: redaction.clean(stopped) }),
    ...(variables && { variables: cleanVariables(variables, redaction) }),
  }
}

/** The evidence as it is recorded; of a long request the beginning. */
function cleanEvidence(evidence: Evidence, redaction: Redaction): Evidence {
  const { request, response, problem } = evidence
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
  }
}

const cleanCheck = (check: RecordedCheck, redaction: Redaction): RecordedCheck => ({
  ...check,
  ...(check.found !== undefined && { found: redaction.clean(check.found) }),
})

const cleanJudgement = (judgement: Judgement, redaction: Redaction): Judgement => ({
  ...judgement,
  ...(judgement.pointer !== undefined && { pointer: redaction.clean(judgement.pointer) }),
  expected: redaction.clean(judgement.expected),
  actual: redaction.clean(judgement.actual),
})

const cleanVariables = (variables: RecordedVariables, redaction: Redaction): RecordedVariables =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, redaction.clean(value)]))
