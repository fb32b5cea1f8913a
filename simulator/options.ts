import type { GeneralRightKind } from './auth/users.js'
import type { BehaviourName } from './base/behaviour.js'
import type { Clock } from './ledger/state/clock.js'
import type { Overrides } from './participant/participant.js'
import type { SocketLimits } from './sockets/stream-socket.js'

/** How a simulator serves its participant. */
export interface ServingOptions {
  /** TCP port; 0 picks a free one. */
  port?: number
  /** Name or address to listen on; default: the loopback address. */
  host?: string
  /** Additional host names for the `Host` header, without a port. */
  allowHosts?: readonly string[]
  /** Origins of web pages that may send requests and read the answers. */
  allowOrigins?: readonly string[]
  /** Maximum milliseconds until a request has arrived with its body; default 30,000. */
  receiveLimit?: number
  socketLimits?: Partial<SocketLimits>
  /** Serves the control plane under `/control`. */
  control?: boolean
  /** Prints each request, its status and the reason of a rejected token to standard error. */
  verbose?: boolean
}

/** Content of the participant before the first request. */
export interface InitialOptions {
  /** The JSON text of a saved state. It contains seed, protocol version and synchronizers. */
  state?: string
  /** DARs, as paths or bytes, uploaded and vetted on every synchronizer before the first request. */
  packages?: readonly (string | PackageFile)[]
  /** Hints of parties, allocated on every synchronizer before the first request. */
  parties?: readonly string[]
  users?: readonly InitialUser[]
}

export interface SimulatorOptions extends ServingOptions, InitialOptions {
  behaviour?: BehaviourName
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`. */
  authorization?: string
  /** Maximum seconds from now until a token expires; default 300. */
  maxTokenLifetime?: number
  protocolVersion?: 34 | 35
  /** Number of connected synchronizers, 0 or more; default 1. */
  synchronizers?: number
  /** Repeats every id. */
  seed?: string
  clock?: Clock
  /** Milliseconds after which an operation asks the client to retry; default 20,000, as the reference participant 3.5.10. */
  answerLimit?: number
  /** Parts of the participant that differ from the behaviour. */
  overrides?: Overrides
}

/** A DAR. */
export interface PackageFile {
  /** For messages. */
  name: string
  bytes: Uint8Array
}

/** A user that exists before the first request. It names a party by its hint or its id. */
export interface InitialUser {
  id: string
  primaryParty?: string
  actAs?: readonly string[]
  readAs?: readonly string[]
  executeAs?: readonly string[]
  rights?: readonly GeneralRightKind[]
}
