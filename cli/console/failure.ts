import { UsageError } from '../../lib/usage-error.js'
import { RecordError, type RecordErrorCode } from '../../record/file/record-error.js'
import { findingText } from '../../reports/wording/finding-text.js'
import { endText } from '../../reports/wording/reason-words.js'
import { UnusableTarget } from '../../runner/doctor/finding.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { TargetError } from '../../runner/target/target.js'
import { EndedBeforeRows } from '../../runner/transport/early-end.js'
import { FindingsError, formatFindings } from '../../runner/yaml/findings.js'
import { type ExitCode, exitCode } from './exit-code.js'

/** A record without a header belongs to an interrupted run. */
const recordExits: Record<RecordErrorCode, ExitCode> = {
  unreadable: exitCode.usage,
  'no-header': exitCode.incomplete,
  'unknown-format': exitCode.usage,
  unwritable: exitCode.usage,
}

/** An unknown error is internal: the message contains its stack. */
export function explain(error: unknown, color: boolean): { text: string; code: ExitCode } {
  if (error instanceof FindingsError) return { text: formatFindings(error.findings, { color }), code: exitCode.usage }
  if (error instanceof UsageError) return { text: error.message, code: exitCode.usage }
  if (error instanceof TargetError) return { text: errorText(error), code: exitCode.target }
  if (error instanceof CredentialError) return { text: error.inFull, code: exitCode.target }
  if (error instanceof RecordError) return { text: error.message, code: recordExits[error.code] }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { text: `Internal error of conform. Report it with this text:\n${stack}`, code: exitCode.fault }
}

/** Errors with facts have their words in the reports. */
export function errorText(error: unknown): string {
  if (error instanceof EndedBeforeRows) return `${endText(error.why)} No row was started.`
  if (error instanceof UnusableTarget) return error.findings.map(findingText).join('\n')
  return error instanceof Error ? error.message : String(error)
}
