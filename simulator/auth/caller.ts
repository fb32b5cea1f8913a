import { grammars, violation } from '../../interface/grammars.js'
import { excerpt } from '../../lib/json/json.js'
import { invalidToken, RedactedError } from '../base/errors.js'
import type { TokenVerifier } from './token.js'
import type { Right, Users } from './users.js'

/** Who is calling: anyone (authorization is off), nobody (no acceptable token), or a user with rights. */
export type Caller =
  | { kind: 'anyone' }
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; foreign: boolean; rights: readonly Right[]; expiresAt: number }

/** Who calls in the eyes of a participant, where that is not who it found; `header`: what it had to find him by. */
export type SeenAs = (caller: Caller, header: string | undefined, users: Users) => Caller

/** What a participant knows of those who may call it. */
interface Gate {
  /** Absent: authorization is off. */
  verify: TokenVerifier | undefined
  users: Users
  ledger: { participantId: string }
  seenAs?: SeenAs
}

/** Receives the reason why a request is not from a user that its token names. */
type Rejected = (why: string) => void

/** The bearer token of a request could not even be read as one. */
export class MalformedAuthorizationHeader extends Error {
  override readonly name = 'MalformedAuthorizationHeader'
}

/**
 * Finds out who calls. A missing or unacceptable token is no error here - it only means that nobody calls, which the
 * operation refuses when its turn comes. An unknown or deactivated user is refused at once, on every path (as seen on 3.5.10).
 */
export async function identify(header: string | undefined, gate: Gate, rejected: Rejected): Promise<Caller> {
  const caller = await found(header, gate, rejected)
  return gate.seenAs ? gate.seenAs(caller, header, gate.users) : caller
}

async function found(
  header: string | undefined,
  { verify, users, ledger: { participantId } }: Gate,
  rejected: Rejected,
): Promise<Caller> {
  if (header !== undefined && /^bearer\s*$/i.test(header)) throw new MalformedAuthorizationHeader()
  if (!verify) return { kind: 'anyone' }
  const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) {
    rejected(
      header === undefined ? 'there is no Authorization header' : 'the Authorization header is not Bearer and a token',
    )
    return { kind: 'nobody' }
  }
  const claims = await verify(token, participantId)
  if ('rejected' in claims) {
    rejected(`token rejected: ${claims.rejected}`)
    return { kind: 'nobody' }
  }
  const problem = violation(grammars.userId, claims.subject)
  if (problem) {
    rejected(`token rejected: its sub ${excerpt(claims.subject, 200)} is no user id`)
    throw invalidToken('service', `The submitted request is missing a user-id: token ${problem}`, {
      context: { ledger_api_error: 'invalid token' },
    })
  }
  const user = users.find(claims.subject)
  if (!user || user.isDeactivated) {
    rejected(`token rejected: the user ${excerpt(claims.subject, 200)} ${user ? 'is deactivated' : 'does not exist'}`)
    throw new RedactedError('PERMISSION_DENIED', { context: { ledger_api_error: 'invalid token' } })
  }
  if (claims.foreign) rejected(`token rejected: its aud names another participant than ${participantId}`)
  const { foreign, expiresAt } = claims
  return { kind: 'user', userId: user.id, foreign, expiresAt, rights: users.rights(user.id) }
}

/** What a user may do now, as a text that changes with it: a stream that was opened with other rights has to be opened again. */
export const rightsNow = (caller: Caller, users: Users): string | undefined => {
  const user = caller.kind === 'user' ? users.find(caller.userId) : undefined
  return user && JSON.stringify([user.isDeactivated, users.rights(user.id)])
}

/**
 * The user on whose behalf a submission runs: the one it names, else the one of the token. Throws `INVALID_TOKEN` where
 * there is neither.
 */
export function effectiveUserId(caller: Caller, given: string): string {
  if (given !== '') return given
  if (caller.kind === 'user') return caller.userId
  throw invalidToken(
    'service',
    'The submitted request is missing a user-id: Cannot default user_id field because claims do not specify an user-id. Is authentication turned on?',
  )
}
