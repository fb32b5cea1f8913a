import { IdentityProviders, type IdentityProvidersState } from '../auth/identity-providers.js'
import { Users, type UsersState } from '../auth/users.js'
import type { ClockState } from '../ledger/state/clock.js'
import type { EntropyState } from '../ledger/state/entropy.js'
import { Ledger } from '../ledger/state/ledger.js'
import type { LedgerState } from '../ledger/state/ledger-state.js'
import type { Participant } from './participant.js'

export interface ParticipantState {
  ledger: LedgerState
  users: UsersState
  identityProviders: IdentityProvidersState
  entropy: EntropyState
  clock: ClockState
}

/** Shared with the participant. */
export const stateOf = (participant: Participant): ParticipantState => ({
  ledger: participant.ledger.state,
  users: participant.users.state,
  identityProviders: participant.identityProviders.state,
  entropy: participant.entropy.state,
  clock: participant.clock.state,
})

/** Takes ownership of `state`. Operations in progress finish on the earlier state. */
export function takeState(state: ParticipantState, participant: Participant): void {
  const { clock, entropy, ledger: former } = participant
  clock.restore(state.clock)
  Object.assign(entropy.state, state.entropy)
  participant.ledger = new Ledger(clock, entropy, state.ledger, former.decisions)
  participant.users = new Users(state.users)
  participant.identityProviders = new IdentityProviders(state.identityProviders)
  // Otherwise its readers wait forever.
  former.changes.announce()
}
