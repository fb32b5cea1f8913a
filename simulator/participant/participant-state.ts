import { IdentityProviders, type IdentityProvidersState } from '../auth/identity-providers.js'
import { Users, type UsersState } from '../auth/users.js'
import type { ClockState } from '../ledger/state/clock.js'
import { createEntropy, type EntropyState } from '../ledger/state/entropy.js'
import { Ledger } from '../ledger/state/ledger.js'
import { firstState, type LedgerState } from '../ledger/state/ledger-state.js'
import type { Participant } from './participant.js'
import { documentOf, graphIn, type StateDocument } from './state-document.js'
import { StateError } from './state-error.js'

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

export const saveState = (participant: Participant): StateDocument => documentOf(stateOf(participant))

/** Operations in progress finish on the earlier state. A `StateError` changes nothing. */
export const restoreState = (document: StateDocument, participant: Participant): void =>
  takeState(stateIn(document), participant)

/** Takes ownership of `state`. */
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

/** Throws `StateError`. */
export const stateIn = (document: StateDocument): ParticipantState => checkedState(graphIn(document))

/** Throws `StateError`. */
export function checkedState(found: unknown): ParticipantState {
  const example: ParticipantState = {
    ledger: firstState({ protocolVersion: 35, synchronizers: 1 }, createEntropy('')),
    users: Users.first().state,
    identityProviders: new Map(),
    entropy: { seed: '', counter: 0 },
    clock: { reading: 0n, offset: 0n, frozen: false },
  }
  for (const [part, like] of Object.entries(example)) {
    requireLike(membersOf(found)[part], like, part)
    const members = membersOf(membersOf(found)[part])
    for (const [name, member] of Object.entries(like)) requireLike(members[name], member, `${part}.${name}`)
  }
  return found as ParticipantState // all members have the right kind, and the digest proves that the simulator saved them
}

function requireLike(found: unknown, like: unknown, member: string): void {
  if (kindOf(found) === kindOf(like)) return
  const problem = `${member} should be ${kindOf(like)}, and is ${kindOf(found)}`
  throw new StateError(
    'STATE_INCONSISTENT',
    `${problem}: another version saved this state; save it again with this version`,
  )
}

const kindOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? (value.constructor?.name ?? 'object') : typeof value

const membersOf = (value: unknown): Record<string, unknown> => ({ ...(typeof value === 'object' ? value : {}) })
