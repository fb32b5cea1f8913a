/** `conform show ROW`: prints the requests and expectations of rows, with their rules and sources. */
import { printData } from '../../lib/print.js'
import { rowText } from '../../reports/wording/row-text.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { matcherOf, selectRows } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { profileOf } from '../target/profile-of.js'
import { suitePath } from '../tool/tool.js'

export interface ShowFlags {
  profile: string
  protocolVersion?: number
  suite?: string
  json?: true
}

/** `row`: an id, or a pattern as in `--only`. Rejects with `NothingSelected`. */
export async function showCommand(row: string, flags: ShowFlags): Promise<ExitCode> {
  const suite = await loadSuite(suitePath(flags.suite))
  const resolved = resolveSuite(suite, profileOf(suite, flags.profile), flags.protocolVersion, matcherOf(row))
  const exact = resolved.rows.filter(({ id }) => id === row)
  const rows = exact.length > 0 ? exact : selectRows(resolved.rows, { only: row })
  const source = { ...resolved, protocolVersion: flags.protocolVersion }
  for (const one of rows) printData(flags.json ? JSON.stringify(one) : `${rowText(one, source)}\n`)
  return exitCode.conforming
}
