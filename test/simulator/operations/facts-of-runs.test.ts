/** Observations in whole runs of this suite on 3.5.10. */
import t, { type Test } from 'tap'
import { operations } from '../../../interface/operations.js'
import type { PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import type { BehaviourName } from '../../../simulator/simulator.js'
import {
  altered,
  createPing,
  type ExternalEnvironment,
  execute,
  executePath,
  execution,
  externalEnvironment,
  outcomeOf,
  refused,
  type Signer,
  signatureOf,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import {
  createdContract,
  objectIn,
  ping,
  submitPath,
  uploadPackages,
} from '../../support/ledgers/simulator-environment.js'
import { reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'
import type { WireAnswer } from '../../support/servers/wire.js'
import { suiteRun } from '../../support/suites/suite-run.js'
import { inWords } from '../../support/words/in-words.js'

async function modelEnvironment(t: Test, behaviour: BehaviourName = 'canton-3.5') {
  const environment = await externalEnvironment(t, { behaviour })
  await uploadPackages(environment.wire)
  return { environment, eve: await environment.onboard('eve', [makeSigningKey('ed25519')]) }
}

function membersOf(answer: WireAnswer): { names: string[]; correlationId: boolean; traceId: boolean } {
  const { context, correlationId, traceId } = objectIn(answer)
  const names = typeof context === 'object' && context !== null ? Object.keys(context).sort() : []
  return { names, correlationId: correlationId !== null, traceId: traceId !== null }
}

const ofService = { correlationId: false, traceId: true }
const untraced = { names: [], correlationId: false, traceId: false }

async function packageId({ wire }: Pick<ExternalEnvironment, 'wire'>, name: string): Promise<string> {
  const list = await wire.post('/v2/package-vetting/list', { packageMetadataFilter: { packageNamePrefixes: [name] } })
  return String(at(list.json(), '/vettedPackages/0/packages/0/packageId'))
}

t.test('error contexts contain the members of their origin', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  const submit = (members: JsonObject) => environment.wire.post(submitPath, environment.submission(members))
  const [builtIn = ''] = ping.slice(1).split(':')
  const template = ping.replace(`#${builtIn}`, await packageId(environment, builtIn))
  const createArguments = { id: 'x', initiator: environment.alice, responder: environment.bob }
  const byId = { commands: [{ CreateCommand: { templateId: template, createArguments } }] }
  t.equal(outcomeOf(await submit(byId)), 200)
  const badParty = await submit({ ...byId, actAs: ['a.b'] })
  t.equal(outcomeOf(badParty), '400 INVALID_ARGUMENT')
  t.match(objectIn(badParty)['cause'], /: Invalid party in actAs\/act_as: non expected character 0x2e/)
  t.strictSame(membersOf(badParty), { names: ['category', 'definite_answer', 'participant', 'tid'], ...ofService })
  t.equal(at(badParty.json(), '/context/participant'), 'sandbox')

  const { contractId } = await createdContract(environment)
  const unknownVersion = contractId.slice(0, 66) + contractId.slice(66).replace(/^..../, 'cdcd')
  const exercise = { templateId: ping, contractId: unknownVersion, choice: 'Archive', choiceArgument: {} }
  const fine = { DeduplicationDuration: { value: { seconds: 30, nanos: 1 } } }
  const endless = { DeduplicationDuration: { value: { seconds: '9223372036854775000', nanos: 0 } } }
  for (const members of [{ commands: [{ ExerciseCommand: exercise }] }, { deduplicationPeriod: fine }]) {
    const answer = await submit(members)
    t.equal(outcomeOf(answer), '500 NA')
    t.strictSame(membersOf(answer), untraced)
  }
  const traced = await submit({ deduplicationPeriod: endless })
  t.strictSame(membersOf(traced), { names: [], correlationId: true, traceId: true }, 'another 500 has both ids')

  const prepared = altered(await environment.prepare(eve.party, createPing(eve)), {
    set: { 'metadata.mediator_group': 3 },
  })
  const noMediator = await execute(environment, execution(prepared, [eve]), transactionPath)
  t.equal(outcomeOf(noMediator), '404 SYNCHRONIZER_WITHOUT_MEDIATOR')
  t.strictSame(membersOf(noMediator), {
    names: [
      ...['category', 'chosenSynchronizerId', 'definite_answer', 'participant', 'physicalSynchronizerId', 'tid'],
      'topologySnapshotTimestamp',
    ],
    ...ofService,
  })

  const bounds = { newValidFromInclusive: '2030-01-01T00:00:00Z', newValidUntilExclusive: '2029-01-01T00:00:00Z' }
  const Vet = { value: { packages: [{ packageName: 'conformance-model' }], ...bounds } }
  const path = operations['update-package-vetting'].path
  const emptyValidity = await environment.wire.post(path, { changes: [{ operation: { Vet } }] })
  t.equal(outcomeOf(emptyValidity), '400 TOPOLOGY_INVALID_MAPPING')
  t.strictSame(membersOf(emptyValidity), { names: ['category', 'description', 'participant', 'tid'], ...ofService })
  const description = String(at(emptyValidity.json(), '/context/description'))
  t.match(
    description,
    /^packages with empty validity period: VettedPackage\(packageId = [0-9a-f]{12}\.\.\., validFromInclusive = 2030-01-01T00:00:00Z, validUntilExclusive = 2029-01-01T00:00:00Z\)$/,
  )
  t.ok(String(objectIn(emptyValidity)['cause']).endsWith(description))
})

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  t.test(`rejects a map entry without a value: ${behaviour}`, async (t) => {
    const { environment } = await modelEnvironment(t, behaviour)
    const attempt = async (genMap: JsonValue) => {
      const sample = {
        owner: environment.alice,
        text: '',
        int: '1',
        decimal: '1.5',
        bool: true,
        date: '2020-01-01',
        unit: {},
        time: '2020-01-01T00:00:00Z',
        optionalText: null,
        nestedOptional: [],
        list: [],
        textMap: {},
        record: { a: '1', b: 'x' },
        variant: { tag: 'Empty', value: {} },
        enum: 'Red',
        genMap,
      }
      const create = { templateId: '#conformance-model:Conformance:AllTypes', createArguments: sample }
      return outcomeOf(
        await environment.wire.post(submitPath, environment.submission({ commands: [{ CreateCommand: create }] })),
      )
    }
    t.equal(await attempt([['1', 'one']]), 200)
    t.equal(await attempt([['y']]), '400 INVALID_ARGUMENT', 'the key is read first')
    const missing = behaviour === 'canton-3.5' ? '500 LEDGER_API_INTERNAL_ERROR' : '400 INVALID_ARGUMENT'
    t.equal(await attempt([['1']]), missing)
    t.equal(await attempt([[]]), missing)
  })

  t.test(`reports the status of a failed view: ${behaviour}`, async (t) => {
    const { environment } = await modelEnvironment(t, behaviour)
    const only = 'EWT-FAILING-VIEW/only'
    const allow = new Set(['read', 'write', 'topology', 'upload'] as const)
    const { rows } = await suiteRun(environment.url, {
      recordFile: `${t.testdir()}/run.ndjson`,
      only,
      allow,
      lateDelay: 0,
    })
    const [row] = rows
    t.equal(row?.verdict, behaviour === 'canton-3.5' ? 'pass' : 'follows-the-text', inWords(row?.reason))
    const [judged] = row?.judgements.filter(({ divergence }) => divergence !== undefined) ?? []
    t.match(judged, {
      rules: ['VIEW-STATUS-DETAILS'],
      divergence: 'DECODED-DETAILS-AS-OBJECTS',
      confidence: 'observed',
    })
    const answer = row?.evidence.find(({ role }) => role === 'act')?.response?.body ?? ''
    const kind = /"valueDecoded":(.)/.exec(JSON.stringify(answer).replaceAll('\\"', '"'))?.[1]
    t.equal(kind, behaviour === 'canton-3.5' ? '{' : '"')
  })
}

t.test('counts equal signatures in several entries of a party once', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  const attempt = async (counts: readonly number[]) => {
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const { signatures } = signatureOf(eve, prepared)
    const entries = counts.map((count) => ({
      party: eve.party,
      signatures: Array.from({ length: count }, () => [signatures ?? []].flat()).flat(),
    }))
    return outcomeOf(await execute(environment, execution(prepared, entries), transactionPath))
  }
  t.equal(await attempt([2, 2]), 200)
  t.equal(await attempt([1, 1]), 200)
  t.equal(await attempt([1, 0]), 200)
  t.equal(await attempt([2]), refused, 'a single entry is unchanged: more signatures than keys')
})

async function failedStatus(
  environment: ExternalEnvironment,
  { party }: Signer,
  bytes: Buffer,
  signer: Signer,
): Promise<JsonValue> {
  const beginExclusive = await environment.ledgerEnd()
  await execute(environment, execution(bytes, [signer]), executePath)
  const requested = { beginExclusive, userId: 'user', parties: [party] }
  const answer = await environment.wire.post('/v2/commands/completions?limit=1', requested)
  return at(answer.json(), '/0/completionResponse/Completion/value/status') ?? null
}

t.test('omits the trace in a completion if the answer omits it', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  const first = await environment.prepare(eve.party, createPing(eve))
  const again = altered(first, { set: { 'metadata.submitter_info.command_id': 'another' } })
  await execute(environment, execution(first, [eve]), executePath)
  const repeated = await failedStatus(environment, eve, again, eve)
  t.match(at(repeated, '/message'), /^DUPLICATE_CONFIRMATION_REQUEST_UUID\(5,0\): /)
  t.strictSame(at(repeated, '/details')?.toString(), '[object Object]', 'the error alone')
  const old = ({ metadata }: PreparedTransaction) => ({
    metadata: { ...metadata, preparationTime: metadata.preparationTime - 200_000_000_000n },
  })
  const untrue = reworked(await environment.prepare(eve.party, createPing(eve)), old)
  const redacted = await failedStatus(environment, eve, untrue, eve)
  t.match(at(redacted, '/message'), / <no-correlation-id> with tid <no-tid>$/)
  t.strictSame(at(redacted, '/details'), [])
})
