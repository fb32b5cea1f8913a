import { type Finding, formatFindings } from './findings.js'

/** The message lists all findings, without colours. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(`the suite cannot be loaded\n${formatFindings(findings, { color: false })}`)
    this.findings = findings
  }
}
