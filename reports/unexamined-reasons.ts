import type { RecordedRule, RunHeader, RunRow } from '../record/record.js'
import type { RuleVerdicts } from '../record/rule-verdicts.js'
import { unexaminedRules } from '../record/unexamined-rules.js'
import { count } from './words.js'

/** Reasons that are told of one rule; rows have many. */
const namedReasons = 2

export interface UnexaminedRule {
  rule: RecordedRule
  /** Without a full stop. */
  why: string
}

/** Every obligation that no row judged, with the reason: that of its rows, the commonest first. */
export function unexaminedWithReasons(
  header: Pick<RunHeader, 'rules' | 'profile'>,
  rows: readonly (Pick<RunRow, 'reason'> & { rules: RuleVerdicts })[],
): UnexaminedRule[] {
  const unexamined = unexaminedRules(
    header,
    rows.map(({ rules }) => rules),
  )
  const reasons = new Map(unexamined.map(({ id }) => [id, new Map<string, number>()]))
  for (const { rules, reason = 'not judged' } of rows) {
    for (const [id] of rules) {
      const known = reasons.get(id)
      known?.set(reason, (known.get(reason) ?? 0) + 1)
    }
  }
  return unexamined.map((rule) => ({ rule, why: whyNot(rule, reasons.get(rule.id) ?? new Map()) }))
}

function whyNot({ untestable }: RecordedRule, reasons: ReadonlyMap<string, number>): string {
  if (untestable !== undefined) return `cannot be seen from outside: ${untestable.replace(/\.$/, '')}`
  const told = [...reasons].toSorted(([, a], [, b]) => b - a)
  if (told.length === 0) return 'no row that was run is about it'
  const more = told.length - namedReasons
  const shown = told
    .slice(0, namedReasons)
    .map(([reason, rows]) => `${count(rows, 'row')}: ${reason.replace(/\.$/, '')}`)
  return [...shown, ...(more > 0 ? [`${count(more, 'more reason')}`] : [])].join('; ')
}
