import type { SeenAs } from '../auth/caller.js'
import type { TokenVerifier } from '../auth/token.js'
import type { Users } from '../auth/users.js'
import type { Behaviour } from '../base/behaviour.js'
import type { Enforcement } from '../base/checks.js'
import type { AdjustableClock } from '../ledger/state/adjustable-clock.js'
import type { SeededEntropy } from '../ledger/state/entropy.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { ConnectionActivity } from './connection-activity.js'
import type { Handler } from './interceptor.js'

/** One simulated participant: all that an operation may use. */
export interface Participant {
  /** Those of the ledger, too. */
  clock: AdjustableClock
  entropy: SeededEntropy
  ledger: Ledger
  users: Users
  behaviour: Behaviour
  enforcement: Enforcement
  /** Absent: authorization is off. */
  verify: TokenVerifier | undefined
  activity: ConnectionActivity
  /** After this many milliseconds the caller is told to try again, whatever becomes of the call. */
  answerLimit: number
  /** Bytes of the largest body that is read. */
  bodyLimit: number
  /** A body above it is refused before it has been read, and the connection ends with the answer. */
  cutsOff?: true
  /** Absent: the caller that the token identifies. */
  seenAs?: SeenAs
  /** Absent: calls and answers pass as they are. */
  interceptor?: Interceptor
}

/** The parts of the participant that an interceptor can use. */
export interface Stage {
  /** Everything that it remembers may be changed. */
  participant: Participant
  /** What the participant says behind the door; as often as one likes. Rejects with whatever a call can be lost by. */
  handle: Handler
  /** Has something done after so many milliseconds. */
  later(milliseconds: number, effect: () => unknown): void
}

/** Called once for each participant, so that each interceptor has its own memory. */
export type Interceptor = (stage: Stage) => Handler
