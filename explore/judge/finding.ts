/** What an exploration found: one way in which the target differs from the model. */
import type { Difference } from '../compare/compare-answers.js'
import type { Turn } from '../send/step.js'

/** What the text makes of it. */
export type Ruling =
  /** The target breaks these rules, or one of them. */
  | { kind: 'breaks-rule'; rules: readonly string[]; because: string }
  /** The model does what the text does not want, or may not be what the profile says. */
  | { kind: 'model-may-be-wrong'; rules: readonly string[]; because: string }
  /** No sentence decides between the two answers. */
  | { kind: 'text-is-silent'; because: string }

export interface ToldAnswer {
  /** Status, media type and code. */
  said: string
  /** As it came, without secrets; cut where it is long. */
  body: string
}

export interface Finding {
  id: string
  signature: string
  ruling: Ruling
  difference: Difference
  /** The shortest way to it that was found; the last one is where the sides differ. */
  turns: readonly Turn[]
  answers: { model: ToldAnswer; target: ToldAnswer }
  /** As a case of the suite that the model passes; undefined where the suite has no request to start from. */
  yaml?: string
  /** As a shell script. */
  curl: string
  /** How often the sides differed in this way. */
  times: number
  /** By which the conversation is drawn in which it was seen first. */
  seed: string
  /** Turns before shrinking, and what that took. */
  shrunkFrom: number
  attempts: number
  /** Seconds from the beginning until it was seen, and until it was shrunk. */
  seenAfter: number
  shrunkAfter: number
  /** Requests of all kinds that had been sent by then. */
  askedBefore: number
}

/** The target follows the text where the profile records that the reference does not. */
export interface MetDivergence {
  ids: readonly string[]
  /** The switch points of the model by which it does as the target. */
  points: readonly string[]
  operation: string
  model: string
  target: string
}
