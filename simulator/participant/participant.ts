import type { SeenAs } from '../auth/caller.js'
import type { TokenVerifier } from '../auth/token.js'
import type { Users } from '../auth/users.js'
import type { Behaviour } from '../base/behaviour.js'
import type { Enforcement } from '../base/checks.js'
import type { AdjustableClock } from '../ledger/state/clock.js'
import type { SeededEntropy } from '../ledger/state/entropy.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Handler } from './interceptor.js'

export interface Participant {
  /** Shared with the ledger. */
  clock: AdjustableClock
  entropy: SeededEntropy
  ledger: Ledger
  users: Users
  behaviour: Behaviour
  enforcement: Enforcement
  /** Absent: authorization is off. */
  verify: TokenVerifier | undefined
  activity: ConnectionActivity
  /** Milliseconds until the answer 503. */
  answerLimit: number
  /** Bytes. */
  bodyLimit: number
  /** Rejects a longer body unread, and closes the connection. */
  cutsOff?: true
  /** Absent: the caller of the token. */
  seenAs?: SeenAs
  interceptor?: Interceptor
}

export interface Stage {
  /** May be changed. */
  participant: Participant
  /** As without an interceptor. Rejects with `RequestAborted`. */
  handle: Handler
  later(milliseconds: number, effect: () => unknown): void
}

/** Called once for each participant. */
export type Interceptor = (stage: Stage) => Handler

/** Milliseconds without a sign of another connection, after which the latest one counts as the only client. */
const longestPause = 1_000

/** Detects whether only one client uses the participant. */
export class ConnectionActivity {
  #latest: object | undefined
  #heard = Number.NEGATIVE_INFINITY
  #otherHeard = Number.NEGATIVE_INFINITY

  /** Call it for each new connection and each request. */
  heard(connection: object): void {
    if (connection !== this.#latest) {
      this.#latest = connection
      this.#otherHeard = this.#heard
    }
    this.#heard = performance.now()
  }

  get hasSingleClient(): boolean {
    return performance.now() - this.#otherHeard > longestPause
  }
}
