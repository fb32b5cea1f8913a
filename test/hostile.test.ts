/** Thousands of random requests: none may end in an exception that nobody designed, or in an answer of the wrong form. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { responseCheck } from '../interface/description.js'
import type { JsonObject, JsonValue } from '../interface/json.js'
import type { OperationName } from '../interface/operations.js'
import type { Choice, DamlType, InterfaceChoice, Template } from '../model/description.js'
import { makeSigningKey } from '../runner/sign/signing-key.js'
import { endpoints } from '../simulator/http/endpoints.js'
import { encodeDaml } from '../simulator/json/daml-encode.js'
import type { BehaviourName } from '../simulator/simulator.js'
import { anyValue } from './any-daml-value.js'
import { damagedBody } from './hostile-json.js'
import { usablePackages } from './ledger-world.js'
import {
  createdContract,
  lookUpPath,
  objectIn,
  type SimulatorWorld,
  simulatorWorld,
  submitPath,
} from './simulator-world.js'
import { stillClock } from './still-clock.js'
import type { WireAnswer } from './wire.js'

/** JSON of a value of the type; parties and contracts are, mostly, ones that are there. */
function jsonOf(type: DamlType, parties: readonly string[], contracts: readonly string[]): fc.Arbitrary<JsonValue> {
  const real = (json: JsonValue): JsonValue => json
  if (type.type === 'party') return fc.constantFrom(...parties).map(real)
  if (type.type === 'contractId') return fc.constantFrom(...contracts).map(real)
  if (type.type === 'list' || type.type === 'optional') {
    const inner = jsonOf(type.of, parties, contracts)
    if (type.type === 'list') return fc.uniqueArray(inner, { maxLength: 3 })
    return type.of.type === 'optional' ? fc.constantFrom<JsonValue>([], [[]]) : fc.option(inner)
  }
  if (type.type === 'record') {
    return fc.record(Object.fromEntries(type.fields.map(([label, of]) => [label, jsonOf(of, parties, contracts)])))
  }
  return madeUp(type)
}

const madeUpBefore = new Map<string, fc.Arbitrary<JsonValue>>()

/** Any value of a type, made once for each type: fast-check takes milliseconds to prepare texts. */
function madeUp(type: DamlType): fc.Arbitrary<JsonValue> {
  const name = JSON.stringify(type)
  const found = madeUpBefore.get(name) ?? anyValue(type).map((value) => encodeDaml(type, value))
  madeUpBefore.set(name, found)
  return found
}

interface Exercisable {
  /** Of the template, or of an interface that it implements. */
  id: Template['id']
  template: Template
  choice: Choice | InterfaceChoice
}

const templates = usablePackages.flatMap((item) => item.templates)
const exercisable: Exercisable[] = templates.flatMap((template) => [
  ...template.choices.map((choice) => ({ id: template.id, template, choice })),
  ...template.implements.flatMap(({ interface: { id, choices } }) =>
    choices.map((choice) => ({ id, template, choice })),
  ),
])

/** The id with a package id. */
const printed = ({ packageId, module, entity }: Template['id']): string => `${packageId}:${module}:${entity}`

/** The id with a package id, or with the name of the package. */
function reference(id: Template['id']): fc.Arbitrary<string> {
  const name = usablePackages.find((item) => item.id === id.packageId)?.name
  return fc.constantFrom(printed(id), `#${name}:${id.module}:${id.entity}`)
}

/** Commands that are well-formed, and acceptable where contract and parties happen to fit. */
function commandFor(parties: readonly string[], contracts: readonly string[]): fc.Arbitrary<JsonObject> {
  const inner = (type: DamlType) => jsonOf(type, parties, contracts)
  const creates = templates.map(({ id, argument }) =>
    fc.record({ CreateCommand: fc.record({ templateId: reference(id), createArguments: inner(argument) }) }),
  )
  const exercises = exercisable.flatMap(({ id, template, choice }) => {
    const rest = { templateId: reference(id), choice: fc.constant(choice.name), choiceArgument: inner(choice.argument) }
    const contractId = fc.constantFrom(...contracts)
    const createArguments = inner(template.argument)
    const byKey = template.key && { ...rest, contractKey: inner(template.key.type) }
    return [
      fc.record({ ExerciseCommand: fc.record({ ...rest, contractId }) }),
      fc.record({ CreateAndExerciseCommand: fc.record({ ...rest, createArguments }) }),
      ...(byKey ? [fc.record({ ExerciseByKeyCommand: fc.record(byKey) })] : []),
    ]
  })
  return fc.oneof(fc.oneof(...creates), fc.oneof(...exercises))
}

function submissionsFor(world: SimulatorWorld, contracts: readonly string[], blob: string): fc.Arbitrary<JsonObject> {
  const parties = [world.alice, world.bob]
  const maybe = (json: JsonValue) => fc.constantFrom<JsonValue>(null, json)
  const disclosed = { contractId: contracts[0] ?? '', createdEventBlob: blob, synchronizerId: world.synchronizer }
  const keyed = templates.find(({ key }) => key)
  const prefetched = {
    templateId: keyed ? printed(keyed.id) : '',
    contractKey: { owner: world.alice, id: 'k' },
  }
  return fc.record({
    commands: fc.array(commandFor(parties, contracts), { minLength: 1, maxLength: 3 }),
    commandId: fc.uuid(),
    actAs: fc.subarray(parties, { minLength: 1 }),
    readAs: fc.subarray(parties),
    userId: fc.constant('user'),
    workflowId: maybe('w'),
    submissionId: maybe('s'),
    synchronizerId: maybe(world.synchronizer),
    deduplicationPeriod: maybe({ DeduplicationDuration: { value: { seconds: 10, nanos: 0 } } }),
    minLedgerTimeAbs: maybe('2020-01-01T00:00:00Z'),
    disclosedContracts: fc.constantFrom<JsonValue>([], [disclosed]),
    packageIdSelectionPreference: fc.subarray(
      usablePackages.map(({ id }) => id),
      { maxLength: 2 },
    ),
    prefetchContractKeys: fc.constantFrom<JsonValue>([], [{ ...prefetched, limit: 1 }]),
    tapsMaxPasses: maybe(3),
  })
}

const folder = new URL('../../model/packages/', import.meta.url)
// In order of their versions, and without the invalid upgrade.
const archives = readdirSync(folder)
  .filter((name) => name.endsWith('.dar') && !name.includes('1.2.0'))
  .sort()

/** Every described package is there, and a few contracts. */
async function populated(t: Test, behaviour: BehaviourName) {
  const world = await simulatorWorld(t, { behaviour, clock: stillClock(), answerLimit: 1, seed: 'hostile' })
  for (const name of archives) {
    const { status, text } = await world.wire.send({ path: '/v2/dars', body: readFileSync(new URL(name, folder)) })
    if (status !== 200) throw new Error(`${name} was not taken: ${text}`)
  }
  const { alice, bob } = world
  const note = { author: alice, readers: [bob], text: '' }
  const joint = { first: alice, second: bob, observers: [] }
  const keyed = { owner: alice, observers: [bob], id: 'k', text: '' }
  const wanted: [entity: string, createArguments: JsonObject][] = [
    ['Note', note],
    ['Joint', joint],
    ['Keyed', keyed],
    ['Guarded', { owner: alice, amount: '5' }],
    ['Delegation', { principal: alice, agent: bob }],
    ['Asset', { issuer: alice, owner: bob, name: '', amount: '1' }],
    ['Upgradable', { owner: alice, text: '', note: 'n' }],
  ]
  const contracts: string[] = []
  const blobs: string[] = []
  for (const [entity, createArguments] of wanted) {
    const id = templates.findLast((template) => template.id.entity === entity)?.id
    const templateId = id ? printed(id) : ''
    const commands = [{ CreateCommand: { templateId, createArguments } }]
    const { contractId, blob } = await createdContract(world, world.submission({ commands, actAs: [alice, bob] }))
    contracts.push(contractId)
    blobs.push(blob)
  }
  return { world, contracts, blob: blobs[0] ?? '' }
}

/** What is wrong with an answer as such, whatever was asked. */
function flaws(operation: OperationName, answer: WireAnswer, behaviour: BehaviourName): string[] {
  const { status, contentType, text } = answer
  if (status === 503) return text.startsWith('The server was not able') ? [] : ['503 without its text']
  if (status >= 500 && behaviour === 'interface') return [`${status} for a mistake of a client: ${text}`]
  if (contentType !== 'application/json')
    return status === 400 && text !== '' ? [] : [`${status} ${contentType}: ${text}`]
  return responseCheck(
    operation,
    status,
  )(answer.json()).map(({ pointer, message }) => `${status} ${pointer}: ${message}`)
}

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  t.test(`no request brings the simulator out of step: ${behaviour}`, async (t) => {
    const { world, contracts, blob } = await populated(t, behaviour)
    const faults = t.capture(console, 'error')
    const seen = new Map<string, number>()
    const attack = (operation: OperationName, path: string, bodies: fc.Arbitrary<JsonValue>, numRuns: number) =>
      fc.assert(
        fc.asyncProperty(damagedBody(bodies), async (body) => {
          const answer = await world.wire.send({ path, body })
          const code = answer.contentType === 'application/json' ? (objectIn(answer)['code'] ?? '') : 'text'
          const kind = `${answer.status} ${String(code)}`
          seen.set(kind, (seen.get(kind) ?? 0) + 1)
          const logged = faults().map(({ args }) => args.map(String).join(' '))
          const found = [...flaws(operation, answer, behaviour), ...logged]
          if (found.length > 0) throw new Error(found.join('\n').slice(0, 2000))
        }),
        { numRuns },
      )
    const lookUps = fc.record({
      contractId: fc.constantFrom(...contracts),
      queryingParties: fc.subarray([world.alice, world.bob, 'zoe']),
    })
    await attack('submit-and-wait', submitPath, submissionsFor(world, contracts, blob), 1200)
    await attack('contract-by-id', lookUpPath, lookUps, 300)
    t.equal((await world.wire.post(submitPath, world.submission())).status, 200, 'it still does what it should')
    t.ok((seen.get('200 ') ?? 0) > 100, 'some requests were accepted')
    t.ok(seen.size > 12, `many kinds of answers: ${[...seen].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
  })
}

/** Bodies of support operations; each is sent to every operation. */
function supportBodies({ alice, synchronizer }: SimulatorWorld): JsonObject[] {
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
  const { publicKey } = makeSigningKey('ed25519')
  const rights = [{ kind: { CanActAs: { value: { party: alice } } } }, { kind: { ParticipantAdmin: { value: {} } } }]
  const signature = { signature: 'AAAA', signedBy: '1220' }
  return [
    { updateId: '1220', offset: 9, beginExclusive: 0, endInclusive: 100, updateFormat },
    { contractId: '00', activeAtOffset: 0, eventFormat },
    { synchronizer, partyHint: 'eve', publicKey },
    { synchronizer, onboardingTransactions: [{ transaction: 'CgA=' }], multiHashSignatures: [signature], userId: 'u' },
    { user: { id: 'u', primaryParty: '' }, rights, partyIdHint: 'zoe', userId: 'u' },
  ]
}

t.test('support operations are not brought out of step either', async (t) => {
  const { world } = await populated(t, 'canton-3.5')
  const faults = t.capture(console, 'error')
  const segment = fc.constantFrom(
    'u',
    'x',
    encodeURIComponent(world.alice),
    '%ff',
    '%00',
    'a%2fb',
    '..%2f',
    '__proto__',
  )
  const query = fc.constantFrom('', '?limit=x', '?limit=-1', '?a', '?vetAllPackages=7')
  const body = damagedBody(fc.constantFrom<JsonValue>(...supportBodies(world)))
  for (const { method, path } of endpoints) {
    const attack = fc.asyncProperty(body, segment, query, async (bytes, name, search) => {
      const request = { method: method.toUpperCase(), path: path.replace(/:\w+/g, name) + search }
      const answer = await world.wire.send({ ...request, ...(method !== 'get' && { body: bytes }) })
      const logged = faults().map(({ args }) => args.map(String).join(' '))
      if (logged.length > 0) throw new Error(logged.join('\n'))
      if (answer.status >= 500 || answer.contentType?.startsWith('text/html'))
        throw new Error(`${answer.status} ${answer.text}`)
    })
    await fc.assert(attack, { numRuns: method === 'get' ? 10 : 60 })
  }
  t.equal((await world.wire.post(submitPath, world.submission())).status, 200)
})
