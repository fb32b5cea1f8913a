import type { operations, supportOperations } from '../../interface/operations.js'
import type { SeenAs } from '../auth/caller.js'
import type { IdentityProviders } from '../auth/identity-providers.js'
import type { TokenVerifier } from '../auth/token.js'
import type { Users } from '../auth/users.js'
import type { Behaviour } from '../base/behaviour.js'
import type { AdjustableClock } from '../ledger/state/clock.js'
import type { SeededEntropy } from '../ledger/state/entropy.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Decisions } from '../ledger/state/ledger-view.js'

export interface Participant {
  /** Shared with the ledger. */
  clock: AdjustableClock
  entropy: SeededEntropy
  ledger: Ledger
  users: Users
  identityProviders: IdentityProviders
  behaviour: Behaviour
  /** Ids of rules that the participant does not enforce. */
  without: ReadonlySet<string>
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

/** Replaces parts of a participant. */
export interface Overrides {
  /** Ids of rules that the participant does not enforce. */
  without?: readonly string[]
  /** Changes requests and answers, and causes further effects. */
  interceptor?: Interceptor
  /** Identifies the caller, from the caller that the token identifies. */
  seenAs?: SeenAs
  /** Decisions of the ledger. Called once for each participant. */
  decisions?: () => Partial<Decisions>
  /** Bytes of the largest body that the participant reads. */
  bodyLimit?: number
  /** A body above the limit is rejected before the participant has read it, and the connection ends with the answer. */
  cutsOff?: true
}

export type KnownOperation = keyof typeof operations | keyof typeof supportOperations

export interface InterceptedRequest {
  /** Undefined: another operation. */
  operation: KnownOperation | undefined
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The same object for all requests of one connection. */
  connection: object
}

export interface InterceptedAnswer {
  status: number
  contentType: string | null
  text: string
  form?: SentForm
}

export interface SentForm {
  /** In several pieces, without Content-Length. */
  inPieces?: true
  /** Names of HTTP headers are case-insensitive. */
  headersInCapitals?: true
  /** Each answer ends its connection. */
  closesConnection?: true
}

export type Handler = (request: InterceptedRequest) => Promise<InterceptedAnswer>
