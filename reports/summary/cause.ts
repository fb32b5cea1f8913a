import { groupBy } from '../../lib/group-by.js'
import { unmetVerdict } from '../../record/judgements/counting-judgements.js'
import { type CheckedFact, jsonBody, type Reason } from '../../record/types/reason.js'
import type { Judgement, RowResult } from '../../record/types/record.js'
import type { CheckName } from '../../record/types/resolved-row.js'
import { cut } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { foundText, reasonText } from '../wording/reason-words.js'
import { unmetJudgements } from '../wording/rows.js'
import type { Obligation } from '../wording/terms.js'
import { faultOf, type JudgedFault } from './fault.js'
import { reasonKey } from './reason-key.js'

/** A rule, a place in an answer and a kind of difference; or a reason without a judgement. */
export interface Fault extends JudgedFault {
  /** Equal for rows with the same fault. */
  key: string
  rule?: string
  /** The first rule of the judgement. */
  firstRule?: string
  /** Of the first judgement. */
  obligation?: Obligation
  /** The sentence states the cause, not only a difference. */
  isRoot?: true
  /** A whole answer is broken, of whatever request. */
  isAnswer?: true
}

export interface CauseOfRows<R> extends Fault {
  rows: R[]
}

/** `body /offset: wrong number; for example expected 7, found 8`. */
export const causeInWords = (fault: Fault, longestValue: number): string =>
  [fault.sentence, ...exampleInWords(fault, longestValue)].join('; ')

/** Empty if the sentence contains both values. */
export function exampleInWords({ example }: Fault, longestValue: number): string[] {
  if (!example) return []
  const wanted = example.wanted === undefined ? '' : `${cut(example.wanted, longestValue)}, `
  return [`for example ${wanted}found ${cut(example.found, longestValue)}`]
}

const longestSentence = 400
const longestPart = 200

/** In words. */
export const causeOf = (row: RowResult): string => faultsOf(row)[0]?.sentence ?? ''

/** All differences of a failure: equal for rows with the same failure, in any run. */
export const faultKeys = (row: RowResult): string =>
  faultsOf(row)
    .map(({ key }) => key)
    .sort()
    .join('\n')

/** Never empty. */
function faultsOf(row: RowResult): Fault[] {
  const broken = row.known ? undefined : brokenAnswerOf(row)
  if (broken) return [broken]
  const faults = new Map<string, Fault>()
  for (const judgement of deciding(row)) {
    if (judgement.because) {
      const root = rootOf(judgement, judgement.because)
      faults.set(root.key, root)
      continue
    }
    if (isForm(judgement)) {
      const { strength, confidence } = judgement
      const form = wrongForm(judgement)
      faults.set(form.key, { ...form, obligation: { strength, confidence } })
      continue
    }
    const fault = faultOf(judgement)
    for (const id of judgement.rules.length > 0 ? judgement.rules : [undefined]) {
      const key = `${id ?? ''} ${fault.sentence}`
      if (!faults.has(key)) faults.set(key, { ...fault, key, ...(id !== undefined && rulesIn(judgement, id)) })
    }
  }
  // A blocked row can share its failed step with failed rows, and its reason with other blocked rows.
  if (faults.size > 0 && row.verdict === 'fail') return [...faults.values()]
  const key = row.reason ? reasonKey(row.reason) : row.verdict
  return [...faults.values(), { key, sentence: cut(reasonOf(row), longestSentence) }]
}

const mediaType = 'header content-type'

/** Each outcome also requires a media type, and a form of the error body. Its rules do not state them. */
const isForm = ({ subject, check, situation }: Judgement): boolean =>
  subject === mediaType || (subject === 'body' && situation !== undefined && !outcomeValues.has(check))

/** Checks of values that distinguish one outcome from others, such as the error code. */
const outcomeValues: ReadonlySet<string> = new Set<CheckName>(['equals', 'present', 'text', 'hash', 'resources'])

const rulesIn = ({ rules: [firstRule = ''], strength, confidence }: Judgement, rule: string) => ({
  rule,
  firstRule,
  obligation: { strength, confidence },
})

/** A finding about the ledger explains all its rows, whatever their ids and offsets. */
function rootOf({ rules: [rule] }: Judgement, because: Reason): Fault {
  const sentence = cut(reasonText(because), longestSentence)
  return { key: reasonKey(because), sentence, isRoot: true, ...(rule !== undefined && { rule }) }
}

const unmetBy = (row: RowResult): Judgement[] =>
  row.verdict === 'fail' || row.verdict === 'blocked'
    ? unmetJudgements(row).filter((one) => unmetVerdict(one) === 'fail')
    : []

/**
 * A wrong status explains the other differences of its answer. A transaction that no answer reports explains what probes
 * show, and breaks their rules.
 */
function deciding(row: RowResult): Judgement[] {
  const unmet = unmetBy(row)
  const rejected = new Set(unmet.filter(({ subject }) => subject === 'status').map(answerOf))
  const found = unmet.filter((one) => !isContent(one) || !rejected.has(answerOf(one)))
  const probes = found.filter(({ role }) => role === 'probe-after')
  if (probes.length === 0 || !found.some(isEffect)) return found
  const broken = probes.flatMap(({ rules }) => rules)
  return found
    .filter((one) => !probes.includes(one))
    .map((one) => (isEffect(one) ? { ...one, rules: [...new Set([...broken, ...one.rules])] } : one))
}

const isEffect = ({ check }: Judgement): boolean => check === 'effects'

const isContent = ({ subject }: Judgement): boolean => subject === 'body' || subject.startsWith('header ')

const answerOf = ({ step, attempt = 0 }: Judgement): string => `${step}/${attempt}`

/**
 * The fewest causes that a greedy choice finds: the difference in most rows first. One wrong member fails several rules
 * in each of its rows, and is one cause.
 */
export function causesOf<R extends RowResult>(rows: readonly R[]): CauseOfRows<R>[] {
  const faults = new Map(rows.map((row) => [row, faultsOf(row)]))
  const shared = new Map<string, CauseOfRows<R>>()
  for (const [row, own] of faults) {
    for (const fault of own) {
      const cause = shared.get(fault.key) ?? { ...fault, rows: [] }
      shared.set(fault.key, cause)
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
  return causes.map((cause) => {
    const alike = cause.rows.flatMap((row) => faults.get(row)?.find(({ key }) => key === cause.key) ?? [])
    return { ...cause, ...mostSpecific(alike) }
  })
}

/** An expectation names the broken rule first. The first rule of most rows names a cause better than one that all rows share. */
function mostSpecific(faults: readonly Fault[]): { rule: string; obligation?: Obligation } | undefined {
  const alike = groupBy(faults, ({ firstRule }) => firstRule)
  for (const [rule, [first, ...others]] of alike)
    if (rule !== undefined && 2 * (others.length + 1) > faults.length)
      return { rule, ...(first?.obligation && { obligation: first.obligation }) }
  return undefined
}

/** A server error, invalid JSON or no response fails any expectation. Undefined for other failures. */
function brokenAnswerOf(row: RowResult): Fault | undefined {
  for (const judgement of unmetJudgements(row)) {
    const fault = judgement.notJson ? undefined : brokenAnswerIn(judgement)
    if (fault) return fault
  }
  if (deciding(row).some(({ notJson }) => notJson)) return invalidJson
  if (row.judgements.some(({ met }) => !met)) return undefined
  // A failed fixture has no judgements, only a reason.
  return row.reason && brokenAnswerBehind(row.reason)
}

function brokenAnswerIn(fact: CheckedFact): Fault | undefined {
  const { subject, check, found, notJson } = fact
  if (check === 'answer') return broken(`no response ${found[0]}`, `no response: ${cut(foundText(fact), longestPart)}`)
  if (subject === 'status' && found[0]?.[0] === '5') return broken(`server error ${found[0]}`)
  return notJson ? invalidJson : undefined
}

/** In the answer that a fixture or a step needs. */
function brokenAnswerBehind(reason: Reason): Fault | undefined {
  if (reason.code === 'fixture-failed' || reason.code === 'nothing-accepted')
    return reason.because && brokenAnswerBehind(reason.because)
  if (reason.code === 'not-captured')
    return reason.missing.some(({ form }) => form === jsonBody) ? invalidJson : undefined
  if (!('unmet' in reason)) return undefined
  const { unmet } = reason
  return brokenAnswerIn(unmet) ?? (unmet.subject === mediaType ? wrongForm(unmet) : undefined)
}

function wrongForm(fact: CheckedFact): Fault {
  const fault = faultOf(fact)
  return { ...fault, key: fault.sentence, isRoot: true }
}

const broken = (key: string, sentence = key): Fault => ({ key, sentence, isAnswer: true })

const invalidJson = broken('not JSON', 'a response that is not JSON')

/** The divergence that explains each difference of a failure. */
export function divergenceOfAll(row: RowResult): string | undefined {
  const isExplained = row.known !== undefined || deciding(row).every(({ divergence }) => divergence !== undefined)
  return isExplained ? divergencesBehind(row)[0] : undefined
}

/** Divergences of other profiles, or unmet ones of the own profile. */
export function divergencesBehind(row: RowResult): string[] {
  if (row.known) return row.known
  return [...new Set(unmetJudgements(row).flatMap(({ divergence }) => divergence ?? []))]
}
