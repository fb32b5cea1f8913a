/** One signed transaction, executed more than once or at the wrong time: whatever is tried, it takes effect at most once. */
import t from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  altered,
  createAllTypes,
  createPing,
  type ExternalWorld,
  eveWorld,
  execute,
  executePath,
  execution,
  externalWorld,
  outcomeOf,
  refused,
  type Signer,
  transactionPath,
  waitPath,
} from '../../support/ledgers/external-world.js'
import { ping, submitPath, uploadPackages } from '../../support/ledgers/simulator-world.js'
import { stillClock } from '../../support/ledgers/still-clock.js'
import { at } from '../../support/replay/replay-variables.js'

const hour = 3_600_000
const duplicateUuid = '400 DUPLICATE_CONFIRMATION_REQUEST_UUID'

/** How many contracts of hers there are. */
async function contractsOf(world: ExternalWorld, { party }: Signer): Promise<number> {
  const answer = await world.wire.post('/v2/state/active-contracts', {
    activeAtOffset: Number(await world.ledgerEnd()),
    eventFormat: { filtersByParty: { [party]: {} }, verbose: true },
  })
  const contracts = answer.json()
  return Array.isArray(contracts) ? contracts.length : -1
}

const duration = (seconds: number): JsonObject => ({
  deduplicationPeriod: { DeduplicationDuration: { value: { seconds, nanos: 0 } } },
})
const offset = (value: number): JsonObject => ({ deduplicationPeriod: { DeduplicationOffset: { value } } })

t.test('the same transaction once more', async (t) => {
  const periods: [title: string, more: (end: number) => JsonObject, waiting: string][] = [
    ['an empty period', () => ({}), '409 DUPLICATE_COMMAND'],
    ['another submission', () => ({ submissionId: 'another' }), '409 DUPLICATE_COMMAND'],
    ['a long period', () => duration(3600), '409 DUPLICATE_COMMAND'],
    ['a period that has passed', () => duration(1), duplicateUuid],
    ['an offset before', () => offset(0), '409 DUPLICATE_COMMAND'],
    ['an offset behind', offset, duplicateUuid],
    ['another user', () => ({ userId: 'another' }), duplicateUuid],
  ]
  for (const [title, more, waiting] of periods) {
    const { world, eve } = await eveWorld(t)
    const request = execution(await world.prepare(eve.party, createPing(eve)), [eve])
    t.equal(outcomeOf(await execute(world, request)), 200)
    world.clock.advance(10_000)
    const again = { ...request, ...more(Number(await world.ledgerEnd())) }
    for (const path of [waitPath, transactionPath])
      t.equal(outcomeOf(await execute(world, again, path)), waiting, title)
    t.equal(outcomeOf(await execute(world, again, executePath)), 200, 'it does not wait for the outcome')
    t.equal(await contractsOf(world, eve), 1, `${title}: it took effect once`)
  }
})

t.test('the deduplication period may be left out, as the text says; the reference wants it', async (t) => {
  for (const behaviour of ['interface', 'canton-3.5'] as const) {
    const { world, eve } = await eveWorld(t, { behaviour })
    const { deduplicationPeriod, ...request } = execution(await world.prepare(eve.party, createPing(eve)), [eve])
    t.ok(deduplicationPeriod)
    const without = await world.wire.post(waitPath, request)
    t.equal(outcomeOf(without), behaviour === 'interface' ? 200 : '400 text')
    const again = await world.wire.post(waitPath, { ...request, deduplicationPeriod })
    t.equal(outcomeOf(again), behaviour === 'interface' ? '409 DUPLICATE_COMMAND' : 200)
  }
})

t.test('many at once: one is carried out, however they differ', async (t) => {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const clock = { ...stillClock(), transit: () => opened }
  const { world, eve } = await eveWorld(t, { clock })
  const request = execution(await world.prepare(eve.party, createPing(eve)), [eve])
  const users = ['user', 'user', 'another', 'third']
  const sent = users.map((userId) => world.wire.post(waitPath, { ...request, userId }))
  const [, second] = sent
  t.equal(second && outcomeOf(await second), '409 SUBMISSION_ALREADY_IN_FLIGHT')
  open()
  const outcomes = (await Promise.all(sent)).map(outcomeOf)
  t.equal(outcomes.filter((outcome) => outcome === 200).length, 1)
  t.equal(outcomes.filter((outcome) => outcome === duplicateUuid).length, 2)
  t.equal(await contractsOf(world, eve), 1)
})

t.test('a contract that was archived meanwhile, or is about to be', async (t) => {
  const { world, eve } = await eveWorld(t)
  const made = await execute(world, execution(await world.prepare(eve.party, createPing(eve)), [eve]), transactionPath)
  const contractId = String(at(made.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  const [first, second] = [await world.prepare(eve.party, archive), await world.prepare(eve.party, archive)]
  t.equal(outcomeOf(await execute(world, execution(first, [eve]))), 200)
  t.equal(outcomeOf(await execute(world, execution(second, [eve]))), '404 LOCAL_VERDICT_INACTIVE_CONTRACTS')
  t.equal(outcomeOf(await execute(world, execution(second, [eve]))), duplicateUuid, 'its UUID is used up nevertheless')
})

t.test('a refused transaction can be executed later where its UUID was not used up', async (t) => {
  const { world, eve } = await eveWorld(t)
  const prepared = await world.prepare(eve.party, createPing(eve))
  const stranger = makeSigningKey('ed25519')
  const forged = { party: eve.party, signatures: [stranger.sign(Buffer.alloc(32))] }
  t.equal(outcomeOf(await execute(world, execution(prepared, [forged]))), refused)
  t.equal(outcomeOf(await execute(world, execution(prepared, [eve]))), 200)
})

t.test('a day after it was prepared', async (t) => {
  const { world, eve } = await eveWorld(t)
  const [early, late] = [
    await world.prepare(eve.party, createPing(eve)),
    await world.prepare(eve.party, createPing(eve)),
  ]
  world.clock.advance(24 * hour - 10)
  t.equal(outcomeOf(await execute(world, execution(early, [eve]))), 200)
  world.clock.advance(20)
  const tooLate = '409 LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND'
  t.equal(outcomeOf(await execute(world, execution(late, [eve]))), tooLate)
  world.clock.advance(100 * hour)
  const again = execution(early, [eve], { userId: 'another' })
  t.equal(outcomeOf(await execute(world, again)), tooLate, 'when its UUID is forgotten, it is too old')
})

t.test('a transaction that has read the time is bound to it', async (t) => {
  const world = await externalWorld(t)
  await uploadPackages(world.wire)
  const eve = await world.onboard('eve', [makeSigningKey('ed25519')])
  const templateId = '#conformance-model:Conformance:AllTypes'
  const made = await world.prepare(eve.party, createAllTypes(eve))
  const created = await execute(world, execution(made, [eve]), transactionPath)
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const now = { ExerciseCommand: { templateId, contractId, choice: 'Now', choiceArgument: {} } }
  const outOfBound = '409 LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND'
  for (const [seconds, expected] of [
    [0, 200],
    [59, 200],
    [61, outOfBound],
  ] as const) {
    const prepared = await world.prepare(eve.party, now)
    world.clock.advance(seconds * 1000)
    t.equal(outcomeOf(await execute(world, execution(prepared, [eve]))), expected, `${seconds} s later`)
  }
  const bounds = (min: number, max: number) => ({
    set: { 'metadata.min_ledger_effective_time': min, 'metadata.max_ledger_effective_time': max },
  })
  const microsecond = 1_893_456_000_000_000
  const impossible = altered(await world.prepare(eve.party, now), bounds(microsecond + 200, microsecond + 100))
  t.equal(outcomeOf(await execute(world, execution(impossible, [eve]))), refused, 'from later to earlier')
  for (const seconds of [59, 61]) {
    const minLedgerTime = { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } }
    const request = execution(await world.prepare(eve.party, createPing(eve)), [eve], { minLedgerTime })
    t.equal(outcomeOf(await execute(world, request)), seconds < 60 ? 200 : outOfBound, 'nobody waits for a later time')
  }
  for (const seconds of ['9000000000000', '9000000000000000000']) {
    const minLedgerTime = { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } }
    const unbound = altered(await world.prepare(eve.party, now), {
      'remove-all': { 'metadata.min_ledger_effective_time': true, 'metadata.max_ledger_effective_time': true },
    })
    const request = execution(unbound, [eve], { minLedgerTime })
    t.equal(outcomeOf(await execute(world, request)), outOfBound, 'a time that no ledger can have')
  }
})

t.test('the latest record time', async (t) => {
  const past = { 34: '409 NOT_SEQUENCED_TIMEOUT', 35: '409 LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED' }
  for (const protocolVersion of [34, 35] as const) {
    const { world, eve } = await eveWorld(t, { protocolVersion })
    const bounded = () => world.prepare(eve.party, createPing(eve), { maxRecordTime: '2030-01-01T01:00:00Z' })
    const [first, second, third] = [await bounded(), await bounded(), await bounded()]
    t.equal(outcomeOf(await execute(world, execution(first, [eve]))), 200, 'before it')
    world.clock.advance(2 * hour)
    t.equal(outcomeOf(await execute(world, execution(second, [eve]))), past[protocolVersion], 'after it')
    const atOnce = outcomeOf(await execute(world, execution(third, [eve]), executePath))
    t.equal(atOnce, protocolVersion === 34 ? past[34] : 200, 'who notices: the participant, or others later')
  }
})

t.test('what a local party does with a contract in the meantime counts', async (t) => {
  const { world, eve } = await eveWorld(t)
  const createArguments = { id: 'x', initiator: world.alice, responder: eve.party }
  const body = world.submission({ commands: [{ CreateCommand: { templateId: ping, createArguments } }] })
  t.equal((await world.wire.post(submitPath, body)).status, 200)
  const answer = await world.wire.post('/v2/state/active-contracts', {
    activeAtOffset: Number(await world.ledgerEnd()),
    eventFormat: { filtersByParty: { [eve.party]: {} }, verbose: true },
  })
  const contractId = String(at(answer.json(), '/0/contractEntry/JsActiveContract/createdEvent/contractId'))
  const respond = { ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: {} } }
  const prepared = await world.prepare(eve.party, respond)
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  t.equal((await world.wire.post(submitPath, world.submission({ commands: [archive] }))).status, 200)
  const late = outcomeOf(await execute(world, execution(prepared, [eve])))
  t.equal(late, '404 LOCAL_VERDICT_INACTIVE_CONTRACTS')
})
