/** Variants that read more or fewer forms of timestamps, integers, claims and preferences than the reference. */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { InterceptedRequest } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, listOf, parseObject, withBody } from '../interceptors/bodies.js'
import { alterRequests, rejectAuthorized } from '../interceptors/interceptors.js'
import { executing, saw, vet } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const timeMembers = ['minLedgerTimeAbs', 'newValidFromInclusive', 'newValidUntilExclusive']

const plainTime = /"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z"/

const isUnusualTime = (value: JsonValue): boolean => typeof value === 'string' && !plainTime.test(printJson(value))

/** As a string, `minLedgerTime` has the wrong type. */
const isUnusualKindOfTime = (value: JsonValue): boolean => {
  const text = printJson(value)
  return isJsonObject(value) && text.includes('MinLedgerTimeAbs') && !plainTime.test(text)
}

const changeTimes = (body: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject => {
  const changed = changeIn(body, timeMembers, (value) => (isUnusualTime(value) ? change(value) : value))
  return changeIn(changed, ['minLedgerTime'], (value) => (isUnusualKindOfTime(value) ? change(value) : value))
}

const changeIn = (body: JsonObject, names: readonly string[], change: (value: JsonValue) => JsonValue): JsonObject => {
  const changed = changeMembers(body, names, change)
  return isJsonObject(changed) ? changed : body
}

const noFormat = 'The timestamp string format of minLedgerTimeAbs and the vetting validity bounds: not shown.'
const noClaims = 'Authentication rule 4: the claims layout is not shown.'

function claimsOf({ headers }: InterceptedRequest): JsonObject {
  const [, payload = ''] = headers['authorization']?.split('.') ?? []
  return parseObject(Buffer.from(payload, 'base64url').toString('utf8')) ?? {}
}

const hasOneOf = (claims: JsonObject, names: readonly string[]): boolean => names.some((name) => name in claims)

const unauthorized = { status: 401, contentType: null, text: '' }

export const variantsOfSpellings: readonly Variant[] = [
  variant(
    'unusual-times-ignored',
    'A timestamp that has not seconds, at most six digits of a fraction and the time zone Z is ignored.',
    noFormat,
    alterRequests([saw, vet, ...executing], (body) => changeTimes(body, () => null)),
  ),
  variant(
    'unusual-times-rejected',
    'A timestamp must have seconds, at most six digits of a fraction and the time zone Z.',
    noFormat,
    rejectAuthorized((body) => {
      const found: JsonValue[] = []
      changeTimes(body, (value) => {
        found.push(value)
        return value
      })
      return found.length > 0 ? 'a timestamp has an unknown form' : undefined
    }),
  ),
  variant(
    'integers-in-any-text',
    'A string with a digit is read as the integer 3.',
    'No sentence defines further forms of an integer.',
    alterRequests([saw], (body) =>
      changeIn(body, ['tapsMaxPasses', 'seconds'], (value) =>
        typeof value === 'string' && /\p{Nd}/u.test(value) ? 3 : value,
      ),
    ),
  ),
  variant('claims-ignored', 'The claims iat, nbf, iss, scope and scp are not checked.', noClaims, ({ handle }) => {
    const accepted = new Map<JsonValue, string>()
    return async (request) => {
      const answer = await handle(request)
      const { authorization } = request.headers
      const claims = claimsOf(request)
      const { sub = null } = claims
      if (answer.status === 200 && authorization !== undefined) accepted.set(sub, authorization)
      const other = hasOneOf(claims, ['iat', 'iss', 'scp', 'scope']) ? accepted.get(sub) : undefined
      return answer.status === 401 && other !== undefined
        ? handle({ ...request, headers: { ...request.headers, authorization: other } })
        : answer
    }
  }),
  variant('few-claims', 'A token with the claim iat or scp is rejected.', noClaims, ({ handle }) => async (request) => {
    const isUnusual = hasOneOf(claimsOf(request), ['iat', 'scp'])
    return isUnusual ? unauthorized : handle(request)
  }),
  variant(
    'unvetted-preferences-ignored',
    'A package in packageIdSelectionPreference that is not vetted is ignored.',
    'packageIdSelectionPreference is a preference of the client.',
    ({ handle, participant: { ledger } }) =>
      (request) => {
        const body = request.operation === saw ? bodyOf(request) : undefined
        const isUsable = (id: JsonValue): boolean =>
          typeof id !== 'string' ||
          ledger.packages.get(id) === undefined ||
          ledger.synchronizers.some((one) => ledger.isVetted(id, one))
        const preferred = listOf(body?.['packageIdSelectionPreference'])
        const usable = preferred.filter(isUsable)
        return handle(
          usable.length < preferred.length
            ? withBody(request, { ...body, packageIdSelectionPreference: usable })
            : request,
        )
      },
  ),
]
