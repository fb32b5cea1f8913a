import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { operations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { type KeyKind, makeSigningKey } from '../../runner/sign/signing-key.js'
import { createPing, execution, externally, type Signer } from '../support/ledgers/external-environment.js'
import {
  createdContract,
  lookUpPath,
  ping,
  type SimulatorEnvironment,
  submitPath,
} from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'
import type { WireAnswer } from '../support/servers/wire.js'

export const vettingPath = operations['update-package-vetting'].path

/** Sends the request whose answer the variant changes. */
export type Probe = (environment: SimulatorEnvironment, t: Test) => Promise<WireAnswer>

export const submit =
  (more: JsonObject): Probe =>
  ({ wire, submission }) =>
    wire.post(submitPath, submission(more))

const submitted = submit({})

const period = (kind: JsonObject): Probe => submit({ deduplicationPeriod: kind })
const headed =
  (method: string, path: string, headers: Record<string, string> = {}): Probe =>
  ({ wire, submission }) =>
    wire.send({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(submission()),
    })

const lookUpContract: Probe = async (environment) => {
  const { contractId } = await createdContract(environment)
  return environment.wire.post(lookUpPath, { contractId })
}

const executed =
  (
    path: keyof typeof operations,
    more: JsonObject = {},
    change: (body: JsonObject, eve: Signer) => JsonObject = (body) => body,
    kind: KeyKind = 'ed25519',
  ): Probe =>
  async (environment) => {
    const outside = externally(environment)
    const eve = await outside.onboard('eve', [makeSigningKey(kind)])
    const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve], more)
    return environment.wire.post(operations[path].path, change(body, eve))
  }

const shown = executed('execute-and-wait-for-transaction')

const format = (filter: JsonObject, party: string): JsonObject => ({
  eventFormat: { filtersByParty: { [party]: { cumulative: [{ identifierFilter: filter }] } }, verbose: true },
  transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
})
const wildcard = { WildcardFilter: { value: { includeCreatedEventBlob: false } } }
const byTemplate = { TemplateFilter: { value: { templateId: ping, includeCreatedEventBlob: false } } }

const formatted = (filter: JsonObject): Probe =>
  executed('execute-and-wait-for-transaction', {}, (body, { party }) => ({
    ...body,
    transactionFormat: format(filter, party),
  }))

const signed = (more: JsonObject): Probe =>
  executed('execute', {}, (body) =>
    JSON.parse(JSON.stringify(body).replace('"SIGNATURE_FORMAT_CONCAT"', JSON.stringify(more['format']))),
  )

const again =
  (probe: Probe): Probe =>
  async (environment, t) => {
    await probe(environment, t)
    return probe(environment, t)
  }

const vetting =
  (more: JsonObject = {}): Probe =>
  async ({ wire }) => {
    const list = await wire.post('/v2/package-vetting/list', {})
    const packageId = at(list.json(), '/vettedPackages/0/packages/0/packageId') ?? ''
    const operation = { Vet: { value: { packages: [{ packageId }], newValidUntilExclusive: '2090-01-01T00:00:00Z' } } }
    return wire.post(vettingPath, { changes: [{ operation }], dryRun: true, ...more })
  }

const withoutPast: Probe = async ({ wire }) => {
  const list = await wire.post('/v2/package-vetting/list', {})
  const packages = [at(list.json(), '/vettedPackages/0/packages') ?? []]
    .flat()
    .map((item) => ({ packageId: at(item, '/packageId') ?? '' }))
  const changes = [{ operation: { Unvet: { value: { packages } } } }]
  const flags = { updateVettedPackagesForceFlags: ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'] }
  await wire.post(vettingPath, { changes, ...flags })
  return wire.post(vettingPath, { changes, dryRun: true, ...flags })
}

const disclosed =
  (more: JsonObject): Probe =>
  async (environment) => {
    const { contractId, blob: createdEventBlob } = await createdContract(environment)
    return submit({ disclosedContracts: [{ contractId, createdEventBlob, ...more }] })(environment, t)
  }

const disclosedElsewhere: Probe = async (environment) => {
  const { contractId, blob: createdEventBlob } = await createdContract(environment)
  const synchronizerId = `other::1220${'ab'.repeat(32)}`
  const disclosedContracts = [{ contractId, createdEventBlob, synchronizerId }]
  const abort = { templateId: ping, contractId, choice: 'AbortPing', choiceArgument: { anyone: environment.alice } }
  const used = { commandId: 'abort', commands: [{ ExerciseCommand: abort }], disclosedContracts }
  return submit({ ...used, synchronizerId: environment.synchronizer })(environment, t)
}

const lookUpAsTwo: Probe = async (environment) => {
  const { contractId } = await createdContract(environment)
  return environment.wire.post(lookUpPath, { contractId, queryingParties: [environment.alice, environment.bob] })
}

const endAfterTen: Probe = async ({ wire }) => {
  for (let count = 0; count < 10; count += 1) await wire.post(lookUpPath, { contractId: 'none' })
  return wire.send({ method: 'GET', path: '/v2/state/ledger-end' })
}

/** A transaction with the format of a party that did not submit it. */
const shownToAnother: Probe = async (environment, t) => {
  const outside = externally(environment)
  const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
  const createArguments = { id: 'x', initiator: eve.party, responder: environment.alice }
  const command = { CreateCommand: { templateId: ping, createArguments } }
  const transactionFormat = format(wildcard, environment.alice)
  const body = execution(await outside.prepare(eve.party, command), [eve], { transactionFormat })
  const answer = await environment.wire.post(operations['execute-and-wait-for-transaction'].path, body)
  t.equal(answer.status, 200, answer.text)
  return answer
}

const lookUpInteger: Probe = async (environment) => {
  const { wire, alice, bob, submission } = environment
  const templateId = '#canton-builtin-admin-workflow-ping:Canton.Internal.Bong:BongProposal'
  const others = { candidates: [bob], validators: [alice], responders: [bob] }
  const limits = { maxLevel: '3', timeout: '2030-01-01T00:00:00Z' }
  const createArguments = { id: 'x', initiator: alice, ...others, ...limits }
  const { contractId } = await createdContract(
    environment,
    submission({ commands: [{ CreateCommand: { templateId, createArguments } }] }),
  )
  return wire.post(lookUpPath, { contractId })
}

const compressed: Probe = ({ wire, submission }) =>
  wire.send({
    path: submitPath,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(submission())),
  })

const lookUpAsNull: Probe = async (environment) => {
  const { contractId } = await createdContract(environment)
  return environment.wire.post(lookUpPath, { contractId, queryingParties: null })
}

const topologyFor =
  (kind: KeyKind): Probe =>
  ({ wire, synchronizer }) => {
    const { publicKey } = makeSigningKey(kind)
    return wire.post('/v2/parties/external/generate-topology', { synchronizer, partyHint: 'eve', publicKey })
  }

const preparedForTwo: Probe = ({ wire, submission, alice, bob, synchronizer }) =>
  wire.post('/v2/interactive-submission/prepare', {
    ...submission({ actAs: [alice, bob] }),
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
  })

const vettingByName: Probe = ({ wire }) => {
  const packages = [{ packageId: '', packageName: 'canton-builtin-admin-workflow-ping', packageVersion: '' }]
  return wire.post(vettingPath, { changes: [{ operation: { Unvet: { value: { packages } } } }], dryRun: true })
}

const withoutUser = executed('execute', {}, ({ userId: _, ...body }) => body)

const refusal = submit({ commandId: '!' })
const large = (size: number): Probe => submit({ unknown: 'abcdefgh'.repeat(size / 8) })
const mebibyte = 1024 * 1024

export const probes: Record<string, Probe> = {
  'other-statuses': refusal,
  'one-status': ({ wire }) => wire.post(lookUpPath, { contractId: `00${'ab'.repeat(32)}` }),
  'other-error-bodies': refusal,
  'problem-details': refusal,
  'silent-refusals': refusal,
  'other-codes': refusal,
  'accept-ignored': headed('POST', submitPath, { accept: 'text/html' }),
  'paths-of-any-case': headed('POST', submitPath.toUpperCase()),
  'an-older-version-too': headed('POST', submitPath.replace('/v2/', '/v1/')),
  'gets-answered': ({ wire }) => wire.send({ method: 'GET', path: submitPath }),
  'options-answered': ({ wire }) => wire.send({ method: 'OPTIONS', path: submitPath }),
  'small-bodies': large(2 * mebibyte),
  'bodies-of-any-size': large(9 * mebibyte),
  'busy-at-times': again(refusal),
  'others-move-the-end': submitted,
  'empty-members-left-out': lookUpContract,
  'null-for-empty': shown,
  'unpopulated-left-out': lookUpContract,
  'events-with-few-members': lookUpContract,
  'events-without-ids': lookUpContract,
  'transactions-with-few-members': shown,
  'vetted-packages-with-few-members': vetting(),
  'no-past-state': withoutPast,
  'events-of-another-kind': shown,
  'times-with-offset': lookUpContract,
  'all-times-with-offset': lookUpContract,
  'all-times-with-fraction': lookUpContract,
  'times-of-another-zone': lookUpContract,
  'times-in-nanoseconds': vetting(),
  'times-as-numbers': lookUpContract,
  'execute-returns-more': executed('execute'),
  'more-members': lookUpContract,
  'completions-counted-apart': submitted,
  'events-counted-apart': shown,
  'hashes-in-base64': shown,
  'spaced-answers': lookUpContract,
  'escaped-texts': lookUpContract,
  'other-order': vetting(),
  'other-successes': submitted,
  'own-media-type': submitted,
  'only-shown-commands': submitted,
  'only-shown-periods': period({ DeduplicationOffset: { value: 0 } }),
  'only-shown-changes': vetting(),
  'only-shown-serials': vetting({ expectedTopologySerial: { serial: { Prior: { value: 1 } } } }),
  'only-shown-ledger-times': executed('execute', {
    minLedgerTime: { time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } },
  }),
  'no-formats': formatted(wildcard),
  'only-shown-filters': formatted(byTemplate),
  'ids-without-blanks': submit({ commandId: 'a b' }),
  'short-ids': submit({ commandId: 'a'.repeat(151) }),
  'empty-texts-refused': submit({ workflowId: '' }),
  'nulls-refused': submit({ workflowId: null }),
  'unknown-members-refused': submit({ limit: 1 }),
  'times-wanted-as-numbers': submit({ minLedgerTimeAbs: '2020-01-01T00:00:00Z' }),
  'plain-integers': submit({ tapsMaxPasses: '3' }),
  'short-lists': submit({ readAs: new Array(101).fill('a') }),
  'flat-bodies': submit({ unknown: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) }),
  'unknown-parties-refused': submit({ readAs: ['unknown'] }),
  'one-signer': executed('execute', {}, (body) => {
    const [own] = [at(body, '/partySignatures/signatures') ?? []].flat()
    return { ...body, partySignatures: { signatures: [own ?? null, { party: 'unknown::1220ab', signatures: [] }] } }
  }),
  'disclosures-in-full': disclosed({}),
  'one-pass': submit({ tapsMaxPasses: 2 }),
  'ids-of-any-text': submit({ commandId: 'é!' }),
  'command-ids-may-be-empty': submit({ commandId: '' }),
  'bad-parties-ignored': submit({ readAs: ['a!b'] }),
  'many-passes': submit({ tapsMaxPasses: 9 }),
  'no-passes': submit({ tapsMaxPasses: 0 }),
  'preferences-are-wishes': submit({ packageIdSelectionPreference: ['x'] }),
  'unknown-periods-ignored': period({ Forever: {} }),
  'times-without-zone': submit({ minLedgerTimeAbs: '2020-01-01' }),
  'far-times-at-once': executed('execute-and-wait-for-transaction', {
    minLedgerTime: { time: { MinLedgerTimeAbs: { value: '2090-01-01T00:00:00Z' } } },
  }),
  'formats-of-signatures-ignored': signed({ format: 'SIGNATURE_FORMAT_DER' }),
  'disclosures-read-from-blobs': disclosed({ templateId: ping }),
  'synchronizers-with-version': (environment, t) =>
    submit({ synchronizerId: `${environment.synchronizer}::35-0` })(environment, t),
  'other-words': refusal,
  'sets-in-another-order': lookUpAsTwo,
  'update-ids-of-another-form': submitted,
  'contract-ids-of-another-form': shown,
  'others-use-the-ledger': endAfterTen,
  'duplicates-answered-with-the-first': again(submit({ commandId: 'first' })),
  'workflow-id-and-tracestate-filled': shown,
  'blob-without-request': shown,
  'command-id-for-every-reader': shownToAnother,
  'witnesses-are-all-stakeholders': shownToAnother,
  'acs-delta-false': shown,
  'integers-as-json-numbers': lookUpInteger,
  'update-ids-with-other-characters': submitted,
  'contract-ids-with-other-characters': shown,
  'node-ids-above-int32': shown,
  'topology-serials-above-int32': vetting(),
  'durations-of-any-width': submit({ minLedgerTimeRel: { seconds: 2 ** 70, nanos: 0 } }),
  'null-is-left-out': lookUpAsNull,
  'content-codings-undone': compressed,
  'executions-without-a-user': withoutUser,
  'prefetched-keys-ignored': submit({ prefetchContractKeys: [{ templateId: 'x', contractKey: 1 }] }),
  'disclosed-synchronizer-ignored': disclosedElsewhere,
  'signatures-named-otherwise': executed('execute'),
  'ecdsa-signatures-named-otherwise': executed('execute', {}, (body) => body, 'p256'),
  'ed25519-keys-alone': topologyFor('p256'),
  'one-acting-party-prepared': preparedForTwo,
  'vetting-by-package-id-alone': vettingByName,
  'unpaired-surrogates-replaced': ({ wire, submission, alice, bob }) => {
    const createArguments = { id: '\ud800', initiator: alice, responder: bob }
    return wire.post(submitPath, submission({ commands: [{ CreateCommand: { templateId: ping, createArguments } }] }))
  },
  'exercises-with-defaults': async (environment) => {
    const { contractId } = await createdContract(environment)
    const commands = [{ ExerciseCommand: { contractId, choice: 'Respond' } }]
    return environment.wire.post(submitPath, environment.submission({ commands, actAs: [environment.bob] }))
  },
  'exercises-corrected': async (environment) => {
    const { contractId } = await createdContract(environment)
    const commands = [
      { ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: { unknown: 1 } } },
    ]
    return environment.wire.post(submitPath, environment.submission({ commands, actAs: [environment.bob] }))
  },
  'no-exercise-by-key': submit({ commands: [{ ExerciseByKeyCommand: { templateId: 'x' } }] }),
  'numbers-wanted-as-json-numbers': submit({
    commands: [{ CreateCommand: { templateId: 'x', createArguments: { n: '1' } } }],
  }),
}
