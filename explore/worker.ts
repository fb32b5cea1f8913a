import type { Pair } from './compare/run-sequence.js'
import type { Stage } from './generate/generator-settings.js'

/** Where one conversation comes after the other. Each lane has parties and users of its own on both sides, so that lanes do not meet. */
export interface Lane {
  pair: Pair
  stage: Stage
}

/** Makes on both sides what a lane needs. Rejects with `TargetError` and `JournalError`. */
export type OpenLane = () => Promise<Lane>
