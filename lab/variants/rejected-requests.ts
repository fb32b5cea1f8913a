/** Variants that reject requests that the text does not show. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { KnownOperation } from '../../simulator/participant/participant.js'
import { rejectAuthorized } from '../interceptors/interceptors.js'
import { type Variant, variant } from './variant.js'

const kindsOf = (value: JsonValue | undefined): string[] => (isJsonObject(value) ? Object.keys(value) : [])

const otherThan = (known: string, values: readonly (JsonValue | undefined)[]): string | undefined => {
  const other = values.flatMap(kindsOf).find((kind) => kind !== known)
  return other && `the kind ${other} is not supported`
}

const idMembers = ['commandId', 'workflowId', 'submissionId', 'userId']

const refusingIds = (isBad: (id: string) => boolean): ReturnType<typeof rejectAuthorized> =>
  rejectAuthorized((body) => {
    const bad = idMembers.find((name) => typeof body[name] === 'string' && isBad(body[name]))
    return bad && `${bad} is not a valid id`
  })

const noGrammars = 'The grammar of LedgerString, PartyIdString and UserIdString: not shown.'

const members: Partial<Record<KnownOperation, string>> = {
  'contract-by-id': 'contractId queryingParties',
  'submit-and-wait': [
    'commands commandId actAs userId readAs workflowId deduplicationPeriod minLedgerTimeAbs minLedgerTimeRel submissionId',
    'disclosedContracts synchronizerId packageIdSelectionPreference prefetchContractKeys tapsMaxPasses',
  ].join(' '),
  'execute-and-wait-for-transaction':
    'preparedTransaction partySignatures submissionId hashingSchemeVersion deduplicationPeriod userId minLedgerTime transactionFormat',
  execute:
    'preparedTransaction partySignatures submissionId hashingSchemeVersion deduplicationPeriod userId minLedgerTime',
  'update-package-vetting': 'changes dryRun synchronizerId expectedTopologySerial updateVettedPackagesForceFlags',
}

const isTime = (value: JsonValue | undefined): boolean => typeof value === 'string' && !/^\d+$/.test(value)

const lists = (body: JsonObject): JsonValue[][] => Object.values(body).filter((value) => Array.isArray(value))

export const variantsOfRejectedRequests: readonly Variant[] = [
  variant(
    'only-shown-commands',
    'CreateAndExerciseCommand is the only command kind.',
    'Shapes of the other command kinds: not shown.',
    rejectAuthorized(({ commands = [] }, operation) =>
      operation === 'submit-and-wait' && Array.isArray(commands)
        ? otherThan('CreateAndExerciseCommand', commands)
        : undefined,
    ),
  ),
  variant(
    'only-shown-periods',
    'DeduplicationDuration is the only kind of deduplication period.',
    'Other kinds of deduplication period: not shown.',
    rejectAuthorized(({ deduplicationPeriod }) => otherThan('DeduplicationDuration', [deduplicationPeriod])),
  ),
  variant(
    'only-shown-changes',
    'Empty is the only operation kind of a vetting change.',
    'Other operation kinds: not shown.',
    rejectAuthorized(({ changes = [] }, operation) =>
      operation === 'update-package-vetting' && Array.isArray(changes)
        ? otherThan(
            'Empty',
            changes.map((change) => valueAt(change, '/operation') ?? null),
          )
        : undefined,
    ),
  ),
  variant(
    'only-shown-serials',
    'Empty is the only variant of the expected serial.',
    'Other variants of the serial: not shown.',
    rejectAuthorized(({ expectedTopologySerial }) =>
      otherThan('Empty', [valueAt(expectedTopologySerial ?? null, '/serial')]),
    ),
  ),
  variant(
    'only-shown-ledger-times',
    'Empty is the only variant of minLedgerTime.',
    'Other variants of minLedgerTime: not shown.',
    rejectAuthorized(({ minLedgerTime }) => otherThan('Empty', [valueAt(minLedgerTime ?? null, '/time')])),
  ),
  variant(
    'no-formats',
    'transactionFormat has no inner fields.',
    'Inner fields of transactionFormat: named only through the default.',
    rejectAuthorized(({ transactionFormat }) =>
      isJsonObject(transactionFormat) ? 'inner fields of transactionFormat are not supported' : undefined,
    ),
  ),
  variant(
    'only-shown-filters',
    'transactionFormat supports only wildcard filters and the default shape.',
    'Further inner fields of transactionFormat and their values: not shown.',
    rejectAuthorized(({ transactionFormat = null }) => {
      const text = printJson(transactionFormat)
      return /InterfaceFilter|TemplateFilter|LEDGER_EFFECTS/.test(text)
        ? 'the filter or shape is not supported'
        : undefined
    }),
  ),
  variant(
    'ids-without-blanks',
    'Ids of clients contain only letters, digits and hyphens.',
    noGrammars,
    refusingIds((id) => !/^[\w-]*$/.test(id)),
  ),
  variant(
    'short-ids',
    'Ids of clients have at most 150 characters; contract ids are LedgerStrings and have up to 138.',
    noGrammars,
    refusingIds((id) => id.length > 150),
  ),
  variant(
    'empty-texts-refused',
    'An empty string is rejected as an id.',
    noGrammars,
    rejectAuthorized((body) => {
      const empty = [...idMembers, 'synchronizerId'].find((name) => body[name] === '')
      return empty && `${empty} is empty`
    }),
  ),
  variant(
    'nulls-refused',
    'null is rejected as the value of any member.',
    'No sentence equates null with an absent member.',
    rejectAuthorized((body) => {
      const found = Object.entries(body).find(([, value]) => value === null)
      return found && `${found[0]} is null`
    }),
  ),
  variant(
    'unknown-members-refused',
    'A member that the text does not name is rejected.',
    'No sentence defines the result of unknown members.',
    rejectAuthorized((body, operation) => {
      const known = new Set(members[operation]?.split(' ') ?? [])
      const other = Object.keys(body).find((name) => !known.has(name))
      const inside = ['"limit"', '"somethingElse"'].find((name) => printJson(body).includes(name))
      const found = other ?? inside
      return found && `the member ${found} is unknown`
    }),
  ),
  variant(
    'times-wanted-as-numbers',
    'Timestamps of a submission must be strings of milliseconds.',
    'The timestamp string format of minLedgerTimeAbs: not shown.',
    rejectAuthorized(({ minLedgerTimeAbs }) =>
      isTime(minLedgerTimeAbs) ? 'minLedgerTimeAbs is not a timestamp' : undefined,
    ),
  ),
  variant(
    'plain-integers',
    'Integers must be plain digits: no fraction, no exponent, no string.',
    'No sentence defines further forms of an integer.',
    rejectAuthorized(({ tapsMaxPasses, deduplicationPeriod = null }) =>
      [tapsMaxPasses, valueAt(deduplicationPeriod, '/DeduplicationDuration/value/seconds')].some(
        (value) => value instanceof JsonNumber || typeof value === 'string',
      )
        ? 'an integer is not plain'
        : undefined,
    ),
  ),
  variant(
    'short-lists',
    'An array has at most 100 elements.',
    'Request size limits: not shown.',
    rejectAuthorized((body) => (lists(body).some(({ length }) => length > 100) ? 'an array is too long' : undefined)),
  ),
  variant(
    'flat-bodies',
    'A body has at most 50 levels of nesting.',
    'Request size limits: not shown.',
    rejectAuthorized((body) => (/[[{]{50}|\[{50}/.test(printJson(body)) ? 'the body is nested too deeply' : undefined)),
  ),
  variant(
    'unknown-parties-refused',
    'Unknown parties are rejected in each field.',
    'No sentence allows unknown parties in readAs.',
    rejectAuthorized(({ readAs, actAs }) => {
      const parties = [readAs, actAs].flatMap((list) => (Array.isArray(list) ? list : []))
      const strange = parties.find((party) => typeof party === 'string' && !/::1220[0-9a-f]{64}$/.test(party))
      return strange === undefined ? undefined : 'a party is unknown'
    }),
  ),
  variant(
    'one-signer',
    'Only one party may sign.',
    'Currently only single-party submissions are supported.',
    rejectAuthorized(({ partySignatures = null }) => {
      const signers = valueAt(partySignatures, '/signatures')
      return Array.isArray(signers) && signers.length > 1 ? 'only one party may sign' : undefined
    }),
  ),
  variant(
    'disclosures-in-full',
    'A disclosed contract must have all four fields.',
    'Required fields of DisclosedContract: not shown.',
    rejectAuthorized(({ disclosedContracts }) => {
      const contracts = Array.isArray(disclosedContracts) ? disclosedContracts : []
      const isLacking = contracts.some((item) => isJsonObject(item) && !('templateId' in item))
      return isLacking ? 'a disclosed contract has no templateId' : undefined
    }),
  ),
  variant(
    'one-pass',
    'The limit of tapsMaxPasses is one.',
    'Numeric limits of the participant configuration: not shown.',
    rejectAuthorized(({ tapsMaxPasses }) =>
      Number(tapsMaxPasses ?? 1) > 1 ? 'tapsMaxPasses is above the limit' : undefined,
    ),
    { hasOwnTapsLimit: true },
  ),
]
