import { printData } from '../../lib/print.js'
import { rowText } from '../../reports/wording/row-text.js'
import { matcherOf, selectRows } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { quotedRules, readPassages } from '../../runner/text/quotes.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { loadWithProfile } from '../target/profile-of.js'
import { suitePath } from '../tool/tool.js'

export interface ShowFlags {
  profile: string
  protocolVersion?: number
  suite?: string
  json?: true
  text?: string
}

/** `row`: an id, or a pattern as in `--only`. Rejects with `NothingSelected`. */
export async function showCommand(row: string, flags: ShowFlags): Promise<ExitCode> {
  const { suite, profile } = await loadWithProfile(suitePath(flags.suite), flags.profile)
  const resolved = resolveSuite(suite, profile, flags.protocolVersion, matcherOf(row))
  const exact = resolved.rows.filter(({ id }) => id === row)
  const rows = exact.length > 0 ? exact : selectRows(resolved.rows, { only: row })
  const passages = flags.text === undefined ? undefined : await readPassages(flags.text, suite.text)
  const rules = passages ? quotedRules(resolved.rules, passages) : resolved.rules
  const source = { ...resolved, rules, protocolVersion: flags.protocolVersion }
  for (const one of rows) printData(flags.json ? JSON.stringify(one) : `${rowText(one, source)}\n`)
  return exitCode.conforming
}
