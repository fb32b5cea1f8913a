/** The record of an exploration: plain data without secrets. */
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
  /** Concurrency trials. */
  rounds: number
  findings: RecordedFinding[]
  histories: RecordedHistory[]
  /** The target follows the text where the profile records a divergence. */
  divergences: { ids: readonly string[]; operation: string; model: string; target: string }[]
  /** Counts of differences that text and profile permit, and of differences that did not occur again. */
  permitted: Record<string, number>
  unconfirmed: Record<string, number>
  /** Answers of the reference simulator. */
  outcomes: { operation: string; said: string; count: number }[]
  /** Value classes of request members. */
  values: { operation: string; member: string; valueClass: string; count: number }[]
}

/** One difference between the target and the reference simulator. */
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
  /** Long bodies are cut. */
  body: string
}

/** Concurrent answers that no order explains. */
export interface RecordedHistory {
  id: string
  sentence: string
  rules: readonly string[]
  calls: { client: number; about: string; said: string }[]
  /** Indices of the largest consistent subset of calls. */
  longest: readonly number[]
  times: number
  of: number
  seenAfter: number
  svg: string
}
