export type SuiteOperation =
  | 'contract-by-id'
  | 'submit-and-wait'
  | 'execute-and-wait-for-transaction'
  | 'execute'
  | 'update-package-vetting'

/** Defaults are those of `conform run`. */
export interface SuiteOptions {
  /** Base URL. Default: from the target file, or a new simulator. */
  target?: string
  /** `none` (default) or `hs256:SECRET`, with which the run mints its tokens. */
  authorization?: string
  /** Path of a target file; other options override it. */
  targetFile?: string
  /**
   * `canton-3.4`, `canton-3.5`, `canton-3.6`, or `interface` for the text alone. Default: the line of the version that the
   * target reports, and `interface` for any other target.
   */
  profile?: string
  /** Only these operations run, and `conforming` is about them alone. Default: all. */
  operations?: readonly SuiteOperation[]
  /** Only rows whose id, operation or rule matches; `*` matches any text. Default: all. */
  only?: string
  /** Repeats the order of an earlier run. */
  seed?: string
  /** Concurrent rows. Default: 8. */
  concurrency?: number
  /** Default: read from the target. */
  protocolVersion?: number
  /**
   * Permitted changes. Default: `read` and `write`, on a loopback address also `topology` (package vetting). `upload`:
   * packages, which cannot be removed; `hazard`: rows that may stop a faulty target.
   */
  allow?: readonly ('read' | 'write' | 'topology' | 'upload' | 'hazard')[]
  /** Folder for record and reports. Default: no files. */
  out?: string
  /** Matching text is not recorded. Tokens and keys are never recorded. */
  redact?: readonly RegExp[]
  on?: SuiteEvents
}

/**
 * A listener that throws or rejects ends the run with `LISTENER_FAILED`. The run awaits returned promises only at its
 * end.
 */
export interface SuiteEvents {
  planned?(plan: SuitePlan): void
  /** Called with each verdict. The reasons are in the result, without secrets. */
  row?(row: SuiteRow, progress: SuiteProgress): void
}

/** Available before the first request of a row. */
export interface SuitePlan {
  /** Number of rows that run. */
  rows: number
  /** Number of rows that do not apply to this target. */
  notApplicable: number
  /** Maximum number. */
  requests: number
  /** Maximum number that the run commits. */
  transactions: number
  /** Repeats the order of the rows. */
  seed: string
}

export interface SuiteProgress {
  done: number
  total: number
}

export interface SuiteResult {
  /** No row failed, and no required evidence is missing. */
  conforming: boolean
  /** The first line of the reports. */
  conclusion: string
  /** Ids of mandatory rules without an examination. */
  unexaminedRules: string[]
  counts: Record<SuiteVerdict, number>
  /** In the order of the reports. */
  rows: SuiteRowResult[]
  milliseconds: number
  /** Paths of record and reports; empty without `out`. */
  files: string[]
}

export interface SuiteRow {
  /** Stable: `CBI-BODY/no-contract-id`. */
  id: string
  title: string
  operation: string
  verdict: SuiteVerdict
}

export interface SuiteRowResult extends SuiteRow {
  /** The verdict permits a conforming run. */
  conforming: boolean
  rules: string[]
  unmetRules: string[]
  milliseconds: number
  /** Unmet expectations with rules, values and a curl command. Absent if all are met. */
  explanation?: string
}

/**
 * `fail`: a mandatory rule is unmet. `error`: this program could not judge the row. `blocked`: a prerequisite failed.
 * `unexpected-pass`, `excused`: a waiver names the row. `warning`: a recommendation, or a fact that was only read, is
 * unmet. `follows-the-text`: the participant follows the text where the reference does not. `not-applicable`: nothing
 * to judge on this target. With `fail`, `error`, `blocked` or `unexpected-pass`, the run does not conform.
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
