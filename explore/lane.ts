import type { Stage } from './generate/stage.js'
import type { Pair } from './pair/converse.js'

/** Where one conversation comes after the other. Each lane has parties and users of its own on both sides, so that lanes do not meet. */
export interface Lane {
  pair: Pair
  stage: Stage
}

/** Makes on both sides what a lane needs. Rejects with `TargetError` and `JournalError`. */
export type OpenLane = () => Promise<Lane>
