/** Observations on 3.5.10 with random submissions; `interface` follows the interface text. */
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import type { BehaviourName } from '../../../simulator/simulator.js'
import { outcomeOf } from '../../support/ledgers/external-environment.js'
import {
  createdContract,
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  uploadPackages,
} from '../../support/ledgers/simulator-environment.js'

type Outcome = number | string

/** `byText`: only if different. */
type Row = [line: string, submission: JsonObject, reference: Outcome, byText?: Outcome]

async function modelEnvironment(t: Test, behaviour: BehaviourName): Promise<SimulatorEnvironment> {
  const environment = await simulatorEnvironment(t, { behaviour })
  await uploadPackages(environment.wire)
  return environment
}

const outcome = async ({ wire, submission }: SimulatorEnvironment, members: JsonObject): Promise<Outcome> =>
  outcomeOf(await wire.post(submitPath, submission(members)))

async function packageIds({ wire }: SimulatorEnvironment, ...names: string[]): Promise<string[]> {
  const list = await wire.post('/v2/package-vetting/list', { packageMetadataFilter: { packageNamePrefixes: names } })
  const ids = [...list.text.matchAll(/"packageId":"([0-9a-f]{64})"[^}]*"packageName":"([^"]+)"/g)]
  return names.map((name) => ids.find(([, , found]) => found === name)?.[1] ?? `no ${name}`)
}

const duration = (value: JsonValue): JsonObject => ({ deduplicationPeriod: { DeduplicationDuration: { value } } })
const create = (templateId: string, createArguments: JsonValue): JsonObject => ({
  CreateCommand: { templateId, createArguments },
})

function deduplication(): Row[] {
  return [
    ['an offset without a value', { deduplicationPeriod: { DeduplicationOffset: {} } }, 200, '400 text'],
    ['a duration finer than microseconds', duration({ seconds: 30, nanos: -1 }), '500 NA', 200],
    ['another one', duration({ seconds: 30, nanos: 999_999_999 }), '500 NA', 200],
    ['a negative duration', duration({ seconds: 0, nanos: -1 }), '400 INVALID_FIELD'],
    ['a null member', duration({ seconds: 30, nanos: null }), 200, '400 text'],
    ['another null member', duration({ seconds: null, nanos: 1000 }), 200, '400 text'],
  ]
}

async function templateIds(environment: SimulatorEnvironment): Promise<Row[]> {
  const [model = ''] = await packageIds(environment, 'conformance-model')
  const arguments_ = { id: 'p', initiator: environment.alice, responder: environment.bob }
  const note = { author: environment.alice, readers: [], text: '' }
  const view = { owner: environment.alice, amount: '1' }
  const more = { ...view, issuer: environment.alice }
  const commands = (templateId: string, values: JsonValue = arguments_) => ({ commands: [create(templateId, values)] })
  return [
    ['trailing colons', commands(`${ping}::`), 200, '400 text'],
    ['a template id of two parts', commands(`${model}:Conformance:`), '400 text', '400 INVALID_ARGUMENT'],
    ['a template id of colons only', commands('::'), '400 text', '400 INVALID_ARGUMENT'],
    ['an empty module', commands(`${model}::Note`, note), '400 INVALID_ARGUMENT'],
    ['an empty module, by package name', commands('#conformance-model::Note', note), '400 INVALID_ARGUMENT'],
    ['an invalid character in the module', commands(`${model}:Conf!:Note`, note), '400 INVALID_ARGUMENT'],
    ['an invalid character in the entity', commands(`${model}:Conformance:No te`, note), '400 INVALID_ARGUMENT'],
    [
      'an interface by name',
      commands('#conformance-model:Conformance:Holding', view),
      '400 COMMAND_PREPROCESSING_FAILED',
    ],
    ['an interface by id', commands(`${model}:Conformance:Holding`, view), '400 COMMAND_PREPROCESSING_FAILED'],
    ['an interface, with more fields', commands(`${model}:Conformance:Holding`, more), '400 INVALID_ARGUMENT'],
  ]
}

async function keys(environment: SimulatorEnvironment): Promise<Row[]> {
  const [keyed = ''] = await packageIds(environment, 'conformance-model-keys')
  const prefetch = (templateId: string, owner: string, more: JsonObject = {}) => ({
    prefetchContractKeys: [{ templateId, contractKey: { owner, id: 'k' } }],
    ...more,
  })
  const byName = '#conformance-model-keys:ConformanceKeys:Keyed'
  const byId = `${keyed}:ConformanceKeys:Keyed`
  return [
    ['a malformed party in a key', prefetch(byId, 'a!b'), '400 INVALID_ARGUMENT'],
    ['a correct key', prefetch(byId, environment.alice), 200],
    ['by package name', prefetch(byName, environment.alice), '500 NA', 200],
    [
      'by package name, with a wrong field',
      prefetch(byName, environment.alice, { workflowId: '!' }),
      '500 NA',
      '400 INVALID_ARGUMENT',
    ],
    [
      'by package name, with an empty commandId',
      prefetch(byName, environment.alice, { commandId: '' }),
      '500 NA',
      '400 MISSING_FIELD',
    ],
  ]
}

async function orderOfChecks(environment: SimulatorEnvironment): Promise<Row[]> {
  const { alice, bob } = environment
  const right = create(ping, { id: 'p', initiator: alice, responder: bob })
  const wrongPackage = create('#no-such:M:T', {})
  const tooLittle = create('#conformance-model:Conformance:Note', { author: alice })
  const unvetted = create('#conformance-upgrade:ConformanceUpgrade:Upgradable', { owner: alice, text: '' })
  const unvet = { operation: { Unvet: { value: { packages: [{ packageName: 'conformance-upgrade' }] } } } }
  const changed = await environment.wire.post('/v2/package-vetting/update', { changes: [unvet] })
  if (changed.status !== 200) throw new Error(changed.text)
  return [
    ['a mistake in the second command', { commands: [right, tooLittle] }, '400 COMMAND_PREPROCESSING_FAILED'],
    ['mistakes in both commands', { commands: [tooLittle, create('x!:M:T', {})] }, '400 COMMAND_PREPROCESSING_FAILED'],
    ['mistakes in both commands, reversed', { commands: [create('x!:M:T', {}), tooLittle] }, '400 INVALID_ARGUMENT'],
    ['not vetted', { commands: [unvetted] }, '400 JSON_API_PACKAGE_SELECTION_FAILED'],
    ['not vetted, then unknown', { commands: [unvetted, wrongPackage] }, '404 PACKAGE_NAMES_NOT_FOUND'],
    ['an empty party and a bad synchronizer', { actAs: [''], synchronizerId: 'x' }, '400 INVALID_ARGUMENT'],
    ['a bad synchronizer alone', { synchronizerId: 'x' }, '400 INVALID_FIELD'],
  ]
}

const tables: [title: string, rows: (environment: SimulatorEnvironment) => Row[] | Promise<Row[]>][] = [
  ['deduplication periods', deduplication],
  ['template ids', templateIds],
  ['keys to prefetch', keys],
  ['the order of checks', orderOfChecks],
]

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  for (const [title, rows] of tables) {
    t.test(`${title}: ${behaviour}`, async (t) => {
      const environment = await modelEnvironment(t, behaviour)
      for (const [line, submission, reference, byText = reference] of await rows(environment)) {
        t.equal(await outcome(environment, submission), behaviour === 'interface' ? byText : reference, line)
      }
    })
  }
}

t.test('shows little context for an error of a single pass', async (t) => {
  const environment = await modelEnvironment(t, 'canton-3.5')
  const createArguments = { id: 'p', initiator: environment.alice, responder: `ghost::1220${'ab'.repeat(32)}` }
  const contextAfter = async (tapsMaxPasses: number) => {
    const commands = [create(ping, createArguments)]
    const answer = await environment.wire.post(submitPath, environment.submission({ commands, tapsMaxPasses }))
    t.equal(outcomeOf(answer), '404 UNKNOWN_INFORMEES')
    return objectIn(answer)['context']
  }
  t.match(await contextAfter(2), { unknownInformees: /^Set\(ghost::/, participant: 'sandbox' })
  t.strictSame(await contextAfter(1), { category: '11', definite_answer: 'false' })
})

t.test('prefers a disclosed contract in a lookup by key', async (t) => {
  const environment = await modelEnvironment(t, 'canton-3.5')
  const templateId = '#conformance-model-keys:ConformanceKeys:Keyed'
  const keyed = create(templateId, { owner: environment.alice, observers: [], id: 'k', text: 'disclosed' })
  const { contractId, blob } = await createdContract(environment, environment.submission({ commands: [keyed] }))
  const close = { ExerciseCommand: { templateId, contractId, choice: 'Close', choiceArgument: {} } }
  t.equal(await outcome(environment, { commands: [close] }), 200)
  t.equal(await outcome(environment, { commands: [keyed] }), 200)
  const contractKey = { owner: environment.alice, id: 'k' }
  const read = { ExerciseByKeyCommand: { templateId, contractKey, choice: 'Read', choiceArgument: {} } }
  t.equal(await outcome(environment, { commands: [read] }), 200, 'the active contract is found')
  const disclosedContracts = [{ createdEventBlob: blob, contractId }]
  t.equal(await outcome(environment, { commands: [read], disclosedContracts }), '404 LOCAL_VERDICT_INACTIVE_CONTRACTS')
})

t.test('rejects an interface choice on a contract without the interface', async (t) => {
  const environment = await modelEnvironment(t, 'canton-3.5')
  const { contractId } = await createdContract(environment)
  const templateId = '#conformance-model:Conformance:Holding'
  const rename = { ExerciseCommand: { templateId, contractId, choice: 'Rename', choiceArgument: { name: 'x' } } }
  const answer = await environment.wire.post(submitPath, environment.submission({ commands: [rename] }))
  t.equal(outcomeOf(answer), '400 CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE')
  const { errorCategory, resources } = objectIn(answer)
  t.equal(errorCategory, 8)
  const kinds = [resources ?? []].flat().map((item) => [item].flat()[0])
  for (const kind of ['CONTRACT_ID', 'INTERFACE_ID', 'TEMPLATE_ID'])
    t.ok(kinds.includes(`ErrorResource(${kind})`), kind)
})

t.test('uses a contract with another version of its package if its own is not vetted', async (t) => {
  const environment = await modelEnvironment(t, 'canton-3.5')
  const templateId = '#conformance-upgrade:ConformanceUpgrade:Upgradable'
  const versions = await environment.wire.post('/v2/package-vetting/list', {
    packageMetadataFilter: { packageNamePrefixes: ['conformance-upgrade'] },
  })
  const [old = ''] = [...versions.text.matchAll(/"packageId":"([0-9a-f]{64})"[^}]*"packageVersion":"1.0.0"/g)].map(
    ([, id = '']) => id,
  )
  const made = create(`${old}:ConformanceUpgrade:Upgradable`, { owner: environment.alice, text: 'x' })
  const { contractId } = await createdContract(environment, environment.submission({ commands: [made] }))
  const unvet = { operation: { Unvet: { value: { packages: [{ packageId: old }] } } } }
  t.equal((await environment.wire.post('/v2/package-vetting/update', { changes: [unvet] })).status, 200)
  const archive = { ExerciseCommand: { templateId, contractId, choice: 'Archive', choiceArgument: {} } }
  t.equal(await outcome(environment, { commands: [archive] }), 200)
})
