/// <reference lib="esnext.disposable" preserve="true" />

/** Options of a simulated participant. Defaults are those of `conform simulate`. */
export interface SimulatorOptions<Party extends string = string> {
  /** TCP port on the loopback address. Default: a free port. */
  port?: number
  /** Additional accepted host names, without a port, such as a container or service name. */
  allowHosts?: readonly string[]
  /** Origins of web pages that may send requests and read the answers (CORS), such as `http://localhost:3000`. */
  allowOrigins?: readonly string[]
  /** `canton-3.5`: the reference participant with its known faults. `interface`: the interface text. Default: `canton-3.5`. */
  behaviour?: 'canton-3.5' | 'interface'
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`. Default: `none`. */
  authorization?: string
  /** Maximum seconds from now until a token expires. Default: 300. */
  maxTokenLifetime?: number
  /** Protocol version of the synchronizers. Default: 35. */
  protocolVersion?: 34 | 35
  /** Number of connected synchronizers, from 0 to 100. Default: 1. */
  synchronizers?: number
  /** Any string. The same seed repeats every id if the same requests arrive in the same order. */
  seed?: string
  /** A state from `snapshots.save()`. It includes seed, protocol version and synchronizers. */
  state?: string
  /** DARs, as paths or bytes, uploaded and vetted before the first request. List a package after those that it upgrades. */
  packages?: readonly (string | { name: string; bytes: Uint8Array })[]
  /** Hints of parties that exist before the first request. `Simulator.parties` has their ids. */
  parties?: readonly Party[]
  /** Users that exist before the first request, in addition to `participant_admin`. */
  users?: readonly SimulatorUser[]
}

/** A user and its rights. Parties are hints of `SimulatorOptions.parties`, or full party ids. */
export interface SimulatorUser {
  id: string
  primaryParty?: string
  actAs?: readonly string[]
  readAs?: readonly string[]
  /** Parties whose signed transactions the user may execute. */
  executeAs?: readonly string[]
  /** Rights without a party. */
  rights?: readonly ('ParticipantAdmin' | 'IdentityProviderAdmin' | 'CanReadAsAnyParty' | 'CanExecuteAsAnyParty')[]
}

/** A simulated participant in this process. It runs until `close()`. */
export interface Simulator<Party extends string = string> {
  /** Base URL, without a final slash. */
  readonly url: string
  /** Party ids by hint. */
  readonly parties: Readonly<Record<Party, string>>
  /** Clock, faults, journal and rules. */
  readonly control: SimulatorControl
  readonly snapshots: Snapshots
  /** Closes all connections and the server. Further calls have no effect. */
  close(): Promise<void>
  /** Calls `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Controls a running simulator. All functions reject with `ConformanceError`, `CONTROL_REFUSED`, and then change nothing. */
export interface SimulatorControl {
  /** The ledger time. It can stop and advance, but never goes back. Requests that wait for a time continue when it is reached. */
  readonly clock: {
    read(): Promise<LedgerTime>
    freeze(): Promise<LedgerTime>
    unfreeze(): Promise<LedgerTime>
    /** With a precision of microseconds. */
    advance(seconds: number): Promise<LedgerTime>
    set(now: Date | string): Promise<LedgerTime>
  }
  /** Faults of the network. */
  readonly faults: {
    inject(fault: Fault): Promise<SetFault>
    list(): Promise<SetFault[]>
    /** Removes the fault with this id, or all faults. */
    clear(id?: string): Promise<void>
  }
  readonly journal: Journal
  /** Rules of the interface, by their ids in reports. If a check is left out, the simulator breaks this rule and no other. */
  readonly rules: {
    /** Whether each rule with a check is enforced, by id. */
    list(): Promise<Record<string, boolean>>
    enforce(...ids: string[]): Promise<void>
    leaveOut(...ids: string[]): Promise<void>
  }
  /** Returns to the start state and removes faults and journal. Snapshots remain. */
  reset(): Promise<void>
}

/** The ledger time: ISO 8601 with microseconds, in UTC. */
export interface LedgerTime {
  now: string
  frozen: boolean
}

/** A network fault. With `at: 'request'` (default) the operation does not run, or runs later; with `at: 'answer'` it has run. */
export type Fault = {
  /** A name (`submit-and-wait`), a path (`/v2/users/{user}`), or a method and path. Default: every operation. */
  operation?: string
  /** Only requests whose body has these values, by JSON pointer: `{ '/commandId': 'c-1' }`. */
  match?: Readonly<Record<string, unknown>>
  /** Every nth matching request from now; excludes `next`. Default: every request. */
  every?: number
  /** The next n matching requests. */
  next?: number
} & (
  | { kind: 'delay'; milliseconds: number; at?: 'request' | 'answer' }
  /** Another answer: an error status from 400 to 599. `body` is a string, or a value that becomes JSON. */
  | {
      kind: 'status'
      status: number
      body?: unknown
      /** Such as `{ 'retry-after': 1 }`. */
      headers?: Readonly<Record<string, string | number>>
      at?: 'request' | 'answer'
    }
  /** Resets the connection. */
  | { kind: 'reset'; at?: 'request' | 'answer' }
  /** Closes the connection within the body of the answer, after this number of bytes. Default: after half of the body. */
  | { kind: 'truncate'; bytes?: number }
  /** Replaces the body by one of the same length that is neither JSON nor UTF-8. */
  | { kind: 'garbage' }
)

/** An active fault. */
export type SetFault = Fault & {
  id: string
  /** Matching requests. */
  calls: number
  /** Requests that received the fault. */
  injected: number
}

/** Requests and answers of the simulator: the last 1000 exchanges, or fewer if they are long. */
export interface Journal {
  /** The last exchanges (default: 100), oldest first, of one operation or all. Rejects with `ConformanceError`. */
  read(selection?: { operation?: string; last?: number }): Promise<Exchange[]>
  clear(): Promise<void>
}

/** A request and its answer. */
export interface Exchange {
  /** Counted from 1. */
  number: number
  /** Name of the operation, or method and path; null for an unknown path. */
  operation: string | null
  /** ISO 8601, in UTC. */
  startedAt: string
  milliseconds: number
  request: { method: string; path: string; headers: [name: string, value: string][]; body?: ExchangedBody }
  /** Absent if the client disconnected, or a fault replaced the answer. */
  response?: { status: number; contentType?: string; body?: ExchangedBody }
  /** Why the token was rejected. The client does not receive this reason. */
  rejectedToken?: string
  /** Ids of the injected faults. */
  faults?: string[]
  /** A closed WebSocket: the number of messages to the client, and the close code. */
  socket?: { sent: number; code: number }
}

/** A body without secrets: `text` if it is UTF-8, otherwise `base64`. */
export interface ExchangedBody {
  text?: string
  base64?: string
  /** Full length; at most the first 64 Ki characters are kept. */
  bytes: number
  cut?: true
}

/**
 * States of the participant: parties, contracts, transactions, packages, users, ids and time, without keys, tokens, settings and faults.
 * A name has 1 to 100 letters, digits, dots, dashes and underscores.
 * All functions reject with `ConformanceError`, `CONTROL_REFUSED` or `INVALID_STATE`.
 */
export interface Snapshots {
  /** Stores the current state under a name, and replaces an earlier state of that name. */
  take(name: string): Promise<Snapshot>
  /** Returns to the state of that name. */
  restore(name: string): Promise<void>
  delete(name: string): Promise<void>
  list(): Promise<Snapshot[]>
  /** Returns the current state as a string, for example for a file. */
  save(): Promise<string>
  /** Replaces the state by a saved one. */
  load(state: string): Promise<void>
}

/** A named state. */
export interface Snapshot {
  name: string
  /** Time of the machine: ISO 8601, in UTC. */
  savedAt: string
}
