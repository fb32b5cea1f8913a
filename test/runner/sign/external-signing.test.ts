/** Executions: the number of signatures, transactions that the signer changed, and a later version of a template. */
import t from 'tap'
import type { DamlRecord } from '../../../interface/daml-value.js'
import type { InputContract } from '../../../interface/prepared-transaction/codec.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import { builtInPackage, PackageStore } from '../../../simulator/ledger/packages/package-store.js'
import {
  altered,
  createPing,
  eveEnvironment,
  execute,
  executePath,
  execution,
  hashOf,
  outcomeOf,
  refused,
  transactionPath,
  waitPath,
} from '../../support/ledgers/external-environment.js'
import { objectIn, ping, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'

t.test('an execution with too many signatures is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t, { protocolVersion: 34 })
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const [key = makeSigningKey('ed25519')] = eve.keys
  const many = (count: number) => ({ party: eve.party, signatures: Array(count).fill(key.sign(hashOf(prepared))) })
  t.equal(outcomeOf(await execute(environment, execution(prepared, [many(51)]), executePath)), refused)
  t.equal(outcomeOf(await execute(environment, execution(prepared, [many(1001)]), waitPath)), refused)
  t.equal(
    outcomeOf(await execute(environment, execution(prepared, [many(51)]), waitPath)),
    200,
    'the limit applies to one operation',
  )
})

t.test('a transaction that its signer changed is accepted only if it remains valid', async (t) => {
  const expected = {
    'canton-3.5': { signatory: '500 NA', 'missing node': '500 NA' },
    interface: { signatory: refused, 'missing node': refused },
  }
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    const { environment, eve } = await eveEnvironment(t, { behaviour })
    const create0 = 'transaction.nodes.v1.create'
    const attempts: [title: string, changes: Record<string, JsonValue>, outcome: number | string][] = [
      ['nothing', {}, 200],
      ['the command id', { set: { 'metadata.submitter_info.command_id': 'another' } }, 200],
      ['the argument', { set: { [`${create0}.argument.record.fields.value.text`]: 'changed' } }, 200],
      ['the UUID', { set: { 'metadata.transaction_uuid': '4c6471d3-4e09-49dd-addf-6cd90e19c583' } }, 200],
      [
        'the UUID once more',
        { set: { 'metadata.transaction_uuid': '4C6471D3-4e09-49dd-addf-6cd90e19c583' } },
        '400 DUPLICATE_CONFIRMATION_REQUEST_UUID',
      ],
      ['the preparation time by 25 hours', { add: { 'metadata.preparation_time': -90_000_000_000 } }, '400 NA'],
      ['the preparation time by a microsecond', { add: { 'metadata.preparation_time': 1 } }, '400 NA'],
      ['the contract id', { set: { [`${create0}.contract_id`]: `00${'ab'.repeat(32)}` } }, '400 NA'],
      [
        'the seed',
        { 'set-bytes': { 'transaction.node_seeds.seed': Buffer.alloc(32, 7).toString('base64') } },
        '400 NA',
      ],
      ['a stakeholder', { append: { [`${create0}.stakeholders`]: environment.bob } }, '400 NA'],
      ['the package name', { set: { [`${create0}.package_name`]: 'another' } }, '400 NA'],
      ['the mediator', { set: { 'metadata.mediator_group': 3 } }, '404 SYNCHRONIZER_WITHOUT_MEDIATOR'],
      [
        'the largest mediator',
        { set: { 'metadata.mediator_group': 4_294_967_295 } },
        '404 SYNCHRONIZER_WITHOUT_MEDIATOR',
      ],
      ['a signatory', { set: { [`${create0}.signatories`]: environment.bob } }, expected[behaviour].signatory],
      ['a root that is no node', { set: { 'transaction.roots': '7' } }, expected[behaviour]['missing node']],
      ['a root that is no number', { set: { 'transaction.roots': 'x' } }, refused],
      ['no seed', { 'remove-all': { 'transaction.node_seeds': true } }, refused],
      ['the synchronizer', { set: { 'metadata.synchronizer_id': `other::1220${'ab'.repeat(32)}` } }, refused],
    ]
    for (const [title, changes, outcome] of attempts) {
      const prepared = altered(await environment.prepare(eve.party, createPing(eve)), changes)
      const anySignature = { party: eve.party, signatures: eve.keys.map((key) => key.sign(Buffer.alloc(32))) }
      const signed = title.startsWith('a root that is no ') || title === 'no seed' ? anySignature : eve
      t.equal(outcomeOf(await execute(environment, execution(prepared, [signed]))), outcome, `${behaviour}: ${title}`)
    }
  }
})

t.test('a signed transaction with another description of its input contract is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const created = await execute(
    environment,
    execution(await environment.prepare(eve.party, createPing(eve)), [eve]),
    transactionPath,
  )
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  const prepare = () => environment.prepare(eve.party, archive)
  const input = 'metadata.input_contracts.v1'
  for (const [field, value] of Object.entries({
    [`${input}.argument.record.fields.value.text`]: 'another',
    [`${input}.package_name`]: 'another',
    [`${input}.signatories`]: environment.bob,
    [`${input}.template_id.entity_name`]: 'Pong',
  })) {
    const described = altered(await prepare(), { set: { [field]: value } })
    t.equal(outcomeOf(await execute(environment, execution(described, [eve]))), '400 NA', field)
  }
  const later = altered(await prepare(), { add: { 'metadata.input_contracts.created_at': 1 } })
  t.equal(outcomeOf(await execute(environment, execution(later, [eve]))), '400 NA', 'the time of its creation')
  const renumbered = reworked(await prepare(), ({ transaction: { nodes, nodeSeeds } }) => ({
    transaction: {
      roots: ['7'],
      nodes: nodes.map(({ nodeId, node }) => ({ nodeId: nodeId === '0' ? '7' : nodeId, node })),
      nodeSeeds: nodeSeeds.map(({ nodeId, seed }) => ({ nodeId: nodeId === 0 ? 7 : nodeId, seed })),
    },
  }))
  t.equal(outcomeOf(await execute(environment, execution(renumbered, [eve]))), '400 NA', 'another number of the root')
  const forged = reworked(await prepare(), ({ metadata: { inputContracts } }) => ({
    metadata: { inputContracts: inputContracts.map(forgedInput) },
  }))
  t.equal(outcomeOf(await execute(environment, execution(forged, [eve]))), '400 NA', 'with a matching blob')
  t.equal(outcomeOf(await execute(environment, execution(await prepare(), [eve]))), 200)
})

function forgedInput(input: InputContract): InputContract {
  const fields = (argument: DamlRecord): DamlRecord['fields'] =>
    argument.fields.map(([label, value]) => [label, label === 'id' ? { kind: 'text', value: 'forged' } : value])
  const contract = decodeBlob(input.eventBlob, new PackageStore([builtInPackage]))
  const { argument } = input.contract
  if (argument.kind !== 'record') throw new Error('the argument of a contract is a record')
  const eventBlob = encodeBlob({ ...contract, argument: { ...contract.argument, fields: fields(contract.argument) } })
  return { ...input, eventBlob, contract: { ...input.contract, argument: { ...argument, fields: fields(argument) } } }
}

t.test('a contract is exercised with a later version of its template', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  await uploadPackages(environment.wire)
  const [old, name] = ['a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652', '#conformance-upgrade'].map(
    (id) => `${id}:ConformanceUpgrade:Upgradable`,
  )
  const createArguments = { owner: eve.party, text: 't' }
  const made = await environment.prepare(eve.party, { CreateCommand: { templateId: old ?? '', createArguments } })
  const created = await execute(environment, execution(made, [eve]), transactionPath)
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const command = { templateId: name ?? '', contractId, choice: 'Read', choiceArgument: {} }
  const prepared = await environment.prepare(eve.party, { ExerciseCommand: command })
  const transactionFormat = {
    eventFormat: { filtersByParty: { [eve.party]: {} }, verbose: true },
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  }
  const answer = objectIn(
    await execute(environment, execution(prepared, [eve], { transactionFormat }), transactionPath),
  )
  const event = at(answer, '/transaction/events/0/ExercisedEvent') ?? {}
  t.match(event, { exerciseResult: '1.1.0: t', contractId }, 'the later version is executed')
  t.not(at(event, '/templateId'), old, 'the template is that of the later version')
})
