import { groupBy } from '../../lib/group-by.js'
import { unmetVerdict } from '../../record/judgements/counting-judgements.js'
import type { Judgement, RecordedRule, RunHeader } from '../../record/types/record.js'
import type { SourceLine } from '../../record/types/resolved-row.js'
import { nonConforming, type Verdict, verdicts } from '../../record/types/verdict.js'

interface Listed {
  id: string
  resolved: { operation: string; source: SourceLine }
}

/** Includes blocked rows. */
export function isFailure(row: { verdict: Verdict }): boolean {
  return nonConforming.includes(row.verdict)
}

export function isJudged({ verdict }: { verdict: Verdict }): boolean {
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
export function unmetJudgements(row: { judgements: Judgement[] }): Judgement[] {
  const weight = (judgement: Judgement) => verdicts.indexOf(unmetVerdict(judgement))
  return row.judgements.filter(({ met }) => !met).toSorted((a, b) => weight(a) - weight(b))
}

/** Undefined if the header lacks the rule. */
export function ruleOf(header: RunHeader, id: string): RecordedRule | undefined {
  return header.rules.find((rule) => rule.id === id)
}

/** `status`, or `body /error/code` */
export function subjectText({ subject, pointer }: { subject: string; pointer?: string }): string {
  return pointer === undefined ? subject : `${subject} ${pointer === '' ? '(whole)' : pointer}`
}
