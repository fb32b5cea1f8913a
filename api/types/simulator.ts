/// <reference lib="esnext.disposable" preserve="true" />

/** Defaults are those of `conform simulate`. */
export interface SimulatorOptions<Party extends string = string> {
  /** TCP port of the loopback address. Default: a free port. */
  port?: number
  /** Additional accepted host names, without a port, such as a container name. */
  allowHosts?: readonly string[]
  /** Origins of web pages that may send requests and read the answers (CORS), such as `http://localhost:3000`. */
  allowOrigins?: readonly string[]
  /** A line of the reference participant with its known faults (default: `canton-3.5`), or `interface`: the interface text. */
  behaviour?: 'canton-3.4' | 'canton-3.5' | 'canton-3.6' | 'interface'
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`. Default: `none`. */
  authorization?: string
  /** Maximum seconds until a token expires. Default: 300. */
  maxTokenLifetime?: number
  /** Of the synchronizers. Default: 35. */
  protocolVersion?: 34 | 35
  /** Number of synchronizers, from 0 to 100. Default: 1. */
  synchronizers?: number
  /** The same seed repeats every id if the same requests arrive in the same order. */
  seed?: string
  /** A state from `snapshots.save()`. It includes seed, protocol version and synchronizers. */
  state?: string
  /** DARs to upload and vet, as paths or bytes. List a package after those that it upgrades. */
  packages?: readonly (string | { name: string; bytes: Uint8Array })[]
  /** Hints of parties to create. `Simulator.parties` has their ids. */
  parties?: readonly Party[]
  /** Users to create besides `participant_admin`. */
  users?: readonly SimulatorUser[]
}

/** Parties are hints of `SimulatorOptions.parties`, or full ids. */
export interface SimulatorUser {
  id: string
  primaryParty?: string
  actAs?: readonly string[]
  readAs?: readonly string[]
  /** The user may execute their signed transactions. */
  executeAs?: readonly string[]
  /** Rights without a party. */
  rights?: readonly ('ParticipantAdmin' | 'IdentityProviderAdmin' | 'CanReadAsAnyParty' | 'CanExecuteAsAnyParty')[]
}

/** A participant in this process. It runs until `close()`. */
export interface Simulator<Party extends string = string> {
  /** Base URL, without a final slash. */
  readonly url: string
  /** Party ids by hint. */
  readonly parties: Readonly<Record<Party, string>>
  readonly control: SimulatorControl
  readonly snapshots: Snapshots
  /** Closes connections and server. Further calls have no effect. */
  close(): Promise<void>
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** All functions reject with `ConformanceError`, `CONTROL_REFUSED`, and then change nothing. */
export interface SimulatorControl {
  /**
   * The ledger time can stop and advance, but never goes back. Requests that wait for a time continue when it is
   * reached.
   */
  readonly clock: {
    read(): Promise<LedgerTime>
    freeze(): Promise<LedgerTime>
    unfreeze(): Promise<LedgerTime>
    /** Precision: microseconds. */
    advance(seconds: number): Promise<LedgerTime>
    set(now: Date | string): Promise<LedgerTime>
  }
  readonly faults: {
    inject(fault: Fault): Promise<SetFault>
    list(): Promise<SetFault[]>
    /** Removes this fault or all faults. */
    clear(id?: string): Promise<void>
  }
  readonly journal: Journal
  /** Restores the start state, without faults and journal. Snapshots remain. */
  reset(): Promise<void>
}

/** ISO 8601 with microseconds, in UTC. */
export interface LedgerTime {
  now: string
  frozen: boolean
}

/** With `at: 'request'` (default) the operation does not run, or runs later; with `at: 'answer'` it has run. */
export type Fault = {
  /** A name (`submit-and-wait`), a path (`/v2/users/{user}`), or method and path. Default: all. */
  operation?: string
  /** Only requests whose body has these values, by JSON pointer: `{ '/commandId': 'c-1' }`. */
  match?: Readonly<Record<string, unknown>>
  /** Every nth matching request; excludes `next`. Default: every request. */
  every?: number
  /** The next n matching requests. */
  next?: number
} & (
  | { kind: 'delay'; milliseconds: number; at?: 'request' | 'answer' }
  /** An error status from 400 to 599. `body`: a string, or a value that becomes JSON. */
  | {
      kind: 'status'
      status: number
      body?: unknown
      /** Such as `{ 'retry-after': 1 }`. */
      headers?: Readonly<Record<string, string | number>>
      at?: 'request' | 'answer'
    }
  | { kind: 'reset'; at?: 'request' | 'answer' }
  /** Closes the connection after this number of bytes of the body. Default: half of it. */
  | { kind: 'truncate'; bytes?: number }
  /** An equally long body that is neither JSON nor UTF-8. */
  | { kind: 'garbage' }
)

export type SetFault = Fault & {
  id: string
  /** Matching requests. */
  calls: number
  /** Requests that received the fault. */
  injected: number
}

/** The last 1000 exchanges, or fewer if they are long. */
export interface Journal {
  /** The last exchanges (default: 100), oldest first. Rejects with `ConformanceError`. */
  read(selection?: { operation?: string; last?: number }): Promise<Exchange[]>
  clear(): Promise<void>
}

export interface Exchange {
  /** Counts from 1. */
  number: number
  /** Its name, or method and path; null for an unknown path. */
  operation: string | null
  /** ISO 8601, in UTC. */
  startedAt: string
  milliseconds: number
  request: { method: string; path: string; headers: [name: string, value: string][]; body?: ExchangedBody }
  /** Absent if the client disconnected, or a fault replaced the answer. */
  response?: { status: number; contentType?: string; body?: ExchangedBody }
  /** The reason, which the client does not receive. */
  rejectedToken?: string
  /** Ids of the injected faults. */
  faults?: string[]
  /** A closed WebSocket: messages to the client, and the close code. */
  socket?: { sent: number; code: number }
}

/** A body without secrets: `text` if it is UTF-8, otherwise `base64`. */
export interface ExchangedBody {
  text?: string
  base64?: string
  /** Full length; the first 64 Ki characters are kept. */
  bytes: number
  cut?: true
}

/**
 * The participant's state without keys, tokens, settings and faults. A name has 1 to 100 letters, digits, dots, dashes
 * and underscores. Functions reject with `ConformanceError`, `CONTROL_REFUSED` or `INVALID_STATE`.
 */
export interface Snapshots {
  /** Replaces an earlier state of this name. */
  take(name: string): Promise<Snapshot>
  /** Returns to the named state. */
  restore(name: string): Promise<void>
  delete(name: string): Promise<void>
  list(): Promise<Snapshot[]>
  /** Returns the current state as a string. */
  save(): Promise<string>
  /** Replaces the state by a saved one. */
  load(state: string): Promise<void>
}

export interface Snapshot {
  name: string
  /** Time of the machine: ISO 8601, in UTC. */
  savedAt: string
}
