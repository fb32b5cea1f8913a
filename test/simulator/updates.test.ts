/** Updates of the ledger: lists, single updates, and waiting readers. */
import t from 'tap'
import type { JsonObject } from '../../lib/json/json.js'
import { ok } from '../../simulator/http/answer.js'
import { streamList } from '../../simulator/http/stream.js'
import { Changes } from '../../simulator/ledger/state/clock.js'
import type { Participant } from '../../simulator/participant/participant.js'
import { modelEnvironment } from '../support/ledgers/model-environment.js'
import { conformanceModel } from '../support/ledgers/model-packages.js'
import { objectIn, simulatorEnvironment, submitPath } from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import { at } from '../support/replay/replay-variables.js'
import {
  acsPath,
  codeOf,
  create,
  exercise,
  interfaceOf,
  note,
  objects,
  only,
  submit,
  template,
  wildcard,
} from '../support/suites/reading.js'

t.test('lists updates between two offsets in all forms', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice, bob, ledgerEnd } = environment
  const beginExclusive = await ledgerEnd()
  const { offset: endInclusive } = await submit(environment, [note(alice, 'one', [bob])])
  const contractId = String(
    at(
      (await wire.post(acsPath, { activeAtOffset: endInclusive, eventFormat: only(bob) })).json(),
      '/0/contractEntry/JsActiveContract/createdEvent/contractId',
    ),
  )
  const last = await submit(environment, [exercise('Note', contractId, 'Archive'), note(alice, 'two')])
  const bounds = { beginExclusive, endInclusive: last.offset }
  const present = (transactionShape: string) => ({
    ...bounds,
    updateFormat: { includeTransactions: { eventFormat: only(bob, wildcard), transactionShape } },
  })
  const kinds = async (path: string, body: JsonObject): Promise<string[][]> =>
    objects((await wire.post(path, body)).json()).map((item) => {
      const events =
        at(item, '/update/Transaction/value/events') ??
        Object.values(objects([at(item, '/update/TransactionTree/value/eventsById') ?? null])[0] ?? {})
      return objects(events).flatMap((event) => Object.keys(event))
    })
  t.strictSame(await kinds('/v2/updates', present('TRANSACTION_SHAPE_ACS_DELTA')), [
    ['CreatedEvent'],
    ['ArchivedEvent'],
  ])
  t.strictSame(await kinds('/v2/updates', present('TRANSACTION_SHAPE_LEDGER_EFFECTS')), [
    ['CreatedEvent'],
    ['ExercisedEvent'],
  ])
  const older = { ...bounds, filter: only(bob, wildcard) }
  t.strictSame(
    await kinds('/v2/updates', older),
    [['CreatedEvent'], ['ExercisedEvent']],
    'the deprecated form shows all effects',
  )
  t.strictSame(await kinds('/v2/updates/flats', older), [['CreatedEvent'], ['ExercisedEvent']])
  const tree = { ...bounds, filter: only(alice, template('#conformance-model:Conformance:Asset')) }
  t.strictSame(
    await kinds('/v2/updates/trees', tree),
    [['CreatedTreeEvent'], ['ExercisedTreeEvent', 'CreatedTreeEvent']],
    'a tree is complete',
  )
  t.strictSame(await kinds('/v2/updates', { ...bounds, updateFormat: {} }), [])
  t.strictSame(await kinds('/v2/updates', { ...older, endInclusive: beginExclusive }), [])

  const refused = async (more: JsonObject, expected: string) =>
    t.equal(codeOf(await wire.post('/v2/updates', { ...older, ...more })), expected)
  await refused({ updateFormat: {} }, '400 INVALID_ARGUMENT')
  await refused({ filter: null }, '400 INVALID_ARGUMENT')
  await refused({ beginExclusive: -1 }, '400 NEGATIVE_OFFSET')
  await refused({ endInclusive: 0 }, '400 NON_POSITIVE_OFFSET')
  await refused({ beginExclusive: last.offset + 1 }, '400 OFFSET_AFTER_LEDGER_END')
  await refused({ endInclusive: last.offset + 1 }, '400 OFFSET_AFTER_LEDGER_END')
  await refused({ beginExclusive: last.offset, endInclusive }, '400 OFFSET_OUT_OF_RANGE')
})

t.test('returns one transaction by id or offset', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice, bob } = environment
  const { updateId, offset } = await submit(environment, [note(alice, 'one')])
  const shape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
  const transactionFormat = { eventFormat: only(alice), transactionShape: shape }
  const updateFormat = { includeTransactions: transactionFormat }
  const found = objectIn(await wire.post('/v2/updates/update-by-id', { updateId, updateFormat }))
  const transaction = at(found, '/update/Transaction/value')
  const offsets = { offset, updateFormat }
  t.strictSame(objectIn(await wire.post('/v2/updates/update-by-offset', offsets)), found)
  for (const [path, key] of [
    ['transaction-by-id', { updateId }],
    ['transaction-by-offset', { offset }],
  ] as const) {
    const post = async (body: JsonObject) => await wire.post(`/v2/updates/${path}`, { ...key, ...body })
    t.strictSame(objectIn(await post({ transactionFormat })), { transaction })
    t.strictSame(objectIn(await post({ requestingParties: [alice] })), { transaction })
    t.equal(codeOf(await post({ requestingParties: [bob] })), '404 UPDATE_NOT_FOUND')
    t.equal(codeOf(await post({})), '400 INVALID_ARGUMENT')
    t.equal(codeOf(await post({ requestingParties: [alice], transactionFormat })), '400 INVALID_ARGUMENT')
  }
  for (const path of [`id/${updateId}`, `offset/${offset}`]) {
    const get = async (party: string) =>
      await wire.send({
        method: 'GET',
        path: `/v2/updates/transaction-tree-by-${path}?parties=${encodeURIComponent(party)}`,
      })
    t.match(objectIn(await get(alice)), {
      transaction: {
        updateId,
        offset,
        eventsById: { 0: { CreatedTreeEvent: { value: { createArgument: { text: 'one' } } } } },
      },
    })
    t.equal(codeOf(await get(bob)), '404 UPDATE_NOT_FOUND')
  }
  const badOffset = await wire.send({ method: 'GET', path: '/v2/updates/transaction-tree-by-offset/x' })
  t.equal(codeOf(badOffset), '400 Invalid value for: path parameter offset')

  const byId = async (body: JsonObject) => codeOf(await wire.post('/v2/updates/update-by-id', body))
  t.equal(await byId({ updateId }), '400 MISSING_FIELD')
  t.equal(await byId({ updateId, updateFormat: {} }), '404 UPDATE_NOT_FOUND', 'without transactions in the format')
  t.equal(await byId({ updateId: '', updateFormat }), '400 MISSING_FIELD')
  t.equal(await byId({ updateId: '1220', updateFormat }), '400 INVALID_ARGUMENT')
  t.equal(await byId({ updateId: `1220${'0'.repeat(64)}`, updateFormat }), '404 UPDATE_NOT_FOUND')
  const byOffset = await wire.post('/v2/updates/update-by-offset', { offset: offset + 1, updateFormat })
  t.match(byOffset.json(), { code: 'UPDATE_NOT_FOUND', resources: [['ErrorResource(OFFSET)', String(offset + 1)]] })
  const nowhere = await wire.post('/v2/updates/update-by-offset', { offset: 0, updateFormat })
  t.equal(codeOf(nowhere), '400 NON_POSITIVE_OFFSET')
})

t.test('returns the events of one contract', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice, bob } = environment
  const { offset } = await submit(environment, [
    create('Asset', { issuer: alice, owner: bob, name: 'gold', amount: '3' }),
  ])
  const acs = (await wire.post(acsPath, { activeAtOffset: offset, eventFormat: only(bob) })).json()
  const contractId = String(at(acs, '/0/contractEntry/JsActiveContract/createdEvent/contractId'))
  const events = async (party: string, ...filters: JsonObject[]) =>
    await wire.post('/v2/events/events-by-contract-id', { contractId, eventFormat: only(party, ...filters) })
  t.match(objectIn(await events(bob)), { created: { createdEvent: { contractId, acsDelta: true } }, archived: null })
  await submit(environment, [exercise('Asset', contractId, 'Archive')])
  const both = objectIn(await events(bob, interfaceOf('#conformance-model:Conformance:Holding')))
  const holding = `${conformanceModel.id}:Conformance:Holding`
  t.match(both, {
    created: { createdEvent: { interfaceViews: [{ interfaceId: holding }] } },
    archived: { archivedEvent: { contractId, witnessParties: [bob], implementedInterfaces: [holding] } },
  })
  t.match(objectIn(await events(bob)), { archived: { archivedEvent: { implementedInterfaces: [] } } })
  const note = template('#conformance-model:Conformance:Note')
  for (const answer of [await events('zoe::1220'), await events(bob, note)]) {
    t.equal(codeOf(answer), '404 CONTRACT_EVENTS_NOT_FOUND')
  }
  const post = async (body: JsonObject) => codeOf(await wire.post('/v2/events/events-by-contract-id', body))
  t.equal(await post({ contractId }), '400 MISSING_FIELD')
  t.equal(await post({ eventFormat: only(bob) }), '400 MISSING_FIELD')
  t.equal(await post({ contractId: 'x', eventFormat: only(bob) }), '400 INVALID_FIELD')
})

t.test('answers a waiting reader at once if the list is complete, otherwise after the idle time', async (t) => {
  const changes = new Changes()
  const pending: { time: bigint; reached: () => void }[] = []
  let time = 0n
  const clock = {
    ...stillClock(),
    now: () => time,
    reach: async (wanted: bigint, signal?: AbortSignal) =>
      await new Promise<void>((resolve) => {
        pending.push({ time: wanted, reached: resolve })
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
  const elements: string[] = []
  const participant = { clock: { base: clock }, ledger: { changes } } as unknown as Participant // the members that a list uses
  const waiting = async (query: string, deadline = new AbortController()) => {
    let seen = 0
    const next = () => {
      const fresh = elements.slice(seen)
      seen = elements.length
      return fresh
    }
    const circumstances = { participant, query: new URLSearchParams(query), deadline }
    return await streamList({ openEnded: true, next }, circumstances)
  }
  const write = async (element?: string) => {
    if (element !== undefined) elements.push(element)
    changes.announce()
    await turn()
  }
  const pass = async (milliseconds: number) => {
    time += BigInt(milliseconds) * 1000n
    for (const item of pending.splice(0))
      if (item.time <= time) item.reached()
      else pending.push(item)
    await turn()
  }

  const two = waiting('limit=2&stream_idle_timeout_ms=1000')
  await write('a')
  await write('b')
  t.strictSame(await two, ok(['a', 'b']), 'two were requested')
  t.strictSame(
    await waiting('limit=1&stream_idle_timeout_ms=1000'),
    ok(['a']),
    'an existing element is returned without a wait',
  )

  let answered = false
  const more = waiting('stream_idle_timeout_ms=1000').finally(() => {
    answered = true
  })
  await pass(900)
  await write('c')
  await pass(900)
  await write()
  t.notOk(answered, 'only elements restart the waiting time')
  await pass(100)
  t.strictSame(await more, ok(['a', 'b', 'c']))

  const deadline = new AbortController()
  const late = waiting('stream_idle_timeout_ms=60000', deadline)
  deadline.abort()
  t.strictSame(await late, ok(['a', 'b', 'c']), 'no wait remains')
  await waiting('stream_idle_timeout_ms=0&limit=0')
})

const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve))

t.test('open-ended updates and completions wait for new elements', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire, alice, ledgerEnd } = environment
  const beginExclusive = await ledgerEnd()
  const query = '?limit=1&stream_idle_timeout_ms=15000'
  const reading = wire.post(`/v2/updates${query}`, { beginExclusive, filter: only(alice) })
  const completing = wire.post(`/v2/commands/completions${query}`, { beginExclusive, userId: 'user', parties: [alice] })
  const commandId = 'awaited'
  t.equal((await wire.post(submitPath, environment.submission({ commandId }))).status, 200)
  for (const answer of [await reading, await completing]) {
    const list = objects(answer.json())
    t.equal(list.length, 1)
    t.match(JSON.stringify(list), /"commandId":"awaited"/)
  }
})
