import { SigningError } from '../../certificate/envelope.js'
import { NotPermitted, UnknownOperation } from '../../explore/options.js'
import { SavedFindingError } from '../../explore/replay.js'
import { LearnError } from '../../learn/learn.js'
import { InputError, OutputError } from '../../lib/files/file-errors.js'
import { RecordError, type RecordErrorCode } from '../../record/file/record-error.js'
import { ConfigurationsError } from '../../record/merge/combine-records.js'
import { MergeError } from '../../record/merge/merge-records.js'
import { JournalError } from '../../runner/changes/journal.js'
import { MutationReportError } from '../../runner/load/mutation-report.js'
import { NothingSelected } from '../../runner/plan/select.js'
import { ResumeError } from '../../runner/preflight/resume.js'
import { ResolveError } from '../../runner/resolve/request-template.js'
import { ProxySettingError } from '../../runner/target/connection/proxy-for.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { TargetError, TargetSettingError } from '../../runner/target/target.js'
import { InterfaceTextError } from '../../runner/text/quotes.js'
import { FindingsError, formatFindings } from '../../runner/yaml/findings.js'
import { SettingError } from '../../simulator/simulator.js'
import { errorText } from './error-text.js'
import { type ExitCode, exitCode, UsageError } from './exit-code.js'

/** A record without a header belongs to an interrupted run. `closed` is an internal error. */
const recordExits: Record<RecordErrorCode, ExitCode> = {
  unreadable: exitCode.usage,
  'no-header': exitCode.incomplete,
  'unknown-format': exitCode.usage,
  unwritable: exitCode.usage,
  closed: exitCode.fault,
}

const usageErrors = [
  UsageError,
  InputError,
  OutputError,
  SigningError,
  UnknownOperation,
  NotPermitted,
  SavedFindingError,
  MutationReportError,
  NothingSelected,
  ResolveError,
  ResumeError,
  JournalError,
  LearnError,
  MergeError,
  ConfigurationsError,
  InterfaceTextError,
  TargetSettingError,
  ProxySettingError,
  SettingError,
]

/** An unknown error is internal: the message contains its stack. */
export function explain(error: unknown, color: boolean): { text: string; code: ExitCode } {
  if (error instanceof FindingsError) return { text: formatFindings(error.findings, { color }), code: exitCode.usage }
  if (error instanceof Error && usageErrors.some((type) => error instanceof type))
    return { text: error.message, code: exitCode.usage }
  if (error instanceof TargetError) return { text: errorText(error), code: exitCode.target }
  if (error instanceof CredentialError) return { text: error.inFull, code: exitCode.target }
  if (error instanceof RecordError && error.code !== 'closed') {
    return { text: error.message, code: recordExits[error.code] }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { text: `Internal error of conform. Report it with this text:\n${stack}`, code: exitCode.fault }
}
