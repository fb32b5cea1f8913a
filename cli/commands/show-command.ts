import { printData } from '../../lib/print.js'
import { rowText } from '../../reports/wording/row-text.js'
import { matcherOf, selectRows } from '../../runner/plan/select.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'
import { quotedRules, readPassages } from '../../runner/text/passages.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { loadWithProfile } from '../target/profile-of.js'
import { suiteSettings } from '../target/settings.js'

export interface ShowFlags {
  profile?: string
  protocolVersion?: string
  config?: string
  suite?: string
  json?: true
  text?: string
}

/** `row`: an id, or a pattern as in `--only`. Rejects with `NothingSelected`, and like `suiteSettings`. */
export async function showCommand(row: string, flags: ShowFlags): Promise<ExitCode> {
  const { profile: named, protocolVersion: version, config, suite: folder } = flags
  const settings = await suiteSettings({ profile: named, protocolVersion: version, config, suite: folder })
  const { suite, profile } = await loadWithProfile(settings)
  const resolved = resolveSuite(suite, profile, settings.protocolVersion, matcherOf(row))
  const exact = resolved.rows.filter(({ id }) => id === row)
  const rows = exact.length > 0 ? exact : selectRows(resolved.rows, { only: row })
  const passages = flags.text === undefined ? undefined : await readPassages(flags.text, suite.text)
  const rules = passages ? quotedRules(resolved.rules, passages) : resolved.rules
  const source = { ...resolved, rules, protocolVersion: settings.protocolVersion }
  for (const one of rows) printData(flags.json ? JSON.stringify(one) : `${rowText(one, source)}\n`)
  return exitCode.conforming
}
