import { operations, supportOperations } from '../../../interface/operations.js'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { usablePackages } from '../../support/ledgers/ledger-environment.js'
import fc from '../../support/records/properties.js'
import { commandFor, printed, templates } from './hostile-commands.js'
import type { HostileEnvironment } from './hostile-environment.js'

type Bodies = fc.Arbitrary<JsonValue>

/** `own`: bodies for a path. `common`: a mixture for all other paths. */
export function bodiesFor(environment: HostileEnvironment): { own: ReadonlyMap<string, Bodies>; common: Bodies } {
  const executing = [
    operations.execute.path,
    supportOperations['execute-and-wait'].path,
    operations['execute-and-wait-for-transaction'].path,
  ]
  const own = new Map<string, Bodies>([
    [operations['contract-by-id'].path, lookUpsFor(environment)],
    [operations['submit-and-wait'].path, submissionsFor(environment)],
    [supportOperations.prepare.path, preparationsFor(environment)],
    ...executing.map((path, index): [string, Bodies] => [
      path,
      // Each transaction can be executed once, so every operation has its own.
      executionsFor(
        environment,
        environment.prepared.filter((_, place) => place % executing.length === index),
      ),
    ]),
    [operations['update-package-vetting'].path, vettingFor()],
  ])
  return { own, common: fc.constantFrom(...supportBodies(environment)) }
}

const maybe = (json: JsonValue): Bodies => fc.constantFrom<JsonValue>(null, json)
const deduplicationPeriod = maybe({ DeduplicationDuration: { value: { seconds: 10, nanos: 0 } } })
const packageIds = usablePackages.map(({ id }) => id)

const lookUpsFor = ({ environment: { alice, bob }, contracts }: HostileEnvironment): Bodies =>
  fc.record({
    contractId: fc.constantFrom(...contracts),
    queryingParties: fc.subarray([alice, bob, 'zoe']),
  })

function commandsFor({ environment: { alice, bob, synchronizer }, contracts, blob }: HostileEnvironment, most: number) {
  const parties = [alice, bob]
  const keyed = templates.find(({ key }) => key)
  const prefetched = { templateId: keyed ? printed(keyed.id) : '', contractKey: { owner: alice, id: 'k' }, limit: 1 }
  const disclosed = { contractId: contracts[0] ?? '', createdEventBlob: blob, synchronizerId: synchronizer }
  return {
    commands: fc.array(commandFor(parties, contracts), { minLength: 1, maxLength: most }),
    commandId: fc.uuid(),
    actAs: fc.subarray(parties, { minLength: 1 }),
    readAs: fc.subarray(parties),
    userId: fc.constant('user'),
    disclosedContracts: fc.constantFrom<JsonValue>([], [disclosed]),
    packageIdSelectionPreference: fc.subarray(packageIds, { maxLength: 2 }),
    prefetchContractKeys: fc.constantFrom<JsonValue>([], [prefetched]),
    tapsMaxPasses: maybe(3),
  }
}

const submissionsFor = (environment: HostileEnvironment): Bodies =>
  fc.record({
    ...commandsFor(environment, 3),
    workflowId: maybe('w'),
    submissionId: maybe('s'),
    synchronizerId: maybe(environment.environment.synchronizer),
    deduplicationPeriod,
    minLedgerTimeAbs: maybe('2020-01-01T00:00:00Z'),
  })

const minLedgerTime = maybe({ time: { MinLedgerTimeRel: { value: { seconds: 1, nanos: 0 } } } })

const preparationsFor = (environment: HostileEnvironment): Bodies =>
  fc.record({
    ...commandsFor(environment, 1),
    synchronizerId: fc.constantFrom('', environment.environment.synchronizer),
    hashingSchemeVersion: fc.constantFrom('HASHING_SCHEME_VERSION_V2', 'HASHING_SCHEME_VERSION_V3'),
    verboseHashing: fc.boolean(),
    estimateTrafficCost: maybe({ disabled: true }),
    maxRecordTime: maybe('2040-01-01T00:00:00Z'),
    minLedgerTime,
  })

/** Prepared transactions with changed bytes, with the original signature or a new one. */
function executionsFor({ environment, eve }: HostileEnvironment, prepared: HostileEnvironment['prepared']): Bodies {
  const changes = fc.array(fc.tuple(fc.nat(5000), fc.integer({ min: 1, max: 255 })), { maxLength: 3 })
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
  const eventFormat = { filtersByParty: { [eve.party]: { cumulative: [wildcard] } }, verbose: true }
  const rest = {
    submissionId: fc.constantFrom('', 's'),
    userId: fc.constant('user'),
    hashingSchemeVersion: fc.constantFrom('HASHING_SCHEME_VERSION_V2', 'HASHING_SCHEME_VERSION_V3'),
    deduplicationPeriod: fc.constantFrom<JsonValue>({ Empty: {} }, { DeduplicationOffset: { value: 0 } }),
    minLedgerTime,
    transactionFormat: maybe({ eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }),
    others: fc.constantFrom<JsonValue[]>([], [{ party: environment.alice, signatures: [] }]),
  }
  return fc
    .tuple(fc.constantFrom(...prepared), changes, fc.boolean(), fc.record(rest))
    .map(([{ bytes, hash }, changed, again, { others, ...members }]) => {
      const copy = Buffer.from(bytes)
      for (const [place, by] of changed) copy.writeUInt8(copy.readUInt8(place % copy.length) ^ by, place % copy.length)
      const signature = eve.key.sign(again ? (hashOf(copy, members.hashingSchemeVersion) ?? hash) : hash)
      return {
        ...members,
        preparedTransaction: copy.toString('base64'),
        partySignatures: { signatures: [{ party: eve.party, signatures: [signature] }, ...others] },
      }
    })
}

function hashOf(bytes: Buffer, version: string): Buffer | undefined {
  try {
    const transaction = normalisePreparedTransaction(decodePreparedTransaction(bytes))
    return hashPreparedTransaction(transaction, version.endsWith('V3') ? 'V3' : 'V2')
  } catch {
    return undefined
  }
}

function vettingFor(): Bodies {
  const reference = fc.oneof(
    fc.record({ packageId: fc.constantFrom(...packageIds) }),
    fc.record({ packageName: fc.constantFrom(...usablePackages.map(({ name }) => name)) }),
    fc.constantFrom(...usablePackages.map(({ name, version }) => ({ packageName: name, packageVersion: version }))),
  )
  const packages = fc.array(reference, { maxLength: 3 })
  const bounds = {
    newValidFromInclusive: maybe('2020-01-01T00:00:00Z'),
    newValidUntilExclusive: maybe('2031-01-01T00:00:00Z'),
  }
  const operation = fc.oneof(
    fc.record({ Vet: fc.record({ value: fc.record({ packages, ...bounds }) }) }),
    fc.record({ Unvet: fc.record({ value: fc.record({ packages }) }) }),
  )
  const flags = ['ALLOW_VET_INCOMPATIBLE_UPGRADES', 'ALLOW_UNVETTED_DEPENDENCIES']
  return fc.record({
    changes: fc.array(fc.record({ operation }), { maxLength: 3 }),
    dryRun: fc.boolean(),
    expectedTopologySerial: maybe({ serial: { Prior: { value: 1 } } }),
    updateVettedPackagesForceFlags: fc.subarray(flags.map((flag) => `UPDATE_VETTED_PACKAGES_FORCE_FLAG_${flag}`)),
  })
}

/** Bodies of support operations, for every operation without its own. */
function supportBodies({ environment: { alice, synchronizer }, eve }: HostileEnvironment): JsonObject[] {
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
  const views = {
    identifierFilter: { InterfaceFilter: { value: { interfaceId: 'a:b:c', includeInterfaceView: true } } },
  }
  const eventFormat = {
    filtersByParty: { [alice]: { cumulative: [views, wildcard] } },
    filtersForAnyParty: { cumulative: [] },
    verbose: true,
  }
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
  const updateFormat = { includeTransactions: { eventFormat, transactionShape } }
  const rights = [{ kind: { CanActAs: { value: { party: alice } } } }, { kind: { ParticipantAdmin: { value: {} } } }]
  const signature = { signature: 'AAAA', signedBy: '1220' }
  return [
    { updateId: '1220', offset: 9, beginExclusive: 0, endInclusive: 100, updateFormat },
    { contractId: '00', activeAtOffset: 0, eventFormat },
    { synchronizer, partyHint: 'mallory', publicKey: eve.key.publicKey },
    { synchronizer, onboardingTransactions: [{ transaction: 'CgA=' }], multiHashSignatures: [signature], userId: 'u' },
    { user: { id: 'u', primaryParty: '' }, rights, partyIdHint: 'zoe', userId: 'u', parties: [alice] },
  ]
}
