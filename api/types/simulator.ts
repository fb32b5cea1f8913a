import type { SimulatorControl } from './control.js'
import type { Snapshots } from './snapshots.js'

/** How the simulated participant is to be; what is left out is as `simulate` on the command line has it. */
export interface SimulatorOptions {
  /** TCP port on the loopback address; a free one unless given. */
  port?: number
  /** The participant that is imitated, its faults included; `interface` does what the text says. Unless given: `canton-3.5`. */
  behaviour?: 'canton-3.5' | 'interface'
  /** `none`, `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` or `jwks:URL`; `none` unless given. */
  authorization?: string
  /** Of its synchronizers; 35 unless given. */
  protocolVersion?: 34 | 35
  /** How many it is connected to, from 0 to 100; 1 unless given. */
  synchronizers?: number
  /** Any text; the same one repeats every id, as long as the same calls come in the same order. */
  seed?: string
  /** A state that `snapshots.save()` gave; it brings its own seed, protocol version and synchronizers. */
  state?: string
}

/** A participant that runs in this process, until it is closed. */
export interface Simulator {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** Its time, faults, and what it saw. */
  readonly control: SimulatorControl
  /** Its states: to be kept, and to be put back. */
  readonly snapshots: Snapshots
  /** Ends all connections, and resolves when nothing listens any more. */
  close(): Promise<void>
}
