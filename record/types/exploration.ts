/** What an exploration leaves for reports: plain data, without the secrets that were in answers. */
import type { RecordedProfile } from './record.js'

export interface ExplorationRecord {
  tool: { name: string; version: string }
  /** Base URLs of the two that were compared; `embedded` for the simulator that comes with the tool. */
  target: string
  model: string
  profile: Pick<RecordedProfile, 'name'>
  seed: string
  startedAt: string
  seconds: number
  conversations: number
  requests: number
  /** Rounds in which several clients asked at once. */
  rounds: number
  findings: RecordedFinding[]
  histories: RecordedHistory[]
  /** The target follows the text where the profile records that the reference does not. */
  divergences: { ids: readonly string[]; operation: string; model: string; target: string }[]
  /** Differences that text and profile permit, and those that did not show again, with how often. */
  permitted: Record<string, number>
  unconfirmed: Record<string, number>
  /** How often an operation was answered like that by the model. */
  outcomes: { operation: string; said: string; count: number }[]
  /** How often a member of a request held a value of that class. */
  values: { operation: string; member: string; valueClass: string; count: number }[]
}

/** One way in which the target differs from the model. */
export interface RecordedFinding {
  id: string
  ruling: { kind: 'breaks-rule' | 'model-may-be-wrong' | 'text-is-silent'; rules?: readonly string[]; because: string }
  operation: string
  /** Of the member in which the answers differ; empty for the answers as wholes. */
  pointer: string
  /** What is sent, in order; the last one is answered differently. */
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
  /** As it came, cut where it is long. */
  body: string
}

/** Answers to several clients at once that no order explains. */
export interface RecordedHistory {
  id: string
  sentence: string
  rules: readonly string[]
  calls: { client: number; about: string; said: string }[]
  /** By indices of the calls: what fits together. */
  longest: readonly number[]
  times: number
  of: number
  seenAfter: number
  /** The history as a picture, made by this tool alone. */
  svg: string
}
