import type { TokenVerifier } from '../auth/token.js'
import type { Users } from '../auth/users.js'
import type { Behaviour } from '../base/behaviour.js'
import type { Enforcement } from '../base/checks.js'
import type { AdjustableClock } from '../ledger/adjustable-clock.js'
import type { SeededEntropy } from '../ledger/entropy.js'
import type { Ledger } from '../ledger/ledger.js'

/** One simulated participant: all that an operation may use. */
export interface Participant {
  /** Those of the ledger, too. */
  clock: AdjustableClock
  entropy: SeededEntropy
  ledger: Ledger
  users: Users
  behaviour: Behaviour
  enforcement: Enforcement
  /** Absent: authorization is off. */
  verify: TokenVerifier | undefined
  /** After this many milliseconds the caller is told to try again, whatever becomes of the call. */
  answerLimit: number
}
