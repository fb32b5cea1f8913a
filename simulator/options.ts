/** How a simulated participant is to be. */
import type { GeneralRightKind } from './auth/users.js'
import type { BehaviourName } from './base/behaviour.js'
import type { Clock } from './ledger/state/clock.js'
import type { SavedState } from './participant/state-file.js'
import type { SocketLimits } from './sockets/limits.js'
import type { Otherwise } from './switch-points.js'

export interface SimulatorOptions extends Otherwise {
  /** TCP port; 0 picks a free one. */
  port?: number
  /** Name or address to listen on; the loopback address where nothing is said. */
  host?: string
  /** Further host names that a `Host` header may have, without a port. */
  allowHosts?: readonly string[]
  /** Origins of web pages that may send requests and read the answers. */
  allowOrigins?: readonly string[]
  behaviour?: BehaviourName
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`. */
  authorization?: string
  /** Seconds from now until a token expires, at most; 300 where nothing is said. */
  maxTokenLifetime?: number
  protocolVersion?: 34 | 35
  /** How many synchronizers the participant is connected to, from 0 on; 1 where nothing is said. */
  synchronizers?: number
  /** Repeats every id of a run. */
  seed?: string
  clock?: Clock
  /** Milliseconds after which an operation returns that the caller may try again; 20 s, as the reference participant 3.5.10. */
  answerLimit?: number
  /** Milliseconds in which a request has to arrive, with its body; 30 s. */
  receiveLimit?: number
  /** What clients of WebSockets may take; what is left out is as usual. */
  socketLimits?: Partial<SocketLimits>
  /** Ids of rules that this simulator does not enforce. */
  without?: readonly string[]
  /** A saved state to start from, as the control plane gives it or as a file holds it; it brings its own seed, protocol version and synchronizers. */
  state?: SavedState
  /** DARs, by path or as bytes, that are uploaded before the first request, and vetted on every synchronizer. */
  packages?: readonly (string | PackageFile)[]
  /** Hints of parties that are allocated on every synchronizer before the first request. */
  parties?: readonly string[]
  users?: readonly InitialUser[]
  /** Whether it can be looked at and changed from outside, below `/control`. */
  control?: boolean
  /** Prints each request and its status on standard error, and why its token was rejected. */
  verbose?: boolean
}

/** A DAR, and what it is called in messages. */
export interface PackageFile {
  name: string
  bytes: Uint8Array
}

/** A user that exists before the first request. Parties are named by the hint of one that the participant hosts, or by their whole id. */
export interface InitialUser {
  id: string
  primaryParty?: string
  actAs?: readonly string[]
  readAs?: readonly string[]
  executeAs?: readonly string[]
  rights?: readonly GeneralRightKind[]
}
