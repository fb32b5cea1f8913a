import type { RequestTemplate, TokenTemplate } from './resolved-row.js'

/** Content of exploration.json, where maps are objects. */
export interface ExplorationRecord extends Exploration {
  tool: { name: string; version: string }
  /** Base URLs of both sides; `embedded` for the embedded simulator. */
  target: string
  reference: string
  startedAt: string
}

/** Texts of participants are redacted and cut. */
export interface Exploration {
  profile: string
  seed: string
  seconds: number
  sequences: number
  /** Sequences, trials and differences that an outage disturbed. */
  discarded: number
  /** Steps of sequences, sent to both sides. */
  exchanges: number
  /** Steps that were repeated to confirm, shrink and judge differences. */
  retried: number
  /** Requests of concurrency trials, sent only to the target. */
  raced: number
  trials: number
  findings: Finding[]
  histories: HistoryFinding[]
  divergences: MetDivergence[]
  /** Times by signature, or by the name of a race. */
  permitted: Map<string, number>
  /** Differences that no repetition confirmed, by signature. */
  unconfirmed: Map<string, number>
  /** By operation and summary of the reference's answer. */
  outcomes: Map<string, number>
}

/** A step as data can be repeated, shrunk and saved. */
export interface Step {
  about: string
  operation: string
  /** `${user}` is the caller's id. */
  actor: string
  token?: TokenTemplate
  request: RequestTemplate
  /** JSON pointers by variable. */
  capture: Record<string, string>
  /** Milliseconds to wait before the step. */
  after?: number
  original?: Step
  /** Its answers are not compared. */
  restores?: true
}

export interface Ruling {
  /**
   * `breaks-rule`: the target breaks at least one of the rules. `reference-may-be-wrong`: the reference returns a server
   * error or no answer. `undecided`: the target may break one of the rules, or the text permits both answers.
   */
  kind: 'breaks-rule' | 'reference-may-be-wrong' | 'undecided'
  rules: readonly string[]
  because: string
}

export interface ShownAnswer {
  /** Status, media type and code. */
  said: string
  body: string
}

/** What one examination finds. */
export interface FindingCore {
  signature: string
  ruling: Ruling
  operation: string
  /** Of the different member; empty for whole answers. */
  pointer: string
  /** Minimized. The sides differ at the last step. */
  steps: readonly Step[]
  /** The requests to the target as curl commands, without secrets. */
  commands: readonly string[]
  answers: { reference: ShownAnswer; target: ShownAnswer }
  /** Number of steps. */
  shrunkFrom: number
}

/** With all observations of the finding. */
export interface Finding extends FindingCore {
  id: string
  times: number
  seed: string
  /** Seconds since the start of the exploration. */
  seenAfter: number
  requestsBefore: number
}

/** A difference that the reference shows with other switch points. */
export interface MetDivergence {
  /** Such as server-error-for-wrong-kind. */
  points: readonly string[]
  operation: string
  reference: string
  target: string
}

export interface NonLinearizableHistory {
  trial: string
  rules: readonly string[]
  sentence: string
  calls: RecordedCall[]
  /** The longest possible sequence, as indices of calls. */
  longest: readonly number[]
}

/** Times in milliseconds. */
export interface RecordedCall {
  client: number
  about: string
  said: string
  sent: number
  answered?: number
}

export interface HistoryFinding extends NonLinearizableHistory {
  id: string
  /** `times` of `of` trials had a non-linearizable history. */
  times: number
  of: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  requestsBefore: number
}
