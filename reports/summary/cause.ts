import { unmetVerdict } from '../../record/judgements/unmet-verdict.js'
import type { Judgement, RunRow } from '../../record/types/record.js'
import { cut } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { subjectText, unmetJudgements } from '../wording/rows.js'
import { roleWords } from '../wording/step-words.js'
import { withoutVolatile } from '../wording/volatile.js'

/** What of a row tells why it fell short; full rows and the page's small ones have it. */
export type Failed = Pick<RunRow, 'verdict' | 'reason' | 'judgements' | 'known'>

/** How a row fell short: what was expected, what came, at which kind of step. */
export interface CauseText {
  sentence: string
  /** The sentence in its parts, where it is about one judgement. */
  parts?: { subject: string; expected: string; actual: string }
}

const longestSentence = 400
const longestPart = 200

/**
 * Why a row did not pass, in one sentence that is the same for every row that fell short in the same way: `normalise` takes
 * out what differs all the same.
 */
export const causeOf = (row: Failed, normalise?: (text: string) => string): string =>
  causeText(row, undefined, normalise).sentence

/** The same with its parts; by what the row did not meet of one rule, where that is asked for. */
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

/** The same words for steps of any name. */
const withoutStep = (reason: string): string => reason.replace(/^setup step \S+ failed/, 'a setup step failed')

const subjectOf = (judgement: Judgement): string =>
  judgement.role === 'act' ? subjectText(judgement) : `${roleWords[judgement.role]}, ${subjectText(judgement)}`

/** The judgement by which the row failed: the rule's own, or that which weighs most. */
function judgementOf(row: Failed, rule: string | undefined): Judgement | undefined {
  if (row.verdict !== 'fail') return undefined
  const unmet = unmetJudgements(row)
  if (rule === undefined) return unmet[0]
  return unmet.find((judgement) => judgement.rules.includes(rule) && unmetVerdict(judgement) === 'fail')
}

/**
 * What came in place of an answer that could be held against anything, in words that are the same whatever was expected: a
 * server error where none belongs, what is no JSON, or no answer. Undefined where the row fell short in another way.
 */
export function brokenAnswerOf(row: Failed): string | undefined {
  const unmet = unmetJudgements(row)
  for (const { subject, actual } of unmet) {
    if (subject === 'answer') return `no answer: ${cut(withoutVolatile(actual), longestPart)}`
    if (subject === 'status' && isServerError(actual)) return serverError(actual)
  }
  if (unmet.some(({ actual }) => actual === invalidJson)) return 'an answer with invalid JSON'
  if (row.judgements.some(({ met }) => !met)) return undefined
  // What a fixture met is told in words alone.
  const [, status] = /found (5\d\d)\b/.exec(row.reason ?? '') ?? []
  return status === undefined ? undefined : serverError(status)
}

/** As the judge says of a body of which members are expected. */
const invalidJson = 'invalid JSON'

const isServerError = (status: string): boolean => /^5\d\d\b/.test(status)
const serverError = (status: string): string => `server error ${status.slice(0, 3)}`

/** The divergences that explain the failure: known of another profile, or what is not met of the own one. */
export function divergencesBehind(row: Failed): string[] {
  if (row.known) return row.known
  return [...new Set(unmetJudgements(row).flatMap(({ divergence }) => divergence ?? []))]
}
