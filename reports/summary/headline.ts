/** The first line of every result: whether it passed, and how many rows were planned, judged and passed. */

import type { TallyResult } from '../../record/judgements/tally.js'
import type { RunHeader } from '../../record/types/record.js'
import { type Verdict, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { count } from '../wording/words.js'

/** `selection passed`: nothing failed, and not the whole suite was run. */
export type Outcome = 'conforming' | 'selection passed' | 'not conforming' | 'incomplete'

const words: Readonly<Record<Outcome, string>> = {
  conforming: 'PASS',
  'selection passed': 'PASS',
  'not conforming': 'FAIL',
  incomplete: 'INCOMPLETE',
}

type Planned = Pick<RunHeader, 'only' | 'planned' | 'selection' | 'suite'>

/** Rows of a run by what became of them. */
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

/** `PASS: 1988 of 2192 rows passed; 1988 judged, 200 not applicable, 4 blocked; 9 mandatory rules not examined`. */
export function headline(
  outcome: Outcome,
  header: Planned,
  { counts, unexamined }: Pick<TallyResult, 'counts' | 'unexamined'>,
): string {
  const { planned, judged, passed } = rowTotals(header.planned, counts)
  const others = verdicts.flatMap((verdict) =>
    verdict === 'pass' || counts[verdict] === 0 ? [] : [countInWords(counts[verdict], verdict)],
  )
  const rules = isSelection(header) ? '' : `; ${examinedInWords(unexamined.length)}`
  return `${words[outcome]}${scopeInWords(header)}: ${passed} of ${count(planned, 'row')} passed; ${[`${judged} judged`, ...others].join(', ')}${rules}`
}

const adjectives: Partial<Record<Verdict, string>> = {
  fail: 'failed',
  blocked: 'blocked',
  excused: 'excused',
  'not-applicable': 'not applicable',
  'follows-the-text': 'as the text says',
}

const countInWords = (rows: number, verdict: Verdict): string => {
  const adjective = adjectives[verdict]
  return adjective === undefined
    ? count(rows, verdict, `${verdict}${verdict.endsWith('s') ? 'es' : 's'}`)
    : `${rows} ${adjective}`
}

const examinedInWords = (unexamined: number): string =>
  unexamined === 0 ? 'every mandatory rule examined' : `${count(unexamined, 'mandatory rule')} not examined`

/** Whether a part of the suite was run that is no scope of its own, however it was chosen. */
export const isSelection = ({ only, planned, selection, suite: { rows = planned } }: Planned): boolean =>
  only !== undefined || (selection?.operations === undefined && planned < rows)

function scopeInWords(header: Planned): string {
  const { planned, selection, suite } = header
  if (isSelection(header))
    return suite.rows === undefined ? ' (selection)' : ` (selection of ${planned} of ${count(suite.rows, 'row')})`
  return selection?.operations ? ` (${selection.operations.join(', ')})` : ''
}
