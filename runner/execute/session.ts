import type { KeyRing } from '../sign/key-ring.js'
import type { HeldConnection } from '../transport/held-connection.js'
import type { Transport } from '../transport/transport.js'
import type { CompletionsWatch } from './completions-watch.js'
import type { Rest } from './in-parallel.js'
import type { Tokens } from './tokens.js'

/** All that is needed to send steps; one for a whole run. */
export interface Session {
  transport: Transport
  tokens: Tokens
  /** What parties of the suite sign with. */
  keys: KeyRing
  /** Where steps are sent over the connection of the step before. */
  held?: HeldConnection
  /** By which a step waits before it is sent again; plainly, unless others can go ahead meanwhile. */
  rest?: Rest
  /** Milliseconds after which an effect that comes late would be there. */
  lateDelay: number
  /** Watches for all; where there is none, whoever waits for a completion asks again and again. */
  completions?: CompletionsWatch
}
