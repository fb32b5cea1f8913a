/** Participants that take who calls for somebody else, or for somebody who may do more. */
import type { JsonObject, JsonValue } from '../../interface/json.js'
import type { Caller } from '../auth/caller.js'
import type { Right } from '../auth/users.js'
import { alteringRequests, bodyOf, jsonIn, withBody, without } from './alterations.js'
import type { Deviation, SwitchPoints } from './deviation.js'

type SeenAs = NonNullable<SwitchPoints['seenAs']>

const seen = (name: string, rule: string, sentence: string, seenAs: SeenAs): Deviation => ({
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
): Deviation => ({
  ...{ name, rule, sentence },
  operation: 'submit-and-wait',
  shows: 'acceptance',
  where: { authorization: true },
  door:
    ({ ask }) =>
    async (asked) => {
      const told = await ask(asked)
      const body = asked.operation === 'submit-and-wait' && told.status === 403 ? bodyOf(asked) : undefined
      return body ? ask(withBody(asked, looksAt(body))) : told
    },
})

const partiesOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

const someChecked: readonly Deviation[] = [
  partlyChecked(
    'rights-of-the-first-reader-checked',
    'AUTH-READ-AS',
    'Of the parties in readAs only the first needs a right.',
    (body) => ({ ...body, readAs: partiesOf(body['readAs']).slice(0, 1) }),
  ),
  partlyChecked(
    'rights-of-the-last-reader-checked',
    'AUTH-READ-AS',
    'Of the parties in readAs only the last needs a right.',
    (body) => ({ ...body, readAs: partiesOf(body['readAs']).slice(-1) }),
  ),
  partlyChecked(
    'rights-of-the-first-actor-checked',
    'AUTH-ACT-AS',
    'Of the parties in actAs only the first needs a right.',
    (body) => ({ ...body, actAs: partiesOf(body['actAs']).slice(0, 1) }),
  ),
  partlyChecked(
    'rights-of-the-last-actor-checked',
    'AUTH-ACT-AS',
    'Of the parties in actAs only the last needs a right.',
    (body) => ({ ...body, actAs: partiesOf(body['actAs']).slice(-1) }),
  ),
]

export const otherCallers: readonly Deviation[] = [
  ...someChecked,
  seen(
    'no-token-needed',
    'AUTH-HEADER-REQUIRED',
    'Whoever calls without a token may do everything.',
    (caller, header) => (header === undefined ? anyone : caller),
  ),
  seen(
    'any-token-taken',
    'AUTH-HEADER-REQUIRED',
    'Whoever calls with a token that is none may do everything.',
    (caller, header) => (caller.kind === 'nobody' && header !== undefined ? anyone : caller),
  ),
  seen(
    'signatures-of-tokens-ignored',
    'AUTH-HEADER-REQUIRED',
    'Who a token names is who calls, however it is signed and whenever it ended.',
    (caller, header, users) => {
      const userId = namedBy(header)
      if (caller.kind !== 'nobody' || userId === undefined || !users.find(userId)) return caller
      // The token may have expired, and is accepted.
      return { kind: 'user', userId, foreign: false, rights: users.rights(userId), expiresAt: Number.MAX_SAFE_INTEGER }
    },
  ),
  seen('everybody-may-everything', 'AUTH-ACT-AS', 'Whoever has a token may act as anybody.', (caller) =>
    caller.kind === 'user' ? anyone : caller,
  ),
  seen(
    'readers-may-act',
    'AUTH-ACT-AS',
    'Whoever may read as a party may act as it.',
    withRights((rights) =>
      rights.map((right) => (right.kind === 'CanReadAs' ? { ...right, kind: 'CanActAs' } : right)),
    ),
  ),
  seen(
    'everybody-may-read',
    'AUTH-READ-AS',
    'Whoever has a token may read as anybody.',
    withRights((rights) => [...rights, { kind: 'CanReadAsAnyParty' }]),
  ),
  {
    ...seen(
      'user-of-the-body-ignored',
      'AUTH-USER-ID',
      'The user is that of the token, whoever is named.',
      (one) => one,
    ),
    door: alteringRequests(['submit-and-wait'], without('userId')),
  },
]
