/** The cases, operation by operation: what each shows, and by how many rows. The other way round than rules and their cases. */
import type { Suite } from '../suite/suite.js'
import { judgedRules } from './judged-rules.js'
import type { RowViews } from './resolved-views.js'

export const caseHeads: readonly string[] = ['case', 'title', 'rows', 'rules']

/** By operation, in the order of the files: the cells of a table. */
export function casesByOperation({ cases }: Suite, rows: readonly RowViews[]): Map<string, string[][]> {
  const tables = new Map<string, string[][]>()
  for (const { id, title, operation, rows: own } of cases) {
    const views = rows.filter((row) => row.case === id && row.operation === operation).flatMap((row) => row.views)
    const rules = [...new Set(views.flatMap((view) => [...judgedRules(view)]))].sort()
    const line = [id, title, String(own.length), rules.join(', ')]
    tables.set(operation, [...(tables.get(operation) ?? []), line])
  }
  return tables
}
