/** `conform list`: prints the rows of the suite. */
import { printData } from '../../lib/print.js'
import { defaultProfile } from '../../reports/wording/shell.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { matcherOf, rulesOfRow, selectRows } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { profileOf } from '../target/profile-of.js'
import { suitePath } from '../tool/tool.js'

export interface ListFlags {
  suite?: string
  only?: string
}

export async function listCommand(flags: ListFlags): Promise<ExitCode> {
  const suite = await loadSuite(suitePath(flags.suite))
  const { rows: all } = resolveSuite(suite, profileOf(suite, defaultProfile), undefined, matcherOf(flags.only))
  const rows = selectRows(all, { only: flags.only })
  for (const row of rows) {
    const needs = row.needs.length > 0 ? `, needs ${row.needs.join(', ')}` : ''
    printData(`${row.id}  [${row.operation}, ${row.impact}${needs}]  ${rulesOfRow(row).join(' ')}\n    ${row.title}`)
  }
  printData(`\n${rows.length} rows, ${new Set(rows.map((row) => row.case)).size} cases`)
  return exitCode.conforming
}
