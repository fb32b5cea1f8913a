import type { KeyRing } from '../sign/signing-key.js'
import type { HeldConnection } from '../transport/held-connection.js'
import type { Transport } from '../transport/transport.js'
import type { CompletionsWatch } from './completions-watch.js'
import type { ReleaseSlot } from './in-parallel.js'
import type { Tokens } from './tokens.js'

export interface Session {
  transport: Transport
  tokens: Tokens
  keys: KeyRing
  held?: HeldConnection
  /** Without it, a waiting step keeps its slot. */
  releaseSlot?: ReleaseSlot
  /** Milliseconds. */
  lateDelay: number
  /** The answers come from a record, so no step waits for time to pass or for another answer. */
  isRecorded?: true
  /** Without it, each row polls for its completions. */
  completions?: CompletionsWatch
}
