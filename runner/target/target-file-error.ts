import { type Finding, formatFindings } from '../yaml/findings.js'

/** A target file that cannot be used as it stands. The message lists all findings, without colours. */
export class TargetFileError extends Error {
  override readonly name = 'TargetFileError'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(`the target file cannot be used\n${formatFindings(findings, { color: false })}`)
    this.findings = findings
  }
}
