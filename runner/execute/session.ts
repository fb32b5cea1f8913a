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
  /** Without it, each row polls for its completions. */
  completions?: CompletionsWatch
}
