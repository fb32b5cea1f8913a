import type { RunHeader, RunRecord, RunRow, Tally } from '../types/record.js'
import { countVerdicts, nonConforming } from '../types/verdict.js'
import { examineRules, type RuleExamination } from './examination.js'

export interface TallyResult extends Tally {
  unexamined: string[]
  rules: RuleExamination[]
}

function wasExecuted(row: RunRow): boolean {
  return row.evidence.some(({ role, problem }) => role === 'act' && problem?.code !== 'not-sent')
}

/**
 * A run without judged rows is never conforming.
 * @example
 * const { counts, conforming } = tallyOf(record.header, record.rows)
 * counts.fail === 0 || !conforming // true
 */
export function tallyOf(header: RunHeader, rows: readonly RunRow[]): TallyResult {
  const counts = countVerdicts(rows.map(({ verdict }) => verdict))
  const complete = rows.length === header.plan.length && new Set(rows.map(({ id }) => id)).size === rows.length
  const judgedSomething = rows.length > counts['not-applicable']
  const conforming = complete && judgedSomething && nonConforming.every((verdict) => counts[verdict] === 0)
  const rules = examineRules(header, rows)
  const unexamined = rules.flatMap(({ rule, state }) => (state === 'examined' ? [] : [rule.id]))
  return { executed: rows.filter(wasExecuted).length, counts, complete, conforming, unexamined, rules }
}

/** The run did not end early, and its record is undamaged. */
export const isComplete = ({ footer, defects }: RunRecord): boolean =>
  footer?.complete === true && footer.ended === undefined && defects.length === 0

/**
 * The request under test was sent, but the ledger was not read for its expected effects. Rows of presigned transactions
 * share a marker, so they rely on the reads after the last row alone. A merged record has no reads.
 */
export function lacksLateCheck({ resolved, evidence, verdict }: RunRow, { header, oracles }: RunRecord): boolean {
  if (resolved.steps.some(({ presigned }) => presigned) && (oracles || header.merged)) return false
  if (verdict === 'blocked' || verdict === 'error' || evidence.some(({ role }) => role === 'late-check')) return false
  const index = resolved.steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  return evidence.some(({ step, role }) => role === 'act' && step === index)
}
