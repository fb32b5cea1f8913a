import type { TallyResult } from '../../record/judgements/tally.js'
import type { Planned } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { count } from '../wording/words.js'

/** `selection passed`: no row of a part of the suite failed. */
export type Outcome = 'conforming' | 'selection passed' | 'not conforming' | 'incomplete'

const words: Readonly<Record<Outcome, string>> = {
  conforming: 'PASS',
  'selection passed': 'PASS',
  'not conforming': 'FAIL',
  incomplete: 'INCOMPLETE',
}

export const statusWord = (outcome: Outcome): string => words[outcome]

export interface RowTotals {
  planned: number
  judged: number
  passed: number
}

export function rowTotals(planned: number, counts: VerdictCounts): RowTotals {
  const recorded = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  const judged = recorded - counts['not-applicable'] - counts.blocked - counts.error
  return { planned, judged, passed: counts.pass }
}

/**
 * `PASS: 1988 of 2192 rows passed, 0 failed, 4 blocked, 200 not applicable; 9 mandatory rules not tested`.
 * `contradictions`: of no single row.
 */
export function headline(
  outcome: Outcome,
  header: Planned,
  { counts, unexamined }: TallyResult,
  contradictions: number,
): string {
  const planned = header.plan.length
  const others = verdicts.flatMap((verdict) =>
    verdict === 'pass' || (verdict !== 'fail' && counts[verdict] === 0)
      ? []
      : [count(counts[verdict], ...adjectives[verdict])],
  )
  if (contradictions > 0) others.push(`${count(contradictions, 'contradiction')} between the ledger and the answers`)
  const unrecorded = planned - verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  if (unrecorded > 0) others.push(`${unrecorded} without a result`)
  const rules = isSelection(header) ? '' : `; ${testedInWords(unexamined.length)}`
  return `${words[outcome]}${scopeInWords(header)}: ${counts.pass} of ${planned} rows passed, ${others.join(', ')}${rules}`
}

const adjectives: Record<Exclude<Verdict, 'pass'>, [one: string, several: string]> = {
  fail: ['failed', 'failed'],
  error: ['error', 'errors'],
  blocked: ['blocked', 'blocked'],
  'unexpected-pass': ['unexpected pass', 'unexpected passes'],
  warning: ['warning', 'warnings'],
  excused: ['excused', 'excused'],
  'follows-the-text': ['following the text, not the profile', 'following the text, not the profile'],
  'not-applicable': ['not applicable', 'not applicable'],
}

const testedInWords = (untested: number): string =>
  untested === 0 ? 'every mandatory rule tested' : `${count(untested, 'mandatory rule')} not tested`

/** A scope of operations is no selection. */
export const isSelection = ({ only, plan, selection, suite: { rows = plan.length } }: Planned): boolean =>
  only !== undefined || (selection?.operations === undefined && plan.length < rows)

export function scopeInWords(header: Planned): string {
  const { plan, selection, suite } = header
  if (isSelection(header))
    return suite.rows === undefined ? ' (selection)' : ` (selection of ${plan.length} of ${suite.rows} rows)`
  return selection?.operations ? ` (${selection.operations.join(', ')})` : ''
}
