/// <reference lib="esnext.disposable" preserve="true" />
import type { SimulatorControl } from './control.js'
import type { Snapshots } from './snapshots.js'

/** How the simulated participant is to be; what is left out is as `simulate` on the command line has it. */
export interface SimulatorOptions<Party extends string = string> {
  /** TCP port on the loopback address; a free one unless given. */
  port?: number
  /** Further host names that requests may be addressed to, without a port: of a container or a service. */
  allowHosts?: readonly string[]
  /** Origins of web pages that may send requests and read the answers (CORS), such as `http://localhost:3000`. */
  allowOrigins?: readonly string[]
  /** The participant that is imitated, its faults included; `interface` does what the text says. Unless given: `canton-3.5`. */
  behaviour?: 'canton-3.5' | 'interface'
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`; `none` unless given. */
  authorization?: string
  /** Seconds from now until a token expires, at most; 300 unless given. */
  maxTokenLifetime?: number
  /** Of its synchronizers; 35 unless given. */
  protocolVersion?: 34 | 35
  /** How many it is connected to, from 0 to 100; 1 unless given. */
  synchronizers?: number
  /** Any text; the same one repeats every id, as long as the same calls come in the same order. */
  seed?: string
  /** A state that `snapshots.save()` gave; it brings its own seed, protocol version and synchronizers. */
  state?: string
  /** DARs, by path or as bytes: uploaded and vetted before the first request, each after those that it upgrades. */
  packages?: readonly (string | { name: string; bytes: Uint8Array })[]
  /** Parties that exist from the first request on. These are their hints; `parties` of the simulator has their ids. */
  parties?: readonly Party[]
  /** Users that exist from the first request on, beside `participant_admin`. */
  users?: readonly SimulatorUser[]
}

/** A user and its rights. A party is named by its hint, where the participant hosts it, or by its whole id. */
export interface SimulatorUser {
  id: string
  primaryParty?: string
  actAs?: readonly string[]
  readAs?: readonly string[]
  /** Parties whose signed transactions the user may execute. */
  executeAs?: readonly string[]
  /** Rights that name no party. */
  rights?: readonly ('ParticipantAdmin' | 'IdentityProviderAdmin' | 'CanReadAsAnyParty' | 'CanExecuteAsAnyParty')[]
}

/** A participant that runs in this process, until it is closed. */
export interface Simulator<Party extends string = string> {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** The ids of the parties that the options name, by their hints. */
  readonly parties: Readonly<Record<Party, string>>
  /** Its time, faults, and what it saw. */
  readonly control: SimulatorControl
  /** Its states: to be kept, and to be put back. */
  readonly snapshots: Snapshots
  /** Ends all connections, and resolves when nothing listens any more. Calls after the first do the same. */
  close(): Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
