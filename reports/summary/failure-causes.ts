/** Causes of failures, titled by what they break. */
import { firstOf } from '../../lib/first-of.js'
import { groupBy } from '../../lib/group-by.js'
import { unmetRules } from '../../record/judgements/rule-verdicts.js'
import type { RecordedDivergence, RecordedProfile, RunHeader, RunRow } from '../../record/types/record.js'
import { decisiveExchange } from '../wording/reason.js'
import { callOf } from '../wording/reason-words.js'
import { isFailure, ruleOf } from '../wording/rows.js'
import { obligation, ruleTag } from '../wording/terms.js'
import { type CauseOfRows, causeInWords, causesOf, divergenceOfAll, exampleInWords } from './cause.js'

interface Difference {
  /** `status: expected 4xx, found 200`. */
  text: string
  /** Number. */
  rows: number
}

export interface FailureCause {
  /** The broken sentence of the text, a divergence, or the cause itself: `server error 500`. */
  title: string
  /** Rule, strength and section; without a rule of the cause, its obligation or the broken rules of its rows. */
  tag: string
  /** Empty if the title states the difference. */
  differences: Difference[]
  passages: readonly string[]
  /** It explains each difference of the rows. */
  divergence?: string
  /** The first row of each difference comes first. */
  rows: RunRow[]
  /** The differences are the requests with a broken answer. */
  isAnswer?: true
  /** Nothing shows that the participant is wrong. */
  isBlocked: boolean
}

/** Characters of each value of a difference. */
const longestValue = 200
const rulesNamed = 3

/**
 * Each row has one cause. The largest first, but blocked rows after failed ones, and divergences last. Causes with one
 * title are one, also if the text requires one difference and the profile another.
 */
export function failureCauses(rows: readonly RunRow[], header: RunHeader): FailureCause[] {
  // A failed row shows the cause better than a blocked one.
  const failed = rows.filter(isFailure).toSorted((a, b) => Number(isUnjudged(a)) - Number(isUnjudged(b)))
  const found = [...groupBy(failed, divergenceOfAll)].flatMap(([divergence, some]) =>
    causesOf(some).map((cause) => titled(cause, divergence, header)),
  )
  const alike = groupBy(found, ({ title, unknownRule, divergence, isBlocked }) =>
    JSON.stringify([title, unknownRule, divergence, isBlocked]),
  )
  const merged = [...alike.values()].flatMap((some) => some.slice(0, 1).map((first) => together(first, some)))
  return merged.sort((a, b) => rankOf(a) - rankOf(b) || b.rows.length - a.rows.length)
}

const isUnjudged = ({ verdict }: RunRow): boolean => verdict === 'blocked'

const rankOf = ({ divergence, isBlocked }: FailureCause): number => (divergence !== undefined ? 2 : isBlocked ? 1 : 0)

interface TitledCause extends FailureCause {
  /** The text alone may permit the difference. */
  isOfProfile?: true
  /** Without its sentence, a status has the same title in rows of any rules. */
  unknownRule?: string
}

function together(
  { isOfProfile: _, unknownRule: __, ...first }: TitledCause,
  all: readonly TitledCause[],
): FailureCause {
  const rows = [...all.flatMap((one) => one.rows.slice(0, 1)), ...all.flatMap((one) => one.rows.slice(1))]
  const tags = [...new Set(all.map(({ tag }) => tag))].filter((tag) => tag !== '')
  const byText = all.every((one) => one.isOfProfile) ? alsoByText(rows) : ''
  return {
    ...first,
    tag: `${firstOf(tags, rulesNamed, (left) => `and ${left} more`).join('; ')}${byText}`,
    differences: all.flatMap(({ differences }) => differences),
    rows,
  }
}

function titled(cause: CauseOfRows<RunRow>, divergence: string | undefined, header: RunHeader): TitledCause {
  const { rule: id, obligation: own, rows } = cause
  const differences = [{ text: causeInWords(cause, longestValue), rows: rows.length }]
  const examples = exampleInWords(cause, longestValue).map((text) => ({ text, rows: rows.length }))
  const isBlocked = rows.every(isUnjudged)
  if (divergence !== undefined) {
    const known = divergenceOf(header, divergence)
    const tag = known ? `divergence of ${known.profile} from ${known.rule}` : 'divergence, not in the record'
    const title = known?.statement ?? divergence
    return { title, tag: `${divergence}, ${tag}`, differences, passages: [], divergence, rows, isBlocked }
  }
  const rule = id === undefined ? undefined : ruleOf(header, id)
  const shared = { passages: rule?.passages ?? [], rows, isBlocked }
  if (!rule || cause.isRoot) {
    const unruled = own ? obligation(own) : brokenRules(rows)
    const tag = id === undefined ? unruled : rule ? id : `${id}, not in the record`
    const unknown = id !== undefined && !rule && { unknownRule: id }
    const root = { ...shared, ...unknown, title: cause.sentence, tag }
    return cause.isAnswer
      ? { ...root, differences: requestsIn(rows), isAnswer: true }
      : { ...root, differences: examples }
  }
  if (!own || own.confidence === 'text')
    return { ...shared, title: rule.statement, tag: `${rule.id}, ${ruleTag(rule)}`, differences }
  // A value that only the profile rejects can meet the sentence of the rule. The text can reject another value of the row.
  const named = cause.example
    ? { title: cause.sentence, differences: examples }
    : { title: rule.statement, differences }
  return { ...shared, ...named, tag: `${rule.id}, ${obligation(own)}`, isOfProfile: true }
}

/** Several faults of a participant can break the answers of several operations. */
function requestsIn(rows: readonly RunRow[]): Difference[] {
  const calls = rows.flatMap((row) => {
    const { step = -1 } = decisiveExchange(row) ?? {}
    const operation = row.resolved.steps[step]?.operation
    return operation === undefined ? [] : [callOf(operation)]
  })
  return [...groupBy(calls, (call) => call)]
    .map(([text, all]) => ({ text, rows: all.length }))
    .toSorted((a, b) => b.rows - a.rows)
}

/** An expectation of the profile may be more than the text contains. A reader must see that these rows break the text, too. */
const alsoByText = (rows: readonly RunRow[]): string =>
  rows.every(({ verdictByText }) => verdictByText === 'fail')
    ? `; by the text alone, ${rows.length === 1 ? 'the row fails' : 'the rows fail'}, too`
    : ''

/** A server error breaks another rule in each kind of row. */
function brokenRules(rows: readonly RunRow[]): string {
  const ids = new Set(rows.filter(({ verdict }) => verdict === 'fail').flatMap(unmetRules))
  return firstOf([...ids], rulesNamed, (left) => `and ${left} more`).join(', ')
}

export function divergenceOf(
  { profile }: { profile: RecordedProfile },
  id: string,
): (RecordedDivergence & { profile: string }) | undefined {
  const found = profile.divergences.find((one) => one.id === id)
  return found && { ...found, profile: profile.name }
}
