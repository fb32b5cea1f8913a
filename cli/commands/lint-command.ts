import { print, printError } from '../../lib/print.js'
import { count } from '../../reports/wording/words.js'
import { lintSuite } from '../../runner/lint/lint.js'
import { loadFromYaml } from '../../runner/load/load-suite.js'
import type { Suite } from '../../runner/suite/suite.js'
import { formatFindings } from '../../runner/yaml/findings.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { suiteSettings } from '../target/settings.js'

export interface LintFlags {
  suite?: string
  color: boolean
}

export async function lintCommand({ suite: folder, color }: LintFlags): Promise<ExitCode> {
  const settings = await suiteSettings({ suite: folder })
  const suite = await loadFromYaml(settings.suite)
  const findings = lintSuite(suite)
  const warnings = findings.filter(({ isWarning }) => isWarning)
  const errors = findings.filter(({ isWarning }) => !isWarning)
  if (findings.length > 0) printError(formatFindings([...errors, ...warnings], { color }))
  if (errors.length > 0) return exitCode.usage
  print(`${sizeOf(suite)}: ${warnings.length === 0 ? 'no findings' : count(warnings.length, 'warning')}`)
  return exitCode.conforming
}

function sizeOf({ cases, rules }: Suite): string {
  const rows = cases.reduce((sum, one) => sum + one.rows.length, 0)
  return [count(cases.length, 'case'), count(rows, 'row'), count(rules.size, 'rule')].join(', ')
}
