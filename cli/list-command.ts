/** `conform list`: what the suite holds, row by row. */
import { fileURLToPath } from 'node:url'
import { loadSuite } from '../runner/load/load-suite.js'
import { selectRows } from '../runner/plan/select.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { suiteFolder } from './tool.js'

export interface ListFlags {
  suite?: string
  only?: string
}

export async function listCommand(flags: ListFlags): Promise<ExitCode> {
  const suite = await loadSuite(flags.suite ?? fileURLToPath(suiteFolder))
  const rows = selectRows(suite.cases, flags.only)
  for (const { id, case: suiteCase, row } of rows) {
    const needs = row.needs.length > 0 ? `, needs ${row.needs.join(', ')}` : ''
    console.log(`${id}  [${suiteCase.operation}, ${row.impact}${needs}]  ${row.rules.join(' ')}\n    ${row.title}`)
  }
  console.log(`\n${rows.length} rows, ${new Set(rows.map((row) => row.case.id)).size} cases`)
  return exitCode.conforming
}
