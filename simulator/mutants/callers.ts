/** Mutants that take the caller for another user, or grant the caller more rights. */
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../auth/caller.js'
import type { Right } from '../auth/users.js'
import { alteringRequests, bodyOf, jsonIn, withBody, without } from './alterations.js'
import type { Mutant, SwitchPoints } from './mutant.js'

type SeenAs = NonNullable<SwitchPoints['seenAs']>

const seen = (name: string, rule: string, sentence: string, seenAs: SeenAs): Mutant => ({
  ...{ name, rule, sentence, seenAs },
  operation: 'submit-and-wait',
  shows: 'acceptance',
  where: { authorization: true },
})

/** Whoever a token names, believed without looking further. */
function namedBy(header: string | undefined): string | undefined {
  const [, payload = ''] = header?.split('.') ?? []
  const claims = jsonIn(Buffer.from(payload, 'base64url').toString('utf8'))
  return typeof claims?.['sub'] === 'string' ? claims['sub'] : undefined
}

const withRights =
  (change: (rights: readonly Right[]) => readonly Right[]): SeenAs =>
  (caller) =>
    caller.kind === 'user' ? { ...caller, rights: change(caller.rights) } : caller

const anyone: Caller = { kind: 'anyone' }

/** What is refused for lack of a right is asked again for the parties that the check looks at. */
const partlyChecked = (
  name: string,
  rule: string,
  sentence: string,
  looksAt: (body: JsonObject) => JsonObject,
): Mutant => ({
  ...{ name, rule, sentence },
  operation: 'submit-and-wait',
  shows: 'acceptance',
  where: { authorization: true },
  interceptor:
    ({ handle }) =>
    async (request) => {
      const answer = await handle(request)
      const body = request.operation === 'submit-and-wait' && answer.status === 403 ? bodyOf(request) : undefined
      return body ? handle(withBody(request, looksAt(body))) : answer
    },
})

const partiesOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

const someChecked: readonly Mutant[] = [
  partlyChecked(
    'rights-of-the-first-reader-checked',
    'AUTH-READ-AS',
    'Rights are checked only for the first party in readAs.',
    (body) => ({ ...body, readAs: partiesOf(body['readAs']).slice(0, 1) }),
  ),
  partlyChecked(
    'rights-of-the-last-reader-checked',
    'AUTH-READ-AS',
    'Rights are checked only for the last party in readAs.',
    (body) => ({ ...body, readAs: partiesOf(body['readAs']).slice(-1) }),
  ),
  partlyChecked(
    'rights-of-the-first-actor-checked',
    'AUTH-ACT-AS',
    'Rights are checked only for the first party in actAs.',
    (body) => ({ ...body, actAs: partiesOf(body['actAs']).slice(0, 1) }),
  ),
  partlyChecked(
    'rights-of-the-last-actor-checked',
    'AUTH-ACT-AS',
    'Rights are checked only for the last party in actAs.',
    (body) => ({ ...body, actAs: partiesOf(body['actAs']).slice(-1) }),
  ),
]

export const otherCallers: readonly Mutant[] = [
  ...someChecked,
  seen('no-token-needed', 'AUTH-HEADER-REQUIRED', 'A caller without a token has all rights.', (caller, header) =>
    header === undefined ? anyone : caller,
  ),
  seen('any-token-taken', 'AUTH-HEADER-REQUIRED', 'A caller with an invalid token has all rights.', (caller, header) =>
    caller.kind === 'nobody' && header !== undefined ? anyone : caller,
  ),
  seen(
    'signatures-of-tokens-ignored',
    'AUTH-HEADER-REQUIRED',
    'The signature and the expiry of a token are not checked.',
    (caller, header, users) => {
      const userId = namedBy(header)
      if (caller.kind !== 'nobody' || userId === undefined || !users.find(userId)) return caller
      // The token may have expired, and is accepted.
      return { kind: 'user', userId, foreign: false, rights: users.rights(userId), expiresAt: Number.MAX_SAFE_INTEGER }
    },
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
    ...seen('user-of-the-body-ignored', 'AUTH-USER-ID', 'userId is replaced by the user of the token.', (one) => one),
    interceptor: alteringRequests(['submit-and-wait'], without('userId')),
  },
]
