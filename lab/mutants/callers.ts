/** Mutants that identify the wrong caller, or grant too many rights. */
import type { JsonObject } from '../../lib/json/json.js'
import type { Caller, SeenAs } from '../../simulator/auth/caller.js'
import type { Right, Users } from '../../simulator/auth/users.js'
import { listOf, parseObject, without } from '../interceptors/bodies.js'
import { alterRequests, retryFailed } from '../interceptors/interceptors.js'
import { fault, type Mutant } from './mutant.js'

const seen = (name: string, rule: string, sentence: string, seenAs?: SeenAs): Mutant => ({
  name,
  sentence,
  ...(seenAs && { seenAs }),
  ...fault('submit-and-wait', rule, 'acceptance'),
  where: { authorization: true },
})

/** Of an unchecked token; empty without readable claims. */
export function claimsOf(header: string | undefined): JsonObject {
  const [, payload = ''] = header?.split('.') ?? []
  return parseObject(Buffer.from(payload, 'base64url').toString('utf8')) ?? {}
}

/** The known user of an unchecked token, which may have expired. */
export function userNamedBy(header: string | undefined, users: Users): Caller | undefined {
  const { sub: userId } = claimsOf(header)
  if (typeof userId !== 'string' || !users.find(userId)) return undefined
  return { kind: 'user', userId, foreign: false, rights: users.rights(userId), expiresAt: Number.MAX_SAFE_INTEGER }
}

const withRights =
  (change: (rights: readonly Right[]) => readonly Right[]): SeenAs =>
  (caller) =>
    caller.kind === 'user' ? { ...caller, rights: change(caller.rights) } : caller

const anyone: Caller = { kind: 'anyone' }

const partlyChecked = (place: 'first' | 'last', role: 'reader' | 'actor'): Mutant => {
  const [member, rule] = role === 'reader' ? (['readAs', 'AUTH-READ-AS'] as const) : (['actAs', 'AUTH-ACT-AS'] as const)
  const sentence = `Rights are checked only for the ${place} party in ${member}.`
  return {
    ...seen(`rights-of-the-${place}-${role}-checked`, rule, sentence),
    interceptor: retryFailed(['submit-and-wait'], (body, { status }) => {
      const parties = listOf(body[member])
      const checked = place === 'first' ? parties.slice(0, 1) : parties.slice(-1)
      return status === 403 ? { ...body, [member]: checked } : undefined
    }),
  }
}

export const firstTokenReused: Mutant = {
  name: 'token-looked-at-once',
  sentence: 'The token of the first request on a connection authorizes all later requests on it.',
  ...fault('submit-and-wait', 'AUTH-HEADER-REQUIRED', 'acceptance'),
  where: { authorization: true },
  interceptor: ({ handle }) => {
    const tokens = new WeakMap<object, string>()
    return async (request) => {
      const earlier = tokens.get(request.connection)
      const { authorization } = request.headers
      const returned = await handle(
        earlier === undefined ? request : { ...request, headers: { ...request.headers, authorization: earlier } },
      )
      if (authorization !== undefined && returned.status < 400) tokens.set(request.connection, earlier ?? authorization)
      return returned
    }
  },
}

export const wrongCallers: readonly Mutant[] = [
  partlyChecked('first', 'reader'),
  partlyChecked('last', 'reader'),
  partlyChecked('first', 'actor'),
  partlyChecked('last', 'actor'),
  seen('no-token-needed', 'AUTH-HEADER-REQUIRED', 'A caller without a token has all rights.', (caller, header) =>
    header === undefined ? anyone : caller,
  ),
  seen('any-token-taken', 'AUTH-HEADER-REQUIRED', 'A caller with an invalid token has all rights.', (caller, header) =>
    caller.kind === 'unidentified' && header !== undefined ? anyone : caller,
  ),
  seen(
    'signatures-of-tokens-ignored',
    'AUTH-HEADER-REQUIRED',
    'The signature and the expiry of a token are not checked.',
    (caller, header, users) => (caller.kind === 'unidentified' ? (userNamedBy(header, users) ?? caller) : caller),
  ),
  seen('everybody-may-everything', 'AUTH-ACT-AS', 'A valid token authorizes acting as any party.', (caller) =>
    caller.kind === 'user' ? anyone : caller,
  ),
  seen(
    'readers-may-act',
    'AUTH-ACT-AS',
    'The right to read as a party includes the right to act as it.',
    withRights((rights) =>
      rights.map((right) => (right.kind === 'CanReadAs' ? { ...right, kind: 'CanActAs' } : right)),
    ),
  ),
  seen(
    'everybody-may-read',
    'AUTH-READ-AS',
    'A valid token authorizes reading as any party.',
    withRights((rights) => [...rights, { kind: 'CanReadAsAnyParty' }]),
  ),
  {
    ...seen(
      'users-compared-without-case',
      'AUTH-USER-ID',
      'userId may have other letter case than the user of the token.',
    ),
    interceptor: retryFailed(['submit-and-wait'], ({ userId = null, ...body }, { status }) =>
      status === 403 && typeof userId === 'string' ? { ...body, userId: userId.toLowerCase() } : undefined,
    ),
  },
  {
    ...seen('user-of-the-body-ignored', 'AUTH-USER-ID', 'userId is replaced by the user of the token.'),
    interceptor: alterRequests(['submit-and-wait'], without('userId')),
  },
]
