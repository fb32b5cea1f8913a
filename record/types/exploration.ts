import type { RecordedProfile } from './record.js'

export interface ExplorationRecord {
  tool: { name: string; version: string }
  /** Base URLs of both sides; `embedded` for the embedded simulator. */
  target: string
  model: string
  profile: Pick<RecordedProfile, 'name'>
  seed: string
  startedAt: string
  seconds: number
  conversations: number
  requests: number
  rounds: number
  /** Sequences, trials and differences that an outage disturbed; absent without outages. */
  discarded?: number
  findings: RecordedFinding[]
  histories: RecordedHistory[]
  /** Differences of known participants, with recorded divergences (`ids`) or by the names of the differences (`points`). */
  divergences: { ids: readonly string[]; points: readonly string[]; operation: string; model: string; target: string }[]
  /** By signature: permitted differences, and differences that did not occur again. */
  permitted: Record<string, number>
  unconfirmed: Record<string, number>
  outcomes: { operation: string; said: string; count: number }[]
}

export interface RecordedFinding {
  id: string
  ruling: { kind: 'breaks-rule' | 'model-may-be-wrong' | 'text-is-silent'; rules?: readonly string[]; because: string }
  operation: string
  /** Of the different member; empty for whole answers. */
  pointer: string
  /** In order; the answers to the last one differ. */
  requests: readonly string[]
  answers: { model: RecordedAnswer; target: RecordedAnswer }
  times: number
  seed: string
  shrunkFrom: number
  seenAfter: number
  yaml?: string
  curl: string
}

export interface RecordedAnswer {
  /** Status, media type and code. */
  said: string
  body: string
}

export interface RecordedHistory {
  id: string
  sentence: string
  rules: readonly string[]
  calls: { client: number; about: string; said: string }[]
  /** Indices of the longest consistent sequence of calls. */
  longest: readonly number[]
  times: number
  of: number
  seenAfter: number
  svg: string
}
