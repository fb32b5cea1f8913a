import type { Judgement, RecordedRule, RunHeader, RunRecord, RunRow, Strength } from '../record/record.js'
import { nonConforming } from '../record/verdict.js'

const strengths: readonly Strength[] = ['must', 'should', 'may', 'client']

/** Whether the row makes its run non-conforming. */
export function isFailure(row: RunRow): boolean {
  return nonConforming.includes(row.verdict)
}

/**
 * The rows by operation, within one as the suite's files have them. A record has them in the order in which they ended,
 * which differs from run to run.
 */
export function rowsByOperation(record: RunRecord): Map<string, RunRow[]> {
  const operations = new Map<string, RunRow[]>()
  for (const row of record.rows.toSorted(suiteOrder)) {
    const rows = operations.get(row.operation)
    if (rows) rows.push(row)
    else operations.set(row.operation, [row])
  }
  return operations
}

function suiteOrder(a: RunRow, b: RunRow): number {
  return (
    compare(a.operation, b.operation) ||
    compare(a.source.file, b.source.file) ||
    a.source.line - b.source.line ||
    compare(a.id, b.id)
  )
}

/** By code units, so that the order does not depend on a machine's language. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The judgements that were not met, the strongest obligation first. */
export function unmetJudgements(row: RunRow): Judgement[] {
  const unmet = row.judgements.filter(({ met }) => !met)
  return unmet.toSorted((a, b) => strengths.indexOf(a.strength) - strengths.indexOf(b.strength))
}

/** The rules that the row did not meet, each once, the strongest obligation first. */
export function unmetRules(row: RunRow): string[] {
  return [...new Set(unmetJudgements(row).flatMap(({ rules }) => rules))]
}

/** The rule's sentence as the run knew it; undefined where the header lacks the rule. */
export function ruleOf(header: RunHeader, id: string): RecordedRule | undefined {
  return header.rules.find((rule) => rule.id === id)
}

/** What a judgement looked at, with its JSON pointer where there is one: `body /error/code`. */
export function lookedAt({ subject, pointer }: Judgement): string {
  return pointer === undefined ? subject : `${subject} ${pointer === '' ? '(whole)' : pointer}`
}
