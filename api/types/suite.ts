/** An operation that the suite judges. */
export type SuiteOperation =
  | 'contract-by-id'
  | 'submit-and-wait'
  | 'execute-and-wait-for-transaction'
  | 'execute'
  | 'update-package-vetting'

/** Options of a run. Defaults are those of `conform run`. */
export interface SuiteOptions {
  /** Base URL of the participant. Default: the one of the target file, or a new simulator. */
  target?: string
  /** `none` or `hs256:SECRET`, with which the run mints its tokens. Default: `none`. */
  authorization?: string
  /** Path of a target file. The other options have precedence over it. */
  targetFile?: string
  /** The profile that judges the answers: `canton-3.5`, `canton-3.4`, or `interface` for the text alone. Default: `canton-3.5`. */
  profile?: string
  /** The scope: only rows of these operations run, and `conforming` is about these operations alone. Default: all. */
  operations?: readonly SuiteOperation[]
  /** Only rows whose id, operation or rule matches; `*` matches any text. Default: all. */
  only?: string
  /** Repeats the order of an earlier run. */
  seed?: string
  /** Concurrent rows. Default: 8. */
  concurrency?: number
  /** Protocol version of the synchronizer. Default: read from the target. */
  protocolVersion?: number
  /**
   * Permitted changes. Reading is always permitted. Default: `read` and `write`, on a loopback address also `topology` (package vetting).
   * `upload` permits packages, which cannot be removed; `hazard` permits rows that may stop a faulty target.
   */
  allow?: readonly ('read' | 'write' | 'topology' | 'upload' | 'hazard')[]
  /** Folder for run record and reports; created if necessary. Default: no files. */
  out?: string
  /** Matching text is not recorded. Tokens and keys are never recorded. */
  redact?: readonly RegExp[]
  /** Listeners during the run. */
  on?: SuiteEvents
}

/**
 * Listeners during a run. A listener that throws or rejects ends the run with `LISTENER_FAILED`. The run awaits returned promises only at
 * its end.
 */
export interface SuiteEvents {
  planned?(plan: SuitePlan): void
  /** Called with each verdict. The reasons are in the result, without secrets. */
  row?(row: SuiteRow, progress: SuiteProgress): void
}

/** The plan, before the first request of a row. */
export interface SuitePlan {
  /** Rows that run. */
  rows: number
  /** Rows that do not apply to this target. */
  notApplicable: number
  /** Maximum number of requests. */
  requests: number
  /** Maximum number of transactions that the run commits. */
  transactions: number
  /** Repeats the order of the rows. */
  seed: string
}

export interface SuiteProgress {
  done: number
  total: number
}

/** The result of a run. Rejected requests and other failures of the participant are verdicts, not errors. */
export interface SuiteResult {
  /** No row failed, and no required evidence is missing. */
  conforming: boolean
  /** The first line of the reports: `PASS: 1988 of 2175 rows passed; ...`. */
  conclusion: string
  /** Ids of the mandatory rules without an examination. */
  unexaminedRules: string[]
  counts: Record<SuiteVerdict, number>
  /** In the order of the reports. */
  rows: SuiteRowResult[]
  milliseconds: number
  /** Paths of record and reports; empty without `out`. */
  files: string[]
}

/** A row of the suite: one situation of one operation. */
export interface SuiteRow {
  /** Stable: `CBI-BODY/no-contract-id`. */
  id: string
  title: string
  operation: string
  verdict: SuiteVerdict
}

/** A row with its judgements. */
export interface SuiteRowResult extends SuiteRow {
  /** Whether the verdict permits a conforming run. */
  conforming: boolean
  /** Ids of the judged rules. */
  rules: string[]
  /** Ids of the unmet rules. */
  unmetRules: string[]
  milliseconds: number
  /** Unmet expectations in several lines: rules, expected and actual values, and a curl command. Absent if all are met. */
  explanation?: string
}

/**
 * `fail`: a mandatory rule is unmet. `error`: this program could not judge the row. `blocked`: a prerequisite of the row failed.
 * `unexpected-pass`, `excused`: a waiver names the row. `warning`: a recommendation is unmet, or a fact that was only read in a source.
 * `follows-the-text`: the participant follows the text where the reference does not. `not-applicable`: nothing to judge on this target.
 * With `fail`, `error`, `blocked` or `unexpected-pass`, the run does not conform.
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
