/** Each `demand` function throws `RedactedError`. */
import { RedactedError } from '../base/errors.js'
import type { Caller } from './caller.js'
import type { Right } from './users.js'

type Demand = (rights: readonly Right[], userId: string) => boolean

function demand(caller: Caller, holds: Demand): void {
  if (caller.kind === 'anyone') return
  if (caller.kind === 'unidentified') throw new RedactedError('UNAUTHENTICATED')
  if (caller.foreign || !holds(caller.rights, caller.userId)) throw new RedactedError('PERMISSION_DENIED')
}

const has = (rights: readonly Right[], kind: Right['kind'], party?: string): boolean =>
  rights.some((right) => right.kind === kind && (party === undefined || ('party' in right && right.party === party)))

/** A request may repeat a party a million times. */
const hasForEach = (rights: readonly Right[], kinds: readonly Right['kind'][], parties: readonly string[]): boolean =>
  [...new Set(parties)].every((party) => kinds.some((kind) => has(rights, kind, party)))

const mayRead = (rights: readonly Right[], parties: readonly string[]): boolean =>
  has(rights, 'CanReadAsAnyParty') || hasForEach(rights, ['CanActAs', 'CanReadAs'], parties)

export const demandUser = (caller: Caller): void => demand(caller, () => true)

export const demandAdmin = (caller: Caller): void => demand(caller, (rights) => has(rights, 'ParticipantAdmin'))

export const demandUserAdmin = (caller: Caller): void =>
  demand(caller, (rights) => has(rights, 'ParticipantAdmin') || has(rights, 'IdentityProviderAdmin'))

export const demandPartyInformation = (caller: Caller, party: string): void =>
  demand(
    caller,
    (rights) => has(rights, 'ParticipantAdmin') || has(rights, 'IdentityProviderAdmin') || mayRead(rights, [party]),
  )

/** An empty list requires the right to read as any party. */
export const demandRead = (caller: Caller, parties: readonly string[]): void =>
  demand(caller, (rights) => (parties.length === 0 ? has(rights, 'CanReadAsAnyParty') : mayRead(rights, parties)))

export const canRead = (caller: Caller, party: string): boolean =>
  caller.kind === 'anyone' || (caller.kind === 'user' && !caller.foreign && mayRead(caller.rights, [party]))

export const demandOwnUserId = (caller: Caller, userId: string): void =>
  demand(caller, (_, own) => userId === '' || userId === own)

export const demandActAs = (caller: Caller, actAs: readonly string[]): void =>
  demand(caller, (rights) => hasForEach(rights, ['CanActAs'], actAs))

export const demandReadAs = (caller: Caller, readAs: readonly string[], actAs: readonly string[]): void => {
  const acting = new Set(actAs)
  const others = readAs.filter((party) => !acting.has(party))
  demand(caller, (rights) => mayRead(rights, others))
}

export const demandExecuteAs = (caller: Caller, parties: readonly string[]): void =>
  demand(
    caller,
    (rights) => has(rights, 'CanExecuteAsAnyParty') || hasForEach(rights, ['CanActAs', 'CanExecuteAs'], parties),
  )
