/** Variants without values that the text does not name. */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { InterceptedAnswer, InterceptedRequest, Stage } from '../../simulator/participant/participant.js'
import { bodyOf, json } from '../interceptors/bodies.js'
import { rejectAuthorized, rejectRequests } from '../interceptors/interceptors.js'
import { damlArguments } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const noNames = 'The allowed values of format and signingAlgorithmSpec: not shown.'

const named = (body: JsonObject, pattern: RegExp): string | undefined =>
  pattern.exec(printJson(body['partySignatures'] ?? null))?.[0]

const objectsAt = (value: JsonValue | undefined, name: string): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap((item) => objectsAt(item, name))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key === name ? [item].flat().filter(isJsonObject) : []),
    ...objectsAt(item, name),
  ])
}

/** Deeper than any number in a request. */
const deepest = 50

const isDigits = (value: JsonValue, depth = 0): boolean => {
  if (typeof value === 'string') return /^-?\d+(?:\.\d+)?$/.test(value)
  if (depth > deepest) return false
  const items = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  return items.some((item) => isDigits(item, depth + 1))
}

const numbersAsStrings = (value: JsonValue | undefined, depth = 0): boolean => {
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.some((item) => numbersAsStrings(item, depth + 1))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, item]) =>
    damlArguments.includes(name) ? isDigits(item, depth) : numbersAsStrings(item, depth + 1),
  )
}

/** Rights of the user of the token. */
function rightsOf({ headers }: InterceptedRequest, { participant }: Stage): { kind: string; party?: string }[] {
  const [, claims = ''] = (headers['authorization'] ?? '').split('.')
  const subject = valueAt(bodyOf({ body: Buffer.from(claims, 'base64url') }), '/sub')
  return typeof subject === 'string' && participant.users.find(subject) ? participant.users.rights(subject) : []
}

const forbidden: InterceptedAnswer = json(403, {
  code: 'NA',
  cause: 'reading as the party requires the right CanReadAs',
})

export const variantsOfUnsupportedValues: readonly Variant[] = [
  variant(
    'signatures-named-otherwise',
    'Signature formats and signing algorithms have different names.',
    noNames,
    rejectAuthorized((body) => {
      const name = named(body, /SIGNATURE_FORMAT_\w+|SIGNING_ALGORITHM_SPEC_\w+/)
      return name && `${name} is not a known value`
    }),
  ),
  variant(
    'ecdsa-signatures-named-otherwise',
    'ECDSA algorithms have different names.',
    noNames,
    rejectAuthorized((body) => {
      const name = named(body, /SIGNING_ALGORITHM_SPEC_EC_DSA_\w+/)
      return name && `${name} is not a known value`
    }),
  ),
  variant(
    'ed25519-keys-alone',
    'External parties have Ed25519 keys only.',
    `${noNames} No sentence names the kinds of keys.`,
    rejectRequests(['generate-external-topology', 'allocate-external-party'], (body) =>
      /EC_?DSA|EC_P256|EC_P384|EC_SECP256K1/.test(printJson(body)) ? 'the key type is not supported' : undefined,
    ),
  ),
  variant(
    'one-acting-party-prepared',
    'The prepare operation rejects several acting parties.',
    'Currently only single-party submissions are supported.',
    rejectRequests(['prepare'], ({ actAs }) =>
      Array.isArray(actAs) && new Set(actAs).size > 1 ? 'only one party may act' : undefined,
    ),
  ),
  variant(
    'vetting-by-package-id-alone',
    'A vetting change identifies packages by packageId only.',
    'VettedPackagesChange: other operation kinds: not shown.',
    rejectAuthorized((body, operation) => {
      const isById = ({ packageId }: JsonObject): boolean => typeof packageId !== 'string' || packageId !== ''
      const isNamed = ({ packageName }: JsonObject): boolean => typeof packageName === 'string' && packageName !== ''
      const other =
        operation === 'update-package-vetting' &&
        objectsAt(body['changes'], 'packages').some((one) => isNamed(one) || !isById(one))
      return other ? 'a package has no packageId, or has a packageName' : undefined
    }),
  ),
  variant(
    'no-exercise-by-key',
    'ExerciseByKeyCommand is not supported.',
    'Shapes of the other command kinds: not shown.',
    rejectRequests(['submit-and-wait', 'prepare'], ({ commands }) =>
      (Array.isArray(commands) ? commands : []).some((one) => valueAt(one, '/ExerciseByKeyCommand') !== undefined)
        ? 'ExerciseByKeyCommand is not supported'
        : undefined,
    ),
  ),
  variant(
    'numbers-wanted-as-json-numbers',
    'Integers and decimals in commands must be JSON numbers.',
    'Type any means an arbitrary JSON value; the encoding of ledger values: not shown.',
    rejectRequests(['submit-and-wait', 'prepare'], ({ commands }) =>
      numbersAsStrings(commands) ? 'a number is a string' : undefined,
    ),
  ),
  variant(
    'reading-needs-its-own-right',
    'The right to act as a party does not include the right to read as it.',
    'Authentication rule 2 names acting and reading separately; no sentence states that one includes the other.',
    (stage) => async (request) => {
      const { readAs } = (request.operation === 'submit-and-wait' && bodyOf(request)) || {}
      const parties = Array.isArray(readAs) ? readAs.filter((party) => typeof party === 'string') : []
      const rights = parties.length > 0 ? rightsOf(request, stage) : []
      const reads = (party: string): boolean =>
        rights.some(({ kind, party: own }) => kind === 'CanReadAsAnyParty' || (kind === 'CanReadAs' && own === party))
      return rights.length > 0 && !parties.every(reads) ? forbidden : stage.handle(request)
    },
  ),
]
