import { formatFindings } from '../runner/load/findings.js'
import { SuiteError } from '../runner/load/suite-error.js'
import { NothingSelected } from '../runner/plan/select.js'
import { TargetError, TargetSettingError } from '../runner/target.js'
import { AuthorizationSettingError } from '../simulator/simulator.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { UsageError } from './usage-error.js'

/** What to print for an error, and how to end. An error that nobody designed shows its stack: it is a fault of ours. */
export function explain(error: unknown, color: boolean): { text: string; code: ExitCode } {
  if (error instanceof SuiteError) return { text: formatFindings(error.findings, { color }), code: exitCode.usage }
  if (
    error instanceof UsageError ||
    error instanceof NothingSelected ||
    error instanceof TargetSettingError ||
    error instanceof AuthorizationSettingError
  ) {
    return { text: error.message, code: exitCode.usage }
  }
  if (error instanceof TargetError) return { text: error.message, code: exitCode.target }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { text: `this is a fault of conform itself, please report it:\n${told}`, code: exitCode.fault }
}
