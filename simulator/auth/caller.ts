import { grammars, violation } from '../../interface/grammars.js'
import { excerpt } from '../../lib/json/json.js'
import type { Behaviour } from '../base/behaviour.js'
import { invalidToken, RedactedError, undecodable } from '../base/errors.js'
import type { TokenVerifier } from './token.js'
import type { Right, Users } from './users.js'

/** `anyone`: authorization is off. `unidentified`: without an acceptable token. */
export type Caller =
  | { kind: 'anyone' }
  | { kind: 'unidentified' }
  | { kind: 'user'; userId: string; foreign: boolean; rights: readonly Right[]; expiresAt: number }

/** Replaces the identified caller. `header`: the first Authorization header. */
export type SeenAs = (caller: Caller, header: string | undefined, users: Users) => Caller

interface Gate {
  verify: TokenVerifier | undefined
  users: Users
  ledger: { participantId: string }
  seenAs?: SeenAs
}

type Rejected = (why: string) => void

/**
 * Rejects an unknown or deactivated user on every path; a missing or invalid token only in the operation (observed on
 * 3.5.10).
 */
export async function identify(headers: readonly string[], gate: Gate, rejected: Rejected): Promise<Caller> {
  const caller = await found(headers, gate, rejected)
  return gate.seenAs ? gate.seenAs(caller, headers[0], gate.users) : caller
}

const bearer = /^bearer[ \t]*(?:bearer[ \t]*)?/i

/** Undefined without a Bearer header. Other schemes beside it are ignored. Throws `PlainRefusal`. */
function bearerToken(headers: readonly string[]): string | undefined {
  const [token, ...more] = headers.filter((header) => bearer.test(header)).map((header) => header.replace(bearer, ''))
  if (more.length > 0) throw undecodable('header Authorization (multiple values)')
  if (token === '' || token?.startsWith(':')) throw undecodable('header Authorization')
  return token
}

async function found(
  headers: readonly string[],
  { verify, users, ledger: { participantId } }: Gate,
  rejected: Rejected,
): Promise<Caller> {
  const token = bearerToken(headers)
  if (!verify) return { kind: 'anyone' }
  if (token === undefined) {
    rejected(
      headers.length === 0
        ? 'the request has no Authorization header'
        : 'the Authorization header is not a bearer token',
    )
    return { kind: 'unidentified' }
  }
  const claims = await verify(token, participantId)
  if ('rejected' in claims) {
    rejected(`token rejected: ${claims.rejected}`)
    return { kind: 'unidentified' }
  }
  const problem = violation(grammars.userId, claims.subject)
  if (problem) {
    rejected(`token rejected: its sub ${excerpt(claims.subject, 200)} is not a valid user id`)
    throw invalidToken('service', `The submitted request is missing a user-id: token ${problem}`, {
      context: { ledger_api_error: 'invalid token' },
    })
  }
  const user = users.find(claims.subject)
  // The setting of the simulator verifies only tokens of the default identity provider, whatever their iss is.
  if (!user || user.isDeactivated || user.identityProviderId !== '') {
    const state = user?.isDeactivated ? 'is deactivated' : 'belongs to another identity provider'
    rejected(`token rejected: the user ${excerpt(claims.subject, 200)} ${user ? state : 'does not exist'}`)
    throw new RedactedError('PERMISSION_DENIED', { context: { ledger_api_error: 'invalid token' } })
  }
  if (claims.foreign) rejected(`token rejected: its aud names a participant other than ${participantId}`)
  const { foreign, expiresAt } = claims
  return { kind: 'user', userId: user.id, foreign, expiresAt, rights: users.rights(user.id) }
}

/** An open stream ends when this string changes. */
export const rightsNow = (caller: Caller, users: Users): string | undefined => {
  const user = caller.kind === 'user' ? users.find(caller.userId) : undefined
  return user && JSON.stringify([user.isDeactivated, users.rights(user.id)])
}

/** Throws `INVALID_TOKEN` without either user. */
export function effectiveUserId(caller: Caller, given: string): string {
  if (given !== '') return given
  if (caller.kind === 'user') return caller.userId
  throw invalidToken(
    'service',
    'The submitted request is missing a user-id: Cannot default user_id field because claims do not specify an user-id. Is authentication turned on?',
  )
}

type Demand = (rights: readonly Right[], userId: string) => boolean

/** Throws `RedactedError`, as each function below whose name begins with it. */
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
  has(rights, 'CanReadAsAnyParty') ||
  has(rights, 'CanActAsAnyParty') ||
  hasForEach(rights, ['CanActAs', 'CanReadAs'], parties)

export const demandUser = (caller: Caller): void => demand(caller, () => true)

export const demandAdmin = (caller: Caller): void => demand(caller, (rights) => has(rights, 'ParticipantAdmin'))

const isUserAdmin = (rights: readonly Right[]): boolean =>
  has(rights, 'ParticipantAdmin') || has(rights, 'IdentityProviderAdmin')

export const demandUserAdmin = (caller: Caller): void => demand(caller, isUserAdmin)

/** Each user may read its own data. */
export const demandUserAdminOrSelf = (caller: Caller, userId: string): void =>
  demand(caller, (rights, own) => own === userId || isUserAdmin(rights))

const rightsForAnyParty: readonly Right['kind'][] = ['CanReadAsAnyParty', 'CanActAsAnyParty', 'CanExecuteAsAnyParty']

/** Only a participant administrator gives or takes the right ParticipantAdmin. */
export function demandAdminOfRights(
  caller: Caller,
  changed: readonly (Right | 'none')[],
  others: readonly Right['kind'][] = [],
): void {
  const reserved = ['ParticipantAdmin', ...others]
  if (changed.some((right) => right !== 'none' && reserved.includes(right.kind))) demandAdmin(caller)
  else demandUserAdmin(caller)
}

export const demandToGrant = (caller: Caller, granted: readonly (Right | 'none')[], behaviour: Behaviour): void =>
  demandAdminOfRights(caller, granted, behaviour.has('administrator-grants-any-party') ? rightsForAnyParty : [])

export const demandPartyInformation = (caller: Caller, party: string): void =>
  demand(caller, (rights) => isUserAdmin(rights) || mayRead(rights, [party]))

/** An empty list requires the right to read as any party. */
export const demandRead = (caller: Caller, parties: readonly string[]): void =>
  demand(caller, (rights) => (parties.length === 0 ? has(rights, 'CanReadAsAnyParty') : mayRead(rights, parties)))

export const canRead = (caller: Caller, party: string): boolean =>
  caller.kind === 'anyone' || (caller.kind === 'user' && !caller.foreign && mayRead(caller.rights, [party]))

export const demandOwnUserId = (caller: Caller, userId: string): void =>
  demand(caller, (_, own) => userId === '' || userId === own)

export const demandActAs = (caller: Caller, actAs: readonly string[]): void =>
  demand(caller, (rights) => has(rights, 'CanActAsAnyParty') || hasForEach(rights, ['CanActAs'], actAs))

export const demandReadAs = (caller: Caller, readAs: readonly string[], actAs: readonly string[]): void => {
  const acting = new Set(actAs)
  const others = readAs.filter((party) => !acting.has(party))
  demand(caller, (rights) => mayRead(rights, others))
}

export const demandExecuteAs = (caller: Caller, parties: readonly string[]): void =>
  demand(
    caller,
    (rights) =>
      has(rights, 'CanExecuteAsAnyParty') ||
      has(rights, 'CanActAsAnyParty') ||
      hasForEach(rights, ['CanActAs', 'CanExecuteAs'], parties),
  )
