import { printData } from '../../lib/print.js'
import { rowText } from '../../reports/wording/row-text.js'
import { defaultProfile } from '../../reports/wording/shell.js'
import { matcherOf, selectRows } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { quotedRules, readPassages } from '../../runner/text/quotes.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { loadWithProfile } from '../target/profile-of.js'
import { gatherSettings } from '../target/settings.js'
import { suitePath } from '../tool/tool.js'

export interface ShowFlags {
  profile?: string
  protocolVersion?: string
  config?: string
  suite?: string
  json?: true
  text?: string
}

/**
 * `row`: an id, or a pattern as in `--only`. Reads the same files and variables as a run. Rejects with `NothingSelected`, and
 * like `gatherSettings`.
 */
export async function showCommand(row: string, flags: ShowFlags): Promise<ExitCode> {
  const { profile: named, protocolVersion: version, config, suite: folder } = flags
  const { run } = await gatherSettings({ profile: named, protocolVersion: version, config, suite: folder }, process.env)
  const { suite, profile } = await loadWithProfile(suitePath(run.suite), run.profile ?? defaultProfile)
  const resolved = resolveSuite(suite, profile, run.protocolVersion, matcherOf(row))
  const exact = resolved.rows.filter(({ id }) => id === row)
  const rows = exact.length > 0 ? exact : selectRows(resolved.rows, { only: row })
  const passages = flags.text === undefined ? undefined : await readPassages(flags.text, suite.text)
  const rules = passages ? quotedRules(resolved.rules, passages) : resolved.rules
  const source = { ...resolved, rules, protocolVersion: run.protocolVersion }
  for (const one of rows) printData(flags.json ? JSON.stringify(one) : `${rowText(one, source)}\n`)
  return exitCode.conforming
}
