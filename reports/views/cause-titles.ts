/** Causes of failures, titled by what they break. */
import { groupBy } from '../../lib/group-by.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRow } from '../../record/types/record.js'
import { causeInWords } from '../summary/cause.js'
import { type Cause, type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { ruleOf } from '../wording/rows.js'
import { ruleTag } from '../wording/terms.js'

export interface TitledCause {
  /** The broken sentence of the text, or the cause itself: `server error 500`. */
  title: string
  /** Rule, strength and section; empty without a rule. */
  tag: string
  /** `status: expected 4xx, found 200`; empty if the title states it. */
  differences: [text: string, rows: number][]
  passages: readonly string[]
  rows: RunRow[]
  isBlocked: boolean
}

const longestValue = 200

/** The largest first, but blocked rows after failed ones. Causes with one title are one. */
export function titledCauses(rows: readonly RunRow[], header: RunHeader): TitledCause[] {
  const found = failureGroups(rows, header, rulesOf).flatMap((group) =>
    group.causes.map((cause) => titled(cause, group, header)),
  )
  const alike = groupBy(found, ({ title, tag, isBlocked }) => JSON.stringify([title, tag, isBlocked]))
  const merged = [...alike.values()].flatMap(([first, ...others]) => (first ? [others.reduce(together, first)] : []))
  return merged.sort((a, b) => Number(a.isBlocked) - Number(b.isBlocked) || b.rows.length - a.rows.length)
}

const together = (one: TitledCause, other: TitledCause): TitledCause => ({
  ...one,
  differences: [...one.differences, ...other.differences],
  rows: [...one.rows, ...other.rows],
})

function titled(cause: Cause<RunRow>, group: FailureGroup<RunRow>, header: RunHeader): TitledCause {
  const { rule, rows } = cause
  const differences: TitledCause['differences'] = [[causeInWords(cause, longestValue), rows.length]]
  const isBlocked = rows.every(({ verdict }) => verdict === 'blocked')
  const own = { passages: group.passages, rows, isBlocked }
  const known = rule === undefined || cause.isRoot ? undefined : ruleOf(header, rule)
  if (group.divergence !== undefined)
    return { ...own, title: group.statement || group.title, tag: `${group.title}, ${group.tag}`, differences }
  if (!known) return { ...own, title: cause.sentence, tag: rule ?? '', differences: [] }
  return { ...own, title: known.statement, tag: `${known.id}, ${ruleTag(known)}`, differences }
}
