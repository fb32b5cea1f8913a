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
export function rowsByOperation<R extends Listed>({ rows }: { rows: R[] }): Map<string, R[]> {
  const operations = new Map<string, R[]>()
  for (const row of inSuiteOrder(rows)) {
    const found = operations.get(row.resolved.operation)
    if (found) found.push(row)
    else operations.set(row.resolved.operation, [row])
  }
  return operations
}

export function inSuiteOrder<R extends Listed>(rows: readonly R[]): R[] {
  const files = new Map<string, Map<string, R[]>>()
  for (const row of rows) {
    const { operation, source } = row.resolved
    const ofOperation = files.get(operation) ?? new Map<string, R[]>()
    files.set(operation, ofOperation)
    const ofFile = ofOperation.get(source.file)
    if (ofFile) ofFile.push(row)
    else ofOperation.set(source.file, [row])
  }
  const byLine = (a: R, b: R): number => a.resolved.source.line - b.resolved.source.line || compare(a.id, b.id)
  return byName(files).flatMap((ofOperation) => byName(ofOperation).flatMap((found) => found.sort(byLine)))
}

const byName = <Value>(map: ReadonlyMap<string, Value>): Value[] =>
  [...map].sort(([a], [b]) => compare(a, b)).map(([, value]) => value)

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
export function ruleOf(header: Pick<RunHeader, 'rules'>, id: string): RecordedRule | undefined {
  return header.rules.find((rule) => rule.id === id)
}

/** `status`, or `body /error/code` */
export function subjectText({ subject, pointer }: Pick<Judgement, 'subject' | 'pointer'>): string {
  return pointer === undefined ? subject : `${subject} ${pointer === '' ? '(whole)' : pointer}`
}
