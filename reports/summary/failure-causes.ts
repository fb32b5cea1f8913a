/** Causes of failures, titled by what they break. */
import { groupBy } from '../../lib/group-by.js'
import type { RecordedDivergence, RunHeader, RunRow } from '../../record/types/record.js'
import { isFailure, ruleOf } from '../wording/rows.js'
import { obligation, ruleTag } from '../wording/terms.js'
import { type CauseOfRows, causeInWords, causesOf, divergenceOfAll } from './cause.js'

export interface FailureCause {
  /** The broken sentence of the text, a divergence, or the cause itself: `server error 500`. */
  title: string
  /** Rule, strength and section; empty without a rule. */
  tag: string
  /** `status: expected 4xx, found 200`; empty if the title states it. */
  differences: [text: string, rows: number][]
  passages: readonly string[]
  /** It explains each difference of the rows. */
  divergence?: string
  rows: RunRow[]
  /** Nothing shows that the participant is wrong. */
  isBlocked: boolean
}

const longestValue = 200

/**
 * Each row has one cause. The largest first, but blocked rows after failed ones, and divergences last. Causes with one
 * title are one.
 */
export function failureCauses(rows: readonly RunRow[], header: RunHeader): FailureCause[] {
  const found = [...groupBy(rows.filter(isFailure), divergenceOfAll)].flatMap(([divergence, some]) =>
    causesOf(some).map((cause) => titled(cause, divergence, header)),
  )
  const alike = groupBy(found, ({ title, tag, isBlocked }) => JSON.stringify([title, tag, isBlocked]))
  const merged = [...alike.values()].flatMap((some) => some.slice(0, 1).map((first) => together(first, some)))
  return merged.sort((a, b) => rankOf(a) - rankOf(b) || b.rows.length - a.rows.length)
}

const rankOf = ({ divergence, isBlocked }: FailureCause): number => (divergence !== undefined ? 2 : isBlocked ? 1 : 0)

const together = (first: FailureCause, all: readonly FailureCause[]): FailureCause => ({
  ...first,
  differences: all.flatMap(({ differences }) => differences),
  rows: all.flatMap(({ rows }) => rows),
})

function titled(cause: CauseOfRows<RunRow>, divergence: string | undefined, header: RunHeader): FailureCause {
  const { rule: id, obligation: own, rows } = cause
  const differences: FailureCause['differences'] = [[causeInWords(cause, longestValue), rows.length]]
  if (divergence !== undefined) {
    const known = divergenceOf(header, divergence)
    const tag = known ? `divergence of ${known.profile} from ${known.rule}` : 'divergence, not in the record'
    const title = known?.statement ?? divergence
    return { title, tag: `${divergence}, ${tag}`, differences, passages: [], divergence, rows, isBlocked: false }
  }
  const rule = id === undefined ? undefined : ruleOf(header, id)
  const shared = {
    passages: rule?.passages ?? [],
    rows,
    isBlocked: rows.every(({ verdict }) => verdict === 'blocked'),
  }
  if (!rule || cause.isRoot) return { ...shared, title: cause.sentence, tag: id ?? '', differences: [] }
  const weight = own && own.confidence !== 'text' ? obligation(own) : ruleTag(rule)
  return { ...shared, title: rule.statement, tag: `${rule.id}, ${weight}`, differences }
}

export function divergenceOf(
  { profile }: Pick<RunHeader, 'profile'>,
  id: string,
): (RecordedDivergence & { profile: string }) | undefined {
  const found = profile.divergences.find((one) => one.id === id)
  return found && { ...found, profile: profile.name }
}
