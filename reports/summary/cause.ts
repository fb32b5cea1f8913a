/** The cause of a row without a pass, in one sentence. */
import { unmetVerdict } from '../../record/judgements/unmet-verdict.js'
import type { Judgement, RunRow } from '../../record/types/record.js'
import { cut } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { subjectText, unmetJudgements } from '../wording/rows.js'
import { roleWords } from '../wording/step-words.js'
import { withoutVolatile } from '../wording/volatile.js'

/** The members of a full row, or of a row of the HTML page, that give the cause. */
export type Failed = Pick<RunRow, 'verdict' | 'reason' | 'judgements' | 'known'>

export interface CauseText {
  sentence: string
  /** The parts of a sentence about one judgement. */
  parts?: { subject: string; expected: string; actual: string }
}

const longestSentence = 400
const longestPart = 200

/** One sentence that is the same for all rows with the same failure; `normalise` removes values that differ between them. */
export const causeOf = (row: Failed, normalise?: (text: string) => string): string =>
  causeText(row, undefined, normalise).sentence

/** The cause with its parts. `rule` selects the judgement of one rule. */
export function causeText(row: Failed, rule?: string, normalise = withoutVolatile): CauseText {
  const judgement = judgementOf(row, rule)
  if (!judgement) return { sentence: cut(normalise(withoutStep(reasonOf(row))), longestSentence) }
  const short = (text: string): string => cut(normalise(text), longestPart)
  const { expected, actual } = judgement
  const subject = subjectOf(judgement)
  return {
    sentence: cut(normalise(`${subject}: expected ${expected}, found ${actual}`), longestSentence),
    parts: { subject, expected: short(expected), actual: short(actual) },
  }
}

/** Removes the name of the step, so that rows of different cases have the same cause. */
const withoutStep = (reason: string): string => reason.replace(/^setup step \S+ failed/, 'a setup step failed')

const subjectOf = (judgement: Judgement): string =>
  judgement.role === 'act' ? subjectText(judgement) : `${roleWords[judgement.role]}, ${subjectText(judgement)}`

/** The failed judgement of the rule, or the unmet judgement with the worst verdict. */
function judgementOf(row: Failed, rule: string | undefined): Judgement | undefined {
  if (row.verdict !== 'fail') return undefined
  const unmet = unmetJudgements(row)
  if (rule === undefined) return unmet[0]
  return unmet.find((judgement) => judgement.rules.includes(rule) && unmetVerdict(judgement) === 'fail')
}

/**
 * The failures that do not depend on the expectation: a server error, a body that is not JSON, or no response. Undefined for
 * any other failure.
 */
export function brokenAnswerOf(row: Failed): string | undefined {
  const unmet = unmetJudgements(row)
  for (const { subject, actual } of unmet) {
    if (subject === 'answer') return `no response: ${cut(withoutVolatile(actual), longestPart)}`
    if (subject === 'status' && isServerError(actual)) return serverError(actual)
  }
  if (unmet.some(({ actual }) => notJson.test(actual))) return 'a response that is not JSON'
  if (row.judgements.some(({ met }) => !met)) return undefined
  // A failed fixture has no judgements, only a reason.
  const [, status] = /found (5\d\d)\b/.exec(row.reason ?? '') ?? []
  return status === undefined ? undefined : serverError(status)
}

/** What the judge records for a body that it cannot parse, in any version. */
const notJson = /^(?:no|invalid) JSON$/

const isServerError = (status: string): boolean => /^5\d\d\b/.test(status)
const serverError = (status: string): string => `server error ${status.slice(0, 3)}`

/** The divergences that explain the failure: those of other profiles, or unmet ones of the own profile. */
export function divergencesBehind(row: Failed): string[] {
  if (row.known) return row.known
  return [...new Set(unmetJudgements(row).flatMap(({ divergence }) => divergence ?? []))]
}
