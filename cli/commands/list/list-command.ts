import { printData } from '../../../lib/print.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { count } from '../../../reports/wording/words.js'
import { NothingSelected, rulesOfRow, searchOf, selectRows } from '../../../runner/plan/select.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { type ExitCode, exitCode } from '../../console/exit-code.js'
import { type TableFlags, tableOf } from '../../console/table.js'
import { loadWithProfile } from '../../target/profile-of.js'
import { suiteSettings } from '../../target/settings.js'

export interface ListFlags extends TableFlags {
  suite?: string
  only?: string
}

/**
 * Rejects with `NothingSelected`, and like `suiteSettings` and `loadWithProfile`.
 * @example await listCommand({ only: 'CBI-TOKEN/*' }) // prints the rows; 0
 */
export async function listCommand(flags: ListFlags): Promise<ExitCode> {
  const settings = await suiteSettings({ suite: flags.suite })
  const { suite, profile } = await loadWithProfile(settings)
  const { rows: all } = resolveSuite(suite, profile, settings.protocolVersion)
  const rows = rowsMatching(all, flags.only)
  const table = tableOf(rows.map(rowItem), flags)
  if (table === undefined) printRows(rows)
  else printData(table)
  return exitCode.conforming
}

/** Searches the titles if no id, operation or rule matches. */
function rowsMatching(rows: readonly ResolvedRow[], only: string | undefined): readonly ResolvedRow[] {
  try {
    return selectRows(rows, { only })
  } catch (error) {
    const matches = searchOf(only)
    const found = rows.filter(({ title }) => matches(title))
    if (!(error instanceof NothingSelected) || found.length === 0) throw error
    return found
  }
}

const rowItem = (row: ResolvedRow) => ({
  id: row.id,
  case: row.case,
  operation: row.operation,
  impact: row.impact,
  needs: row.needs,
  rules: rulesOfRow(row),
  title: row.title,
})

function printRows(rows: readonly ResolvedRow[]): void {
  for (const row of rows) {
    const needs = row.needs.length > 0 ? `, needs ${row.needs.join(', ')}` : ''
    printData(`${row.id}  [${row.operation}, ${row.impact}${needs}]  ${rulesOfRow(row).join(' ')}\n    ${row.title}`)
  }
  printData(`\n${count(rows.length, 'row')}, ${count(new Set(rows.map((row) => row.case)).size, 'case')}`)
}
