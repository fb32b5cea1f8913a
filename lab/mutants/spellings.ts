/** Mutants that read timestamps, integers, claims or preferences otherwise than the reference, or print resources so. */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { SeenAs } from '../../simulator/auth/caller.js'
import type { Ledger } from '../../simulator/ledger/state/ledger.js'
import { bodyOf, changeMembers, changeStrings, listOf, withBody } from '../interceptors/bodies.js'
import { alterRequests, rejectRequests, replaceRejections } from '../interceptors/interceptors.js'
import { ewt, saw, vet } from '../interceptors/names.js'
import { claimsOf, userNamedBy } from './callers.js'
import { fault, type Mutant } from './mutant.js'

const timeOfExecution = '/minLedgerTime/time/MinLedgerTimeAbs/value'

const hasOffset = (time: JsonValue | undefined): boolean => typeof time === 'string' && /[+-]\d\d:\d\d$/.test(time)

const withSeconds = (value: JsonValue): JsonValue =>
  changeStrings(value, (text) => text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)Z$/, '$1:00Z'))

/** The nearest time in the years 1 to 9999. */
function clamped(time: JsonValue): JsonValue {
  if (typeof time !== 'string') return time
  if (/^[-+]|T24/.test(time)) return '9999-12-31T23:59:59Z'
  return time.startsWith('0000') ? '0001-01-01T00:00:00Z' : time
}

const boundMembers = ['newValidFromInclusive', 'newValidUntilExclusive']

const wrongTimes: readonly Mutant[] = [
  {
    name: 'ledger-times-with-offset-rejected',
    ...fault(saw, 'GEN-TIME-FORM', 'refusal'),
    sentence: 'A minLedgerTimeAbs with an offset is rejected.',
    interceptor: rejectRequests([saw], ({ minLedgerTimeAbs }) =>
      hasOffset(minLedgerTimeAbs) ? 'the time zone of minLedgerTimeAbs is not Z' : undefined,
    ),
  },
  {
    name: 'ledger-times-without-seconds-read',
    ...fault(saw, 'GEN-TIME-FORM', 'acceptance'),
    sentence: 'A minLedgerTimeAbs without seconds is accepted.',
    interceptor: alterRequests([saw], (body) => changedBy(body, ['minLedgerTimeAbs'], withSeconds)),
  },
  {
    name: 'execution-times-with-offset-rejected',
    ...fault(ewt, 'GEN-TIME-FORM', 'refusal'),
    sentence: 'A MinLedgerTimeAbs with an offset is rejected.',
    interceptor: rejectRequests([ewt], (body) =>
      hasOffset(valueAt(body, timeOfExecution)) ? 'the time zone of MinLedgerTimeAbs is not Z' : undefined,
    ),
  },
  {
    name: 'execution-times-of-any-year-accepted',
    ...fault(ewt, 'GEN-TIME-FORM', 'acceptance'),
    sentence: 'A MinLedgerTimeAbs after the year 9999 is ignored.',
    interceptor: alterRequests([ewt], (body) =>
      String(valueAt(body, timeOfExecution)).startsWith('+') ? { ...body, minLedgerTime: null } : body,
    ),
  },
  {
    name: 'bounds-without-seconds-read',
    ...fault(vet, 'GEN-TIME-FORM', 'acceptance'),
    sentence: 'A validity bound without seconds is accepted.',
    interceptor: alterRequests([vet], (body) => changedBy(body, boundMembers, withSeconds)),
  },
  {
    name: 'bounds-of-any-year-accepted',
    ...fault(vet, 'GEN-TIME-FORM', 'acceptance'),
    sentence: 'A validity bound before the year 1 or after the year 9999 is accepted.',
    interceptor: alterRequests([vet], (body) => changedBy(body, boundMembers, clamped)),
  },
]

function changedBy(body: JsonObject, names: readonly string[], change: (value: JsonValue) => JsonValue): JsonObject {
  const changed = changeMembers(body, names, change)
  return isJsonObject(changed) ? changed : body
}

const integerMembers = ['tapsMaxPasses', 'seconds', 'value']

const withoutLeadingZero = (value: JsonValue): JsonValue =>
  changeStrings(value, (text) => text.replace(/^0(\d+)$/, '$1'))

const wrongIntegers: readonly Mutant[] = [
  {
    name: 'integers-with-exponent-rejected',
    ...fault(saw, 'GEN-INTEGER-FORM', 'refusal'),
    sentence: 'A tapsMaxPasses with an exponent is rejected.',
    interceptor: rejectRequests([saw], ({ tapsMaxPasses = null }) =>
      /e/i.test(printJson(tapsMaxPasses)) ? 'tapsMaxPasses is not a plain integer' : undefined,
    ),
  },
  {
    name: 'integers-with-leading-zero-read',
    ...fault(saw, 'GEN-INTEGER-FORM', 'acceptance'),
    sentence: 'An integer in a string with a leading zero is accepted.',
    interceptor: alterRequests([saw], (body) => changedBy(body, integerMembers, withoutLeadingZero)),
  },
  {
    name: 'serials-with-leading-zero-read',
    ...fault(vet, 'GEN-INTEGER-FORM', 'acceptance'),
    sentence: 'An expected serial in a string with a leading zero is read.',
    interceptor: alterRequests([vet], (body) => changedBy(body, ['expectedTopologySerial'], withoutLeadingZero)),
  },
]

const aboutClaims = (name: string, shows: Mutant['shows'], sentence: string, seenAs: SeenAs): Mutant => ({
  name,
  ...fault('contract-by-id', 'AUTH-CLAIMS', shows),
  sentence,
  where: { authorization: true },
  seenAs,
})

/** Accepts rejected tokens with such claims. */
const accepting = (name: string, sentence: string, isSuch: (claims: JsonObject) => boolean): Mutant =>
  aboutClaims(name, 'acceptance', sentence, (caller, header, users) =>
    caller.kind === 'unidentified' && isSuch(claimsOf(header)) ? (userNamedBy(header, users) ?? caller) : caller,
  )

const wrongClaims: readonly Mutant[] = [
  accepting('tokens-issued-ahead-accepted', 'iat is ignored.', ({ iat }) => typeof iat === 'number'),
  accepting('issuers-of-any-type-accepted', 'iss may be a number.', ({ iss }) => typeof iss === 'number'),
  accepting(
    'participants-beside-others-accepted',
    'aud may contain the URLs of several participants.',
    ({ aud }) => listOf(aud).length > 1,
  ),
  aboutClaims('scp-ignored', 'refusal', 'The claim scp is ignored.', (caller, header) =>
    claimsOf(header)['scp'] === undefined ? caller : { kind: 'unidentified' },
  ),
]

const isVetted = (ledger: Ledger, id: JsonValue): boolean =>
  typeof id === 'string' && ledger.synchronizers.some((synchronizer) => ledger.isVetted(id, synchronizer))

const wrongPreferences: readonly Mutant[] = [
  {
    name: 'preferences-for-unvetted-packages-ignored',
    ...fault(saw, 'SAW-PREFERENCE-FILTERS', 'acceptance'),
    sentence: 'A preferred package that is not vetted is ignored.',
    interceptor:
      ({ handle, participant: { ledger } }) =>
      (request) => {
        const body = request.operation === saw ? bodyOf(request) : undefined
        const preferred = listOf(body?.['packageIdSelectionPreference'])
        const known = preferred.filter((id) => ledger.packages.get(String(id)) === undefined || isVetted(ledger, id))
        return handle(
          known.length < preferred.length
            ? withBody(request, { ...body, packageIdSelectionPreference: known })
            : request,
        )
      },
  },
]

const wrongResources: readonly Mutant[] = [
  {
    name: 'resource-types-with-their-class',
    ...fault('contract-by-id', 'CBI-STAKEHOLDER-INTERSECTION', 'answer'),
    sentence: 'The type of a resource in an error is ErrorResource(CONTRACT_ID) in place of CONTRACT_ID.',
    where: { behaviour: 'canton-3.6' },
    interceptor: replaceRejections((answer) => ({
      ...answer,
      text: answer.text.replace('["CONTRACT_ID"', '["ErrorResource(CONTRACT_ID)"'),
    })),
  },
]

export const wrongSpellings: readonly Mutant[] = [
  ...wrongTimes,
  ...wrongIntegers,
  ...wrongClaims,
  ...wrongPreferences,
  ...wrongResources,
]
