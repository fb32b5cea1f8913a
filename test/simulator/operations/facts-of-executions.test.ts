/** Observations on 3.5.10 with altered prepared transactions. */
import t, { type Test } from 'tap'
import type { DamlValue } from '../../../interface/daml-value.js'
import type {
  CreateNode,
  Metadata,
  PreparedTransaction,
  TransactionNode,
} from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import type { SimulatorOptions } from '../../../simulator/simulator.js'
import {
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
import { ping, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { flipped, reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'

async function modelEnvironment(
  t: Test,
  options: SimulatorOptions = {},
): Promise<{ environment: ExternalEnvironment; eve: Signer }> {
  const environment = await externalEnvironment(t, options)
  await uploadPackages(environment.wire)
  return { environment, eve: await environment.onboard('eve', [makeSigningKey('ed25519')]) }
}

async function completionCodes(environment: ExternalEnvironment, { party }: Signer, beginExclusive: JsonValue) {
  const answer = await environment.wire.post('/v2/commands/completions', {
    beginExclusive,
    userId: 'user',
    parties: [party],
  })
  return [answer.json()].flat().map((item) => at(item, '/completionResponse/Completion/value/status/code'))
}

const filters = (party: string, filter: JsonObject): JsonObject => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: filter }] } },
})
const wildcard = { WildcardFilter: { value: {} } }
const ofTemplate = (templateId: string) => ({ TemplateFilter: { value: { templateId } } })
const delta = 'TRANSACTION_SHAPE_ACS_DELTA'

/** They decode, but are invalid. */
const formats = (party: string): [line: string, format: JsonObject, outcome: string][] => [
  ['no event format', { transactionShape: delta }, '400 MISSING_FIELD'],
  ['a null format', { eventFormat: null, transactionShape: delta }, '400 MISSING_FIELD'],
  [
    'no shape',
    { eventFormat: filters(party, wildcard), transactionShape: 'TRANSACTION_SHAPE_UNSPECIFIED' },
    '400 MISSING_FIELD',
  ],
  ['no filters', { eventFormat: { filtersByParty: {} }, transactionShape: delta }, '400 INVALID_ARGUMENT'],
  ['a malformed party', { eventFormat: filters('a!b', wildcard), transactionShape: delta }, '400 INVALID_ARGUMENT'],
  [
    'a package id',
    { eventFormat: filters(party, ofTemplate(`${'ab'.repeat(32)}:M:T`)), transactionShape: delta },
    '400 INVALID_FIELD',
  ],
  [
    'an unknown package',
    { eventFormat: filters(party, ofTemplate('#no-such:M:T')), transactionShape: delta },
    '404 PACKAGE_NAMES_NOT_FOUND',
  ],
  [
    'an unknown template',
    { eventFormat: filters(party, ofTemplate(`${ping}Pong`)), transactionShape: delta },
    '404 NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
  ],
]

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  const moment = behaviour === 'canton-3.5' ? 'after' : 'before'
  t.test(`checks the event format ${moment} the commit: ${behaviour}`, async (t) => {
    const { environment, eve } = await modelEnvironment(t, { behaviour })
    const attempt = async (transactionFormat: JsonObject, more: JsonObject = {}) => {
      const begin = await environment.ledgerEnd()
      const prepared = await environment.prepare(eve.party, createPing(eve))
      const answer = await execute(
        environment,
        execution(prepared, [eve], { transactionFormat, ...more }),
        transactionPath,
      )
      return { outcome: outcomeOf(answer), codes: await completionCodes(environment, eve, begin) }
    }
    const committed = behaviour === 'canton-3.5' ? [0] : []
    for (const [line, format, outcome] of formats(eve.party)) {
      t.strictSame(await attempt(format), { outcome, codes: committed }, line)
    }
    const undecodable = { eventFormat: filters(eve.party, ofTemplate('x')), transactionShape: delta }
    t.strictSame(await attempt(undecodable), { outcome: '400 text', codes: [] }, 'an undecodable format')
    const [, [, unknown] = ['', {}]] = formats(eve.party)
    const both = await attempt(unknown, { submissionId: '!' })
    const first = behaviour === 'canton-3.5' ? '400 INVALID_FIELD' : '400 MISSING_FIELD'
    t.strictSame(both, { outcome: first, codes: [] }, 'the fields of the execution are checked before the format')
  })
}

async function preparedExercise(environment: ExternalEnvironment, eve: Signer): Promise<Buffer> {
  const templateId = '#conformance-model:Conformance:Guarded'
  const create = { CreateCommand: { templateId, createArguments: { owner: eve.party, amount: '9' } } }
  const made = await execute(
    environment,
    execution(await environment.prepare(eve.party, create), [eve]),
    transactionPath,
  )
  const contractId = String(at(made.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const spend = { templateId, contractId, choice: 'Spend', choiceArgument: { amount: '4' } }
  return environment.prepare(eve.party, { ExerciseCommand: spend })
}

const ofInput =
  (change: (contract: CreateNode) => CreateNode) =>
  ({ metadata }: PreparedTransaction): { metadata: Partial<Metadata> } => ({
    metadata: {
      inputContracts: metadata.inputContracts.map((input) => ({ ...input, contract: change(input.contract) })),
    },
  })

const ofNodes =
  (change: (node: TransactionNode) => TransactionNode) =>
  ({ transaction: { nodes } }: PreparedTransaction) => ({
    transaction: { nodes: nodes.map(({ nodeId, node }) => ({ nodeId, node: change(node) })) },
  })

const withoutFields = (argument: DamlValue): DamlValue =>
  argument.kind === 'record' ? { ...argument, fields: [] } : argument

/** Alteration, outcome of execute-and-wait, and completion codes of execute. */
const alterations: [line: string, change: (bytes: Buffer) => Buffer, outcome: string, codes: number[]][] = [
  ['a root that is not an integer', (bytes) => reworked(bytes, () => ({ transaction: { roots: ['x'] } })), '400', []],
  [
    'the last byte of the blob of an input',
    (bytes) =>
      reworked(bytes, ({ metadata }) => ({
        metadata: {
          inputContracts: metadata.inputContracts.map((input) => ({
            ...input,
            eventBlob: flipped(input.eventBlob, input.eventBlob.length * 8 - 8),
          })),
        },
      })),
    '400 NA',
    [3],
  ],
  [
    'the package name of an input',
    (bytes) =>
      reworked(
        bytes,
        ofInput((contract) => ({ ...contract, packageName: 'other' })),
      ),
    '400 NA',
    [3],
  ],
  [
    'the template of an input',
    (bytes) =>
      reworked(
        bytes,
        ofInput((contract) => ({ ...contract, templateId: { ...contract.templateId, entity: 'Note' } })),
      ),
    '400 NA',
    [3],
  ],
  [
    'the argument of an input',
    (bytes) =>
      reworked(
        bytes,
        ofInput((contract) => ({ ...contract, argument: withoutFields(contract.argument) })),
      ),
    '400 NA',
    [3],
  ],
  [
    'the number of the root',
    (bytes) =>
      reworked(bytes, ({ transaction: { nodes, nodeSeeds } }) => ({
        transaction: {
          roots: ['7'],
          nodes: nodes.map(({ nodeId, node }) => ({ nodeId: nodeId === '0' ? '7' : nodeId, node })),
          nodeSeeds: nodeSeeds.map(({ nodeId, seed }) => ({ nodeId: nodeId === 0 ? 7 : nodeId, seed })),
        },
      })),
    '400 NA',
    [3],
  ],
]

t.test('rejects altered prepared transactions with valid signatures', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  for (const [line, change, expected, codes] of alterations) {
    const bytes = change(await preparedExercise(environment, eve))
    const begin = await environment.ledgerEnd()
    const entry = expected === '400' ? { party: eve.party, signatures: [] } : signatureOf(eve, bytes)
    const outcome = outcomeOf(await execute(environment, execution(bytes, [entry]), transactionPath))
    t.ok(String(outcome).startsWith(expected), `${line}: ${outcome}`)
    t.strictSame(await completionCodes(environment, eve, begin), codes, `${line}: the completion`)
    if (codes.length === 0) continue
    const again = change(await preparedExercise(environment, eve))
    const end = await environment.ledgerEnd()
    t.equal(outcomeOf(await execute(environment, execution(again, [eve]), executePath)), 200, `${line}: execute`)
    t.strictSame(await completionCodes(environment, eve, end), codes, `${line}: the completion of execute`)
  }
})

t.test('rejects an unknown party in a transaction with valid signatures', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  const ghost = `ghost::1220${'ab'.repeat(32)}`
  const createArguments = { id: 'x', initiator: eve.party, responder: environment.bob }
  const prepared = await environment.prepare(eve.party, { CreateCommand: { templateId: ping, createArguments } })
  const rename = (node: TransactionNode): TransactionNode => {
    if (node.kind !== 'create' || node.argument.kind !== 'record') return node
    const fields = node.argument.fields.map(([label, value]): [string, DamlValue] =>
      value.kind === 'party' && value.value === environment.bob
        ? [label, { kind: 'party', value: ghost }]
        : [label, value],
    )
    const stakeholders = node.stakeholders.map((party) => (party === environment.bob ? ghost : party))
    return { ...node, argument: { ...node.argument, fields }, stakeholders }
  }
  const bytes = reworked(prepared, ofNodes(rename))
  t.equal(outcomeOf(await execute(environment, execution(bytes, [eve]), transactionPath)), '404 UNKNOWN_INFORMEES')
})

t.test('rejects base64 with one of two padding characters', async (t) => {
  const { environment, eve } = await modelEnvironment(t)
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const request = JSON.stringify(execution(prepared, [eve]))
  const cut = request.replace(/("signature":"[^"]+)=="/, '$1="')
  t.not(cut, request)
  t.equal(outcomeOf(await environment.wire.send({ path: executePath, body: cut })), '400 text')
  const bare = request.replace(/("signature":"[^"]+)=="/, '$1"')
  t.equal(
    outcomeOf(await environment.wire.send({ path: executePath, body: bare })),
    200,
    'accepts base64 without padding',
  )
  t.equal(outcomeOf(await execute(environment, execution(prepared, []))), refused)
})
