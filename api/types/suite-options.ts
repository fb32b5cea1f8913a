import type { SuiteEvents } from './suite-events.js'

/** An operation that the suite judges. */
export type SuiteOperation =
  | 'contract-by-id'
  | 'submit-and-wait'
  | 'execute-and-wait-for-transaction'
  | 'execute'
  | 'update-package-vetting'

/** What is run, and where; what is left out is as `run` on the command line has it. */
export interface SuiteOptions {
  /** Base URL of the participant; a simulator of its own unless given here or in the target file. */
  target?: string
  /** `none` or `hs256:SECRET`; tokens are minted by the run. */
  authorization?: string
  /** Path of a target file, which says all this and what the target cannot do. What is said here counts more. */
  targetFile?: string
  /** What it is judged by: `canton-3.5` unless given, `canton-3.4`, or `interface` for the text alone. */
  profile?: string
  /** The scope: only rows of these operations run, and `conforming` is about these operations alone. All unless given. */
  operations?: readonly SuiteOperation[]
  /** Rows whose id, operation or rule matches; `*` stands for any text. All unless given. */
  only?: string
  /** Repeats the order of an earlier run. */
  seed?: string
  /** Rows in flight at once; 8 unless given. */
  concurrency?: number
  /** Of the synchronizer; asked from the target unless given. */
  protocolVersion?: number
  /**
   * All that the run may do; to look is always allowed. Unless given: to write, on a loopback address also to change what is
   * vetted. `upload`: packages of the conformance model, which cannot be taken back; `hazard`: rows that may stop a faulty target.
   */
  allow?: readonly ('read' | 'write' | 'topology' | 'upload' | 'hazard')[]
  /** Folder for the run record and the reports, which is made if need be; nothing is left unless given. */
  out?: string
  /** What else must not be recorded, beside tokens and keys. */
  redact?: readonly RegExp[]
  /** Hears what happens on the way. */
  on?: SuiteEvents
}
