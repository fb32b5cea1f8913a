/** Choices of the model's later packages, as observed on a live participant (MODEL.md). */
import t, { type Test } from 'tap'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import {
  createCommand,
  createdIn,
  eventsOf,
  exerciseCommand,
  prepare,
  resultOf,
  submit,
} from '../../support/ledgers/model-calls.js'
import { readPackage } from '../../support/ledgers/model-packages.js'
import {
  objectIn,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  textAt,
} from '../../support/ledgers/simulator-environment.js'

async function environmentWith(t: Test, ...files: string[]): Promise<SimulatorEnvironment> {
  const environment = await simulatorEnvironment(t, { answerLimit: 600_000 }) // large transactions on a slow machine
  for (const file of files) {
    const { status, text } = await environment.wire.send({ path: '/v2/dars', body: readPackage(`${file}.dar`) })
    if (status !== 200) throw new Error(`the upload of ${file} failed: ${text}`)
  }
  return environment
}
const shape = (events: [string, JsonObject][]): JsonValue[] =>
  events.map(([kind, { nodeId = null, choice = null, acsDelta = null }]) => {
    return [kind.replace('Event', '').toLowerCase(), nodeId, choice, acsDelta]
  })

t.test('effects: each party sees its own nodes, with their node ids', async (t) => {
  const environment = await environmentWith(t, 'conformance-effects-1.0.0')
  const { alice, bob } = environment
  const effects = (entity: string) => `#conformance-effects:ConformanceEffects:${entity}`
  const desk = createdIn(
    await submit(environment, alice, createCommand(effects('Desk'), { operator: alice, users: [bob] })),
  ).contractId
  const issued = await submit(
    environment,
    alice,
    exerciseCommand(effects('Desk'), desk, 'Issue', { owner: bob, amount: '5' }),
  )
  t.strictSame(shape(issued.events), [
    ['exercised', 0, 'Issue', false],
    ['created', 1, null, true],
    ['created', 2, null, false],
    ['exercised', 3, 'Archive', false],
  ])
  const update = textAt(issued.body, 'updateId')
  t.strictSame(
    (await eventsOf(environment, update, [bob])).map(([, { nodeId }]) => nodeId),
    [1, 2, 3],
  )
  t.equal((await eventsOf(environment, update, [alice], 'TRANSACTION_SHAPE_ACS_DELTA')).length, 1)
  const token = createdIn(issued)

  const redeem = exerciseCommand(effects('Desk'), desk, 'RedeemFor', { user: bob, token: token.contractId })
  const redeemed = await submit(environment, bob, redeem)
  t.equal(resultOf(redeemed), '5')
  t.strictSame(shape(redeemed.events), [
    ['exercised', 0, 'RedeemFor', false],
    ['exercised', 2, 'Redeem', true],
  ])
  t.equal((await submit(environment, bob, redeem)).code, '404 CONTRACT_NOT_FOUND')

  const announce = await submit(
    environment,
    alice,
    exerciseCommand(effects('Desk'), desk, 'Announce', { readers: [bob], text: 'hello' }),
  )
  t.equal(resultOf(announce), 'hello')
  t.strictSame(shape(await eventsOf(environment, textAt(announce.body, 'updateId'), [bob])), [
    ['exercised', 0, 'Announce', false],
  ])
  const moving = createdIn(
    await submit(environment, alice, exerciseCommand(effects('Desk'), desk, 'Issue', { owner: alice, amount: '1' })),
  )
  const transfer = exerciseCommand(effects('Token'), moving.contractId, 'Transfer', { newOwner: bob })
  const moved = await submit(environment, alice, transfer)
  t.strictSame(shape(await eventsOf(environment, textAt(moved.body, 'updateId'), [bob])), [
    ['exercised', 0, 'Transfer', false],
    ['created', 1, null, true],
  ])
  const silent = exerciseCommand(effects('Desk'), desk, 'Announce', { readers: [], text: 'hello' })
  const unseen = await submit(environment, alice, silent)
  t.strictSame(await eventsOf(environment, textAt(unseen.body, 'updateId'), [bob]), [])
  const retired = await submit(environment, alice, exerciseCommand(effects('Desk'), desk, 'Retire', { readers: [bob] }))
  t.strictSame(
    (await eventsOf(environment, textAt(retired.body, 'updateId'), [bob], 'TRANSACTION_SHAPE_ACS_DELTA')).map(
      ([kind]) => kind,
    ),
    ['ArchivedEvent'],
    'bob is an observer of the desk',
  )
})

t.test('effects: choices fetch contract ids from arguments and compare the ledger time', async (t) => {
  const environment = await environmentWith(t, 'conformance-effects-1.0.0')
  const { alice } = environment
  const effects = (entity: string) => `#conformance-effects:ConformanceEffects:${entity}`
  const made = await submit(environment, alice, createCommand(effects('Desk'), { operator: alice, users: [] }))
  const desk = createdIn(made).contractId
  const fetch = async (token: string) =>
    (await submit(environment, alice, exerciseCommand(effects('Desk'), desk, 'FetchToken', { user: alice, token })))
      .code
  t.equal(await fetch(desk), '400 WRONGLY_TYPED_CONTRACT')
  t.equal(await fetch(`${desk.slice(0, -1)}${desk.endsWith('0') ? '1' : '0'}`), '404 CONTRACT_NOT_FOUND')
  t.equal(await fetch(desk.slice(0, 66)), '400 COMMAND_PREPROCESSING_FAILED')
  t.equal(await fetch('no id'), '400 INVALID_ARGUMENT')

  const minute = 60_000
  const at = (distance: number) => new Date(Date.now() + distance).toISOString()
  const exerciseOf = (choice: string, argument: JsonObject = {}) =>
    submit(environment, alice, exerciseCommand(effects('Desk'), desk, choice, argument))
  t.equal(resultOf(await exerciseOf('Before', { time: at(-minute) })), false)
  t.equal(resultOf(await exerciseOf('Before', { time: at(minute) })), true)
  t.equal((await exerciseOf('NotBefore', { time: at(-minute) })).code, '200')
  t.equal((await exerciseOf('NotBefore', { time: at(minute) })).code, '400 DAML_FAILURE')
})

t.test('views: a failing view reports its status, and the create succeeds', async (t) => {
  const environment = await environmentWith(t, 'conformance-views-1.0.0')
  const { alice } = environment
  const views = (entity: string) => `#conformance-views:ConformanceViews:${entity}`
  const filter = (entity: string) => ({
    identifierFilter: {
      InterfaceFilter: {
        value: { interfaceId: views(entity), includeInterfaceView: true, includeCreatedEventBlob: false },
      },
    },
  })
  const failures: Record<string, RegExp> = {
    Sound: /^$/,
    Status:
      /^DAML_FAILURE\(9,\w+\): Interpretation error: Error: User failure: conformance-views\/BROKEN \(error category 9\): the view fails with a status$/,
    Error:
      /^INTERPRETATION_USER_ERROR\(9,\w+\): Interpretation error: Error: User abort: the view fails with an error$/,
    Arithmetic:
      /UNHANDLED_EXCEPTION\/DA\.Exception\.ArithmeticError:ArithmeticError \(error category 9\): ArithmeticError while evaluating \(DIV_INT64 7 0\)\.$/,
    Exception: /UNHANDLED_EXCEPTION\/ConformanceViews:Broken \(error category 9\): the view fails with an exception$/,
  }
  for (const [failure, message] of Object.entries(failures)) {
    const argument = { owner: alice, observers: [], amount: '7', failure }
    const { contractId } = createdIn(await submit(environment, alice, createCommand(views('BrokenView'), argument)))
    const eventFormat = { filtersByParty: { [alice]: { cumulative: [filter('Viewed'), filter('Other')] } } }
    const { text } = await environment.wire.post('/v2/events/events-by-contract-id', { contractId, eventFormat })
    const { interfaceViews } = (JSON.parse(text) as { created: { createdEvent: { interfaceViews: JsonObject[] } } })
      .created.createdEvent // the shape of each such response
    const [broken, sound] = ['Viewed', 'Other'].map((entity) =>
      interfaceViews.find((view) => String(view['interfaceId']).endsWith(`:${entity}`)),
    )
    t.match(sound, { viewStatus: { code: 0 }, viewValue: { label: 'broken' } })
    t.match(broken, { viewStatus: { code: failure === 'Sound' ? 0 : 9, message } }, failure)
    t.equal(broken?.['viewValue'] === null, failure !== 'Sound')
    const read = await submit(environment, alice, exerciseCommand(views('Viewed'), contractId, 'ReadAmount'))
    const refused = failure === 'Error' ? '400 INTERPRETATION_USER_ERROR' : '400 DAML_FAILURE'
    t.equal(resultOf(read), failure === 'Sound' ? '7' : refused)
    t.equal((await submit(environment, alice, exerciseCommand(views('Viewed'), contractId, 'Archive'))).code, '200')
  }
})

t.test('interfaces: the preferred version of an implementation runs, else the newest vetted one', async (t) => {
  const environment = await environmentWith(t, 'conformance-impl-1.0.0', 'conformance-impl-1.1.0')
  const { alice } = environment
  const older = '7dd7c48a460e68836b6975ea4681466d3deb42d2fb463ce3667b29abc0150772'
  const newer = 'efb1ddf5b6767a5389bd4e1dae0daa3135c6c33241163c3afcabc0c37c04e6dd'
  const preferOlder = { packageIdSelectionPreference: [older] }
  const item = '#conformance-impl:ConformanceImpl:Item'
  const priced = '#conformance-iface:ConformanceIface:Priced'
  const asker = '#conformance-iface:ConformanceIface:Asker'
  const tea = createCommand(item, { owner: alice, name: 'tea' })
  const first = await submit(environment, alice, tea, preferOlder)
  const second = await submit(environment, alice, tea)
  t.match(first.events[0]?.[1], { templateId: `${older}:ConformanceImpl:Item` })
  t.match(second.events[0]?.[1], { templateId: `${newer}:ConformanceImpl:Item` })
  const requester = createdIn(await submit(environment, alice, createCommand(asker, { owner: alice }))).contractId
  for (const contractId of [first, second].map((outcome) => createdIn(outcome).contractId)) {
    const price = exerciseCommand(priced, contractId, 'Price')
    t.equal(resultOf(await submit(environment, alice, price)), '1.1.0: tea')
    t.equal(resultOf(await submit(environment, alice, price, preferOlder)), '1.0.0: tea')
    const request = exerciseCommand(asker, requester, 'Ask', { item: contractId })
    t.equal(resultOf(await submit(environment, alice, request)), '1.1.0: tea')
    t.equal(resultOf(await submit(environment, alice, request, preferOlder)), '1.0.0: tea')
    t.equal((await submit(environment, alice, exerciseCommand(item, contractId, 'Price'))).code, '400 INVALID_ARGUMENT')
  }
  const vet = (changes: JsonObject[]) => environment.wire.post('/v2/package-vetting/update', { changes })
  const unvet = (packageId: string) => ({ operation: { Unvet: { value: { packages: [{ packageId }] } } } })
  const price = exerciseCommand(priced, createdIn(second).contractId, 'Price')
  await vet([unvet(newer)])
  t.equal(resultOf(await submit(environment, alice, price)), '1.0.0: tea')
  const preferNewer = { packageIdSelectionPreference: [newer] }
  t.equal((await submit(environment, alice, price, preferNewer)).code, '404 UNRESOLVED_PACKAGE_NAME')
  await vet([unvet(older)])
  t.equal((await submit(environment, alice, price)).code, '404 UNRESOLVED_PACKAGE_NAME')
})

t.test('limits: values nest at most 100 levels, and transactions can be large', async (t) => {
  const environment = await environmentWith(t, 'conformance-limits-1.0.0')
  const { alice } = environment
  const limits = (entity: string) => `#conformance-limits:ConformanceLimits:${entity}`
  const nat = (depth: number): JsonValue => {
    let value: JsonValue = { tag: 'Z', value: {} }
    for (let index = 0; index < depth; index += 1) value = { tag: 'S', value }
    return value
  }
  const deep = (depth: number) => createCommand(limits('Deep'), { owner: alice, value: nat(depth), link: null })
  t.equal((await submit(environment, alice, deep(98))).code, '200')
  t.equal((await submit(environment, alice, deep(99))).code, '400 COMMAND_PREPROCESSING_FAILED')
  t.equal((await submit(environment, alice, deep(2000))).code, '400 COMMAND_PREPROCESSING_FAILED')
  const far = `${'{"tag":"S","value":'.repeat(100_000)}{"tag":"Z","value":{}}${'}'.repeat(100_000)}`
  const text = JSON.stringify({ actAs: [alice], commands: [deep(0)], commandId: 'far', userId: 'user' })
  const body = text.replace('{"tag":"Z","value":{}}', far)
  const headers = { 'content-type': 'application/json' }
  t.match((await environment.wire.send({ path: submitPath, headers, body })).json(), {
    code: 'COMMAND_PREPROCESSING_FAILED',
  })
  const flat = createdIn(await submit(environment, alice, deep(0))).contractId
  const on = (choice: string, argument: JsonObject) =>
    submit(environment, alice, exerciseCommand(limits('Deep'), flat, choice, argument))
  t.equal(resultOf(await on('Count', { value: nat(98) })), '98')
  t.equal((await on('EchoDeep', { value: nat(99) })).code, '400 COMMAND_PREPROCESSING_FAILED')
  t.equal((await on('Return', { depth: '99' })).code, '200')
  t.equal((await on('Return', { depth: '100' })).code, '400 VALUE_NESTING')
  t.equal((await on('Return', { depth: '1000000' })).code, '400 VALUE_NESTING')
  t.equal((await on('Grow', { depth: '98' })).code, '200')
  t.equal((await on('Grow', { depth: '99' })).code, '400 VALUE_NESTING')

  const many = createdIn(await submit(environment, alice, createCommand(limits('Many'), { owner: alice }))).contractId
  const onMany = (choice: string, argument: JsonObject) =>
    submit(environment, alice, exerciseCommand(limits('Many'), many, choice, argument))
  const created = await onMany('CreateMany', { count: '1000' })
  t.equal(resultOf(created), '1000')
  t.equal(created.events.length, 1001)
  t.match(created.events[0]?.[1], { lastDescendantNodeId: 1000 })
  const nested = await onMany('Nest', { depth: '200' })
  t.strictSame(
    nested.events.map(([, { nodeId, lastDescendantNodeId }]) => [nodeId, lastDescendantNodeId]),
    Array.from({ length: 201 }, (_, index) => [index, 200]),
  )
})

t.test('limits: large collections are returned in order', async (t) => {
  const environment = await environmentWith(t, 'conformance-limits-1.0.0')
  const { alice } = environment
  const bulk = '#conformance-limits:ConformanceLimits:Bulk'
  const numbers = Array.from({ length: 10_000 }, (_, index) => String(index))
  const argument = {
    owner: alice,
    list: numbers,
    textMap: Object.fromEntries(numbers.map((key) => [key, key])),
    genMap: numbers.toReversed().map((key) => [key, key]),
  }
  const made = await submit(environment, alice, createCommand(bulk, argument))
  const stored = made.events[0]?.[1]['createArgument'] as { textMap: JsonObject; genMap: JsonValue[][] } // the fields of Bulk
  t.strictSame(
    stored.genMap.map(([key]) => key),
    numbers,
  )
  t.strictSame(new Set(Object.keys(stored.textMap)), new Set(numbers))
  const on = (choice: string, given: JsonObject = {}) =>
    submit(environment, alice, exerciseCommand(bulk, createdIn(made).contractId, choice, given))
  t.strictSame(resultOf(await on('Measure')), { list: '10000', textMap: '10000', genMap: '10000' })
  t.strictSame(resultOf(await on('EchoList', { list: numbers })), numbers)
  t.strictSame(resultOf(await on('EchoMap', { textMap: { b: '2', a: '1' } })), { a: '1', b: '2' })
})

t.test('keys: lookups need the maintainers, and the latest visible contract counts', async (t) => {
  const environment = await environmentWith(t, 'conformance-keys-2-1.0.0')
  const { alice, bob } = environment
  const keys = (entity: string) => `#conformance-keys-2:ConformanceKeys2:${entity}`
  const user = createdIn(
    await submit(environment, bob, createCommand(keys('KeyUser'), { agent: bob, observers: [alice] })),
  ).contractId
  const keyed = (id: string, text: string, observers: string[] = []) =>
    submit(environment, alice, createCommand(keys('Keyed'), { owner: alice, observers, id, text }))
  const hidden = createdIn(await keyed('hidden', 'h'))
  await keyed('seen', 's', [bob])
  const exerciseOf = async (choice: string, id: string, more: JsonObject = {}, rest: JsonObject = {}) =>
    submit(
      environment,
      bob,
      exerciseCommand(keys('KeyUser'), user, choice, { key: { owner: alice, id }, ...rest }),
      more,
    )
  const disclosed = {
    disclosedContracts: [{ contractId: hidden.contractId, createdEventBlob: hidden.blob, synchronizerId: '' }],
  }
  const unauthorized = '400 DAML_AUTHORIZATION_ERROR'
  for (const [choice, id, alone, readAs, shown] of [
    ['FetchByKey', 'hidden', '404 CONTRACT_KEY_NOT_FOUND', unauthorized, unauthorized],
    ['FetchByKey', 'seen', '200', '200', '200'],
    ['FetchByKey', 'absent', '404 CONTRACT_KEY_NOT_FOUND', '404 CONTRACT_KEY_NOT_FOUND', '404 CONTRACT_KEY_NOT_FOUND'],
    ['LookupByKey', 'hidden', unauthorized, unauthorized, unauthorized],
    ['LookupByKey', 'seen', unauthorized, unauthorized, unauthorized],
    ['ExerciseByKey', 'hidden', '404 CONTRACT_KEY_NOT_FOUND', '200', '200'],
    ['ExerciseByKey', 'seen', '200', '200', '200'],
  ] as const) {
    t.equal((await exerciseOf(choice, id)).code, alone, `${choice} of a contract that is ${id}`)
    t.equal(
      (await exerciseOf(choice, id, { readAs: [alice] })).code,
      readAs,
      `${choice} of ${id}, read as its maintainer`,
    )
    t.equal((await exerciseOf(choice, id, disclosed)).code, shown, `${choice} of ${id}, disclosed`)
  }
  const fetched = await exerciseOf('FetchByKey', 'seen')
  t.match(fetched.events[0]?.[1], { nodeId: 0, lastDescendantNodeId: 1 })

  const own = createdIn(
    await submit(environment, alice, createCommand(keys('KeyUser'), { agent: alice, observers: [] })),
  ).contractId
  const exerciseOwn = (choice: string, argument: JsonObject, more: JsonObject = {}) =>
    submit(environment, alice, exerciseCommand(keys('KeyUser'), own, choice, argument), more)
  const one = createdIn(await keyed('three', 'one'))
  for (const text of ['two', 'three']) await keyed('three', text)
  const texts = (result: JsonValue): JsonValue =>
    Array.isArray(result) ? result.map((found) => (found as { content: { text: string } }).content.text) : result // a list of Found
  const key = { owner: alice, id: 'three' }
  const query = async (count: string, more: JsonObject = {}) =>
    texts(resultOf(await exerciseOwn('QueryByKey', { key, count }, more)))
  t.strictSame(await query('5'), ['three', 'two', 'one'])
  t.strictSame(await query('2'), ['three', 'two'])
  const oneDisclosed = {
    disclosedContracts: [{ contractId: one.contractId, createdEventBlob: one.blob, synchronizerId: '' }],
  }
  t.strictSame(await query('5', oneDisclosed), ['one', 'three', 'two'])
  t.equal((await exerciseOwn('QueryByKey', { key, count: '0' })).code.slice(0, 3), '500')
  const absent = { key: { owner: alice, id: 'absent' } }
  t.strictSame(resultOf(await exerciseOwn('QueryByKey', { ...absent, count: '1' })), [])
  t.equal((await exerciseOwn('LookupByKey', absent)).events[0]?.[1]['exerciseResult'], null)
  t.strictSame(texts(resultOf(await exerciseOwn('CreateAndLookup', { id: 'fresh' }))), ['created in the transaction'])
  t.strictSame(texts(resultOf(await exerciseOwn('CreateAndLookup', { id: 'three' }))), [
    'created in the transaction',
    'three',
  ])
})

t.test('of two packages with one name and version, the second is stored but not vetted', async (t) => {
  const environment = await environmentWith(t, 'conformance-known-1.0.0-a')
  const { alice } = environment
  const second = 'df6905d8ae6f698b187cd74875425a620206f8e4f19094d1b16f1178e216ed38'
  const upload = (path: string) => environment.wire.send({ path, body: readPackage('conformance-known-1.0.0-b.dar') })
  const refused = await upload('/v2/dars')
  t.equal(refused.status, 400)
  t.match(refused.json(), {
    code: 'KNOWN_PACKAGE_VERSION',
    context: { firstPackage: /^80ef662f/, secondPackage: /^df6905d8/, action: 'package-vetting' },
  })
  const { text } = await environment.wire.send({ method: 'GET', path: `/v2/packages/${second}/status` })
  t.match(text, /REGISTERED/)
  t.equal((await upload('/v2/dars?vetAllPackages=false')).status, 200)
  const known = '#conformance-known:ConformanceKnown:Known'
  const made = await submit(environment, alice, createCommand(known, { owner: alice, text: 'hello' }))
  t.equal(
    resultOf(await submit(environment, alice, exerciseCommand(known, createdIn(made).contractId, 'Read'))),
    'a: hello',
  )
})

t.test('prepared transactions are bound to the times that they have compared', async (t) => {
  const environment = await environmentWith(t, 'conformance-effects-1.0.0')
  const { alice } = environment
  const desk = '#conformance-effects:ConformanceEffects:Desk'
  const made = await submit(environment, alice, createCommand(desk, { operator: alice, users: [] }))
  const bounds = async (choice: string, argument: JsonObject = {}) => {
    const command = exerciseCommand(desk, createdIn(made).contractId, choice, argument)
    const bytes = textAt(objectIn(await prepare(environment, alice, command)), 'preparedTransaction')
    const { metadata } = decodePreparedTransaction(Buffer.from(bytes, 'base64'))
    const { minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max, preparationTime } = metadata
    return { min, max, preparationTime }
  }
  const now = await bounds('Now')
  t.strictSame([now.min, now.max], [now.preparationTime, now.preparationTime])
  const later = new Date(Date.now() + 60_000)
  const micros = (at: Date): bigint => BigInt(at.getTime()) * 1000n
  t.match(await bounds('Before', { time: later.toISOString() }), { min: undefined, max: micros(later) - 1n })
  const earlier = new Date(Date.now() - 60_000)
  t.match(await bounds('Before', { time: earlier.toISOString() }), { min: micros(earlier), max: undefined })
  t.match(await bounds('Announce', { readers: [], text: 'x' }), { min: undefined, max: undefined })
})

t.test('only hashing scheme V3 covers queries by key', async (t) => {
  const environment = await environmentWith(t, 'conformance-keys-2-1.0.0')
  const { alice } = environment
  const keys = (entity: string) => `#conformance-keys-2:ConformanceKeys2:${entity}`
  const user = createCommand(keys('KeyUser'), { agent: alice, observers: [] })
  const { contractId } = createdIn(await submit(environment, alice, user))
  await submit(environment, alice, createCommand(keys('Keyed'), { owner: alice, observers: [], id: 'k', text: 't' }))
  for (const choice of ['FetchByKey', 'LookupByKey', 'ExerciseByKey']) {
    const command = exerciseCommand(keys('KeyUser'), contractId, choice, { key: { owner: alice, id: 'k' } })
    t.match((await prepare(environment, alice, command)).json(), { code: 'FAILED_TO_PREPARE_TRANSACTION' }, choice)
    const bytes = textAt(objectIn(await prepare(environment, alice, command, 'V3')), 'preparedTransaction')
    t.equal(decodePreparedTransaction(Buffer.from(bytes, 'base64')).transaction.version, '2', choice)
  }
})
