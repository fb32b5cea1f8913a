import type { Judgement, RecordedRule, RunHeader, RunRow, Strength } from '../record/record.js'
import { nonConforming } from '../record/verdict.js'

const strengths: readonly Strength[] = ['must', 'should', 'may', 'client']

type Listed = Pick<RunRow, 'id' | 'operation' | 'source'>
type Judged = Pick<RunRow, 'judgements'>

/** Whether the row makes its run non-conforming. */
export function isFailure(row: Pick<RunRow, 'verdict'>): boolean {
  return nonConforming.includes(row.verdict)
}

/**
 * The rows by operation, within one as the suite's files have them. A record has them in the order in which they ended,
 * which differs from run to run.
 */
export function rowsByOperation<R extends Listed>({ rows }: { rows: R[] }): Map<string, R[]> {
  const operations = new Map<string, R[]>()
  for (const row of inSuiteOrder(rows)) {
    const found = operations.get(row.operation)
    if (found) found.push(row)
    else operations.set(row.operation, [row])
  }
  return operations
}

/** The order that every report has: by operation, and within one as the suite's files have the rows. */
export function inSuiteOrder<R extends Listed>(rows: readonly R[]): R[] {
  return rows.toSorted(
    (a, b) =>
      compare(a.operation, b.operation) ||
      compare(a.source.file, b.source.file) ||
      a.source.line - b.source.line ||
      compare(a.id, b.id),
  )
}

/** By code units, so that the order does not depend on a machine's language. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The judgements that were not met, the strongest obligation first. */
export function unmetJudgements(row: Judged): Judgement[] {
  const unmet = row.judgements.filter(({ met }) => !met)
  return unmet.toSorted((a, b) => strengths.indexOf(a.strength) - strengths.indexOf(b.strength))
}

/** The rules that the row did not meet, each once, the strongest obligation first. */
export function unmetRules(row: Judged): string[] {
  return [...new Set(unmetJudgements(row).flatMap(({ rules }) => rules))]
}

/** The rule's sentence as the run knew it; undefined where the header lacks the rule. */
export function ruleOf(header: Pick<RunHeader, 'rules'>, id: string): RecordedRule | undefined {
  return header.rules.find((rule) => rule.id === id)
}

/** What a judgement looked at, with its JSON pointer where there is one: `body /error/code`. */
export function lookedAt({ subject, pointer }: Pick<Judgement, 'subject' | 'pointer'>): string {
  return pointer === undefined ? subject : `${subject} ${pointer === '' ? '(whole)' : pointer}`
}
