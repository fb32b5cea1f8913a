/** A finding: one way in which the target differs from the reference. */
import type { Difference } from '../compare/compare-answers.js'
import type { Step } from '../send/step.js'

/** The conclusion from text and profile. */
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
  /** A case that the reference passes; absent if the suite has no base request of an operation. */
  yaml?: string
  /** A shell script. */
  curl: string
  /** Number of differences with this signature. */
  times: number
  /** Seed of the sequence that first showed it. */
  seed: string
  /** Number of steps before minimization. */
  shrunkFrom: number
  /** Attempts of the minimization. */
  attempts: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  minimizedAfter: number
  /** Requests of all kinds before it was reported. */
  requestsBefore: number
}

/** The target follows the text where the profile records a divergence. */
export interface MetDivergence {
  ids: readonly string[]
  /** Switch points of the reference that remove the difference. */
  points: readonly string[]
  operation: string
  reference: string
  target: string
}

/** Equal for differences that probably have one cause: it contains no values that change between attempts. */
export function signatureOf(
  { operation, request }: Step,
  { level, pointer, reference, target, outcomes }: Difference,
): string {
  const answers =
    pointer === '' && level !== 'shape' && level !== 'value' ? `${String(reference)} | ${String(target)}` : ''
  const form = request.method === 'POST' ? '' : ` ${request.method}`
  return `${operation}${form} ${level} ${placeOf(pointer)} ${outcomes.reference} ${outcomes.target} ${answers}`.trim()
}

/** The pointer with `*` in place of each index. */
export const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
