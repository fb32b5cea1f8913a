import { groupBy } from '../../lib/group-by.js'
import { unmetVerdict } from '../../record/judgements/counting-judgements.js'
import type { Judgement, RecordedRule, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { nonConforming, verdicts } from '../../record/types/verdict.js'

interface Listed {
  id: string
  resolved: Pick<ResolvedRow, 'operation' | 'source'>
}

/** Includes blocked rows. */
export function isFailure(row: Pick<RunRow, 'verdict'>): boolean {
  return nonConforming.includes(row.verdict)
}

export function isJudged({ verdict }: Pick<RunRow, 'verdict'>): boolean {
  return !['not-applicable', 'blocked', 'error'].includes(verdict)
}

/** In suite order; a record is in order of completion. */
export const rowsByOperation = <R extends Listed>({ rows }: { rows: R[] }): Map<string, R[]> =>
  groupBy(inSuiteOrder(rows), ({ resolved }) => resolved.operation)

export const inSuiteOrder = <R extends Listed>(rows: readonly R[]): R[] => rows.toSorted(bySource)

const bySource = ({ id, resolved: one }: Listed, { id: otherId, resolved: other }: Listed): number =>
  compare(one.operation, other.operation) ||
  compare(one.source.file, other.source.file) ||
  one.source.line - other.source.line ||
  compare(id, otherId)

/** By code units, independent of the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The worst verdicts first. */
export function unmetJudgements(row: Pick<RunRow, 'judgements'>): Judgement[] {
  const weight = (judgement: Judgement) => verdicts.indexOf(unmetVerdict(judgement))
  return row.judgements.filter(({ met }) => !met).toSorted((a, b) => weight(a) - weight(b))
}

/** Undefined if the header lacks the rule. */
export function ruleOf(header: RunHeader, id: string): RecordedRule | undefined {
  return header.rules.find((rule) => rule.id === id)
}

/** `status`, or `body /error/code` */
export function subjectText({ subject, pointer }: Pick<Judgement, 'subject' | 'pointer'>): string {
  return pointer === undefined ? subject : `${subject} ${pointer === '' ? '(whole)' : pointer}`
}
