/**
 * `fail`: an obligation was not met. `error`: the tool could not judge. `blocked`: something that the row needs failed.
 * `follows-the-text`: it does what the text says where the reference does not.
 * `unexpected-pass` and `excused`: a waiver covers the row. `warning`: a recommendation was not met, or what was only read of
 * the reference. `not-applicable`: nothing to judge at this target. The first four make a run non-conforming.
 */
export type SuiteVerdict =
  | 'fail'
  | 'error'
  | 'blocked'
  | 'unexpected-pass'
  | 'warning'
  | 'excused'
  | 'follows-the-text'
  | 'not-applicable'
  | 'pass'

/** A row of the suite: one circumstance of one operation. */
export interface SuiteRow {
  /** Stable: `CBI-BODY/no-contract-id`. */
  id: string
  title: string
  operation: string
  verdict: SuiteVerdict
}

/** A row as the record of the run has it. */
export interface SuiteRowResult extends SuiteRow {
  /** Whether the run could conform with it. */
  conforming: boolean
  /** Ids of the rules that were judged, and those of them that were not met. */
  rules: string[]
  unmetRules: string[]
  milliseconds: number
  /** What does not conform, in several lines: rules, expected and actual, the request as a curl command. Absent where all is well. */
  explanation?: string
}

/** How a run ended. It rejects nothing that a participant does: whatever that is becomes a verdict. */
export interface SuiteResult {
  /** Nothing failed, and no row is missing. */
  conforming: boolean
  /** The same as the reports say it, with what keeps it from saying everything: `conforming, 5 must-rules not examined`. */
  conclusion: string
  /** Ids of the obligations (*must*) that no row judged. */
  unexaminedRules: string[]
  counts: Record<SuiteVerdict, number>
  /** In the order of every report. */
  rows: SuiteRowResult[]
  milliseconds: number
  /** Paths of record and reports; empty unless a folder was named. */
  files: string[]
}
