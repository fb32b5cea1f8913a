import type { Difference } from '../compare/compare-answers.js'
import type { Step } from '../send/step.js'

export type Ruling =
  /** The target breaks at least one of these rules. */
  | { kind: 'breaks-rule'; rules: readonly string[]; because: string }
  /** The reference contradicts the text, or perhaps the profile. */
  | { kind: 'model-may-be-wrong'; rules: readonly string[]; because: string }
  /** No sentence decides between the two answers. */
  | { kind: 'text-is-silent'; because: string }

export interface ShownAnswer {
  /** Status, media type and code. */
  said: string
  /** Redacted and truncated. */
  body: string
}

export interface Finding {
  id: string
  signature: string
  ruling: Ruling
  difference: Difference
  /** Minimized. The sides differ at the last step. */
  steps: readonly Step[]
  answers: { reference: ShownAnswer; target: ShownAnswer }
  /** Absent if the suite has no base request of an operation. */
  yaml?: string
  curl: string
  times: number
  seed: string
  shrunkFrom: number
  attempts: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  shrunkAfter: number
  requestsBefore: number
}

/** A difference that the reference shows with other switch points. */
export interface MetDivergence {
  /** Recorded divergences; empty if the text permits both answers. */
  ids: readonly string[]
  points: readonly string[]
  operation: string
  reference: string
  target: string
}

/** Contains no values that change between attempts, so differences with one cause probably have equal signatures. */
export function signatureOf(
  { operation, request }: Step,
  { level, pointer, reference, target, outcomes }: Difference,
): string {
  const answers =
    pointer === '' && level !== 'shape' && level !== 'value' ? `${String(reference)} | ${String(target)}` : ''
  const form = request.method === 'POST' ? '' : ` ${request.method}`
  return `${operation}${form} ${level} ${placeOf(pointer)} ${outcomes.reference} ${outcomes.target} ${answers}`.trim()
}

/** `*` replaces indices. */
export const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
