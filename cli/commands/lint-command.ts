/** `conform lint`: checks the suite files. */
import { printError } from '../../lib/print.js'
import { lintSuite } from '../../runner/lint/lint.js'
import { loadFromYaml } from '../../runner/load/load-suite.js'
import { formatFindings } from '../../runner/yaml/findings.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { suitePath } from '../tool/tool.js'

export interface LintFlags {
  suite?: string
  color: boolean
}

export async function lintCommand({ suite: folder, color }: LintFlags): Promise<ExitCode> {
  const suite = await loadFromYaml(suitePath(folder))
  const findings = lintSuite(suite)
  if (findings.length === 0) return exitCode.conforming
  printError(formatFindings(findings, { color }))
  return exitCode.usage
}
