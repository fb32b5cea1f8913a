import { unmetVerdict } from '../../record/judgements/counting-judgements.js'
import type { Judgement, RunRow } from '../../record/types/record.js'
import { cut } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { unmetJudgements } from '../wording/rows.js'
import { withoutVolatile } from '../wording/volatile.js'
import { faultText } from './fault.js'

export type Failed = Pick<RunRow, 'verdict' | 'reason' | 'judgements' | 'known'>

/** A rule, a place in an answer and a kind of difference; or a reason without a judgement. */
export interface Fault {
  sentence: string
  rule?: string
  example?: { expected: string; actual: string }
}

export interface CauseOfRows<R> extends Fault {
  rows: R[]
}

/** `body /offset: wrong number; for example expected 7, found 8`: values of one row, if they add something. */
export function causeInWords({ sentence, example }: Fault, longestValue: number): string {
  const isKnown = ({ expected, actual }: NonNullable<Fault['example']>): boolean =>
    sentence.endsWith(`expected ${expected}, found ${actual}`)
  if (!example || isKnown(example)) return sentence
  const expected = cut(example.expected, longestValue)
  // The schema check states its expectation as a clause.
  const wanted = expected.startsWith('must ') ? expected : `expected ${expected}`
  return `${sentence}; for example ${wanted}, found ${cut(example.actual, longestValue)}`
}

const longestSentence = 400
const longestPart = 200

/** Equal for rows with the same failure; `normalise` removes values that differ between them. */
export const causeOf = (row: Failed, normalise?: (text: string) => string): string =>
  faultsOf(row, undefined, normalise)[0]?.sentence ?? ''

/** All differences of a failure, sorted: equal for rows with the same failure. */
export const faultsInWords = (row: Failed, normalise: (text: string) => string): string =>
  faultsOf(row, undefined, normalise).map(keyOf).sort().join('\n')

/** Without the names of steps and fixtures, rows of different cases have the same cause. */
const withoutNames = (reason: string): string =>
  reason
    .replace(/^setup step \S+ failed/, 'a setup step failed')
    .replace(/^the fixture \S+ failed: \S+: /, 'a fixture failed: ')
    .replace(/^the fixture \S+ failed: \S+ did not return \S+ \((\S+)\)$/, 'a fixture failed: a response lacks $1')

/** Never empty. With a rule, only the differences from this rule. */
function faultsOf(row: Failed, rule?: string, normalise = withoutVolatile): Fault[] {
  const broken = rule === undefined && !row.known ? brokenAnswerOf(row) : undefined
  if (broken !== undefined) return [{ sentence: broken }]
  const faults = new Map<string, Fault>()
  for (const judgement of rule === undefined ? deciding(row) : unmetBy(row)) {
    const sentence = faultText(judgement)
    const example = { expected: cut(judgement.expected, longestPart), actual: cut(judgement.actual, longestPart) }
    for (const id of judgement.rules.length > 0 ? judgement.rules : [undefined]) {
      if (rule !== undefined && id !== rule) continue
      const fault = { sentence, ...(id !== undefined && { rule: id }), example }
      if (!faults.has(keyOf(fault))) faults.set(keyOf(fault), fault)
    }
  }
  // A blocked row can share its failed step with failed rows, and its reason with other blocked rows.
  if (faults.size > 0 && row.verdict === 'fail') return [...faults.values()]
  return [...faults.values(), { sentence: cut(normalise(withoutNames(reasonOf(row))), longestSentence) }]
}

const keyOf = ({ rule = '', sentence }: Fault): string => `${rule} ${sentence}`

const unmetBy = (row: Failed): Judgement[] =>
  row.verdict === 'fail' || row.verdict === 'blocked'
    ? unmetJudgements(row).filter((one) => unmetVerdict(one) === 'fail')
    : []

/** A wrong status explains the other differences of its answer. */
function deciding(row: Failed): Judgement[] {
  const unmet = unmetBy(row)
  const rejected = new Set(unmet.filter(({ subject }) => subject === 'status').map(answerOf))
  return unmet.filter((one) => !/^(?:body|header)/.test(one.subject) || !rejected.has(answerOf(one)))
}

const answerOf = ({ step, attempt = 0 }: Judgement): string => `${step}/${attempt}`

/**
 * The fewest causes that a greedy choice finds: the difference in most rows first. One wrong member fails several rules
 * in each of its rows, and is one cause. With a rule, only its differences count.
 */
export function causesOf<R extends Failed>(rows: readonly R[], rule?: string): CauseOfRows<R>[] {
  const shared = new Map<string, CauseOfRows<R>>()
  for (const row of rows) {
    for (const fault of faultsOf(row, rule)) {
      const cause = shared.get(keyOf(fault)) ?? { ...fault, rows: [] }
      shared.set(keyOf(fault), cause)
      cause.rows.push(row)
    }
  }
  const bySize = new Map<number, CauseOfRows<R>[]>()
  const queue = (cause: CauseOfRows<R>): void => {
    const { length } = cause.rows
    const known = bySize.get(length)
    if (known) known.push(cause)
    else bySize.set(length, [cause])
  }
  for (const cause of shared.values()) queue(cause)
  const left = new Set(rows)
  const causes: CauseOfRows<R>[] = []
  for (let size = rows.length; size > 0; size -= 1) {
    for (const cause of bySize.get(size) ?? []) {
      cause.rows = cause.rows.filter((row) => left.has(row))
      if (cause.rows.length < size) queue(cause)
      else causes.push(cause)
      if (cause.rows.length === size) for (const row of cause.rows) left.delete(row)
    }
  }
  return causes
}

/** A server error, invalid JSON or no response fails any expectation. Undefined for other failures. */
function brokenAnswerOf(row: Failed): string | undefined {
  const unmet = unmetJudgements(row)
  for (const { subject, actual } of unmet) {
    if (subject === 'answer') return `no response: ${cut(withoutVolatile(actual), longestPart)}`
    if (subject === 'status' && isServerError(actual)) return serverError(actual)
  }
  if (deciding(row).some(({ actual }) => notJson.test(actual))) return 'a response that is not JSON'
  if (row.judgements.some(({ met }) => !met)) return undefined
  // A failed fixture has no judgements, only a reason.
  const [, status] = /found (5\d\d)\b/.exec(row.reason ?? '') ?? []
  return status === undefined ? undefined : serverError(status)
}

/** The judge records this for a body that it cannot parse, in any version. */
const notJson = /^(?:no|invalid) JSON$/

const isServerError = (status: string): boolean => /^5\d\d\b/.test(status)
const serverError = (status: string): string => `server error ${status.slice(0, 3)}`

/** The divergence that explains each difference of a failure. */
export function divergenceOfAll(row: Failed): string | undefined {
  const isExplained = row.known !== undefined || deciding(row).every(({ divergence }) => divergence !== undefined)
  return isExplained ? divergencesBehind(row)[0] : undefined
}

/** Divergences of other profiles, or unmet ones of the own profile. */
export function divergencesBehind(row: Failed): string[] {
  if (row.known) return row.known
  return [...new Set(unmetJudgements(row).flatMap(({ divergence }) => divergence ?? []))]
}
