/** Repeated and late executions of a signed transaction: it takes effect at most once. */
import t from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  altered,
  createAllTypes,
  createPing,
  type ExternalEnvironment,
  eveEnvironment,
  execute,
  executePath,
  execution,
  externalEnvironment,
  outcomeOf,
  refused,
  type Signer,
  transactionPath,
  waitPath,
} from '../../support/ledgers/external-environment.js'
import { ping, submitPath, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { stillClock } from '../../support/ledgers/still-clock.js'
import { at } from '../../support/replay/replay-variables.js'

const hour = 3_600_000
const duplicateUuid = '400 DUPLICATE_CONFIRMATION_REQUEST_UUID'

async function countContracts(environment: ExternalEnvironment, { party }: Signer): Promise<number> {
  const answer = await environment.wire.post('/v2/state/active-contracts', {
    activeAtOffset: Number(await environment.ledgerEnd()),
    eventFormat: { filtersByParty: { [party]: {} }, verbose: true },
  })
  const contracts = answer.json()
  return Array.isArray(contracts) ? contracts.length : -1
}

const duration = (seconds: number): JsonObject => ({
  deduplicationPeriod: { DeduplicationDuration: { value: { seconds, nanos: 0 } } },
})
const offset = (value: number): JsonObject => ({ deduplicationPeriod: { DeduplicationOffset: { value } } })

t.test('a repeated execution is rejected', async (t) => {
  const periods: [title: string, more: (end: number) => JsonObject, waiting: string][] = [
    ['an empty period', () => ({}), '409 DUPLICATE_COMMAND'],
    ['another submission', () => ({ submissionId: 'another' }), '409 DUPLICATE_COMMAND'],
    ['a long period', () => duration(3600), '409 DUPLICATE_COMMAND'],
    ['a period that has passed', () => duration(1), duplicateUuid],
    ['an offset before it', () => offset(0), '409 DUPLICATE_COMMAND'],
    ['an offset after it', offset, duplicateUuid],
    ['another user', () => ({ userId: 'another' }), duplicateUuid],
  ]
  for (const [title, more, waiting] of periods) {
    const { environment, eve } = await eveEnvironment(t)
    const request = execution(await environment.prepare(eve.party, createPing(eve)), [eve])
    t.equal(outcomeOf(await execute(environment, request)), 200)
    environment.clock.advance(10_000)
    const again = { ...request, ...more(Number(await environment.ledgerEnd())) }
    for (const path of [waitPath, transactionPath])
      t.equal(outcomeOf(await execute(environment, again, path)), waiting, title)
    t.equal(outcomeOf(await execute(environment, again, executePath)), 200, 'execute does not wait for the outcome')
    t.equal(await countContracts(environment, eve), 1, `${title}: it took effect once`)
  }
})

t.test('the text permits an absent deduplication period; the reference requires it', async (t) => {
  for (const behaviour of ['interface', 'canton-3.5'] as const) {
    const { environment, eve } = await eveEnvironment(t, { behaviour })
    const { deduplicationPeriod, ...request } = execution(await environment.prepare(eve.party, createPing(eve)), [eve])
    t.ok(deduplicationPeriod)
    const without = await environment.wire.post(waitPath, request)
    t.equal(outcomeOf(without), behaviour === 'interface' ? 200 : '400 text')
    const again = await environment.wire.post(waitPath, { ...request, deduplicationPeriod })
    t.equal(outcomeOf(again), behaviour === 'interface' ? '409 DUPLICATE_COMMAND' : 200)
  }
})

t.test('of several concurrent executions, one takes effect', async (t) => {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const clock = { ...stillClock(), transit: () => opened }
  const { environment, eve } = await eveEnvironment(t, { clock })
  const request = execution(await environment.prepare(eve.party, createPing(eve)), [eve])
  const users = ['user', 'user', 'another', 'third']
  const sent = users.map((userId) => environment.wire.post(waitPath, { ...request, userId }))
  const [, second] = sent
  t.equal(second && outcomeOf(await second), '409 SUBMISSION_ALREADY_IN_FLIGHT')
  open()
  const outcomes = (await Promise.all(sent)).map(outcomeOf)
  t.equal(outcomes.filter((outcome) => outcome === 200).length, 1)
  t.equal(outcomes.filter((outcome) => outcome === duplicateUuid).length, 2)
  t.equal(await countContracts(environment, eve), 1)
})

t.test('an execution on an archived contract is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const made = await execute(
    environment,
    execution(await environment.prepare(eve.party, createPing(eve)), [eve]),
    transactionPath,
  )
  const contractId = String(at(made.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  const [first, second] = [await environment.prepare(eve.party, archive), await environment.prepare(eve.party, archive)]
  t.equal(outcomeOf(await execute(environment, execution(first, [eve]))), 200)
  t.equal(outcomeOf(await execute(environment, execution(second, [eve]))), '404 LOCAL_VERDICT_INACTIVE_CONTRACTS')
  t.equal(outcomeOf(await execute(environment, execution(second, [eve]))), duplicateUuid, 'its UUID is used, too')
})

t.test('a rejected transaction can be executed later if its UUID was not used', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const otherKey = makeSigningKey('ed25519')
  const forged = { party: eve.party, signatures: [otherKey.sign(Buffer.alloc(32))] }
  t.equal(outcomeOf(await execute(environment, execution(prepared, [forged]))), refused)
  t.equal(outcomeOf(await execute(environment, execution(prepared, [eve]))), 200)
})

t.test('an execution a day after the preparation is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const [early, late] = [
    await environment.prepare(eve.party, createPing(eve)),
    await environment.prepare(eve.party, createPing(eve)),
  ]
  environment.clock.advance(24 * hour - 10)
  t.equal(outcomeOf(await execute(environment, execution(early, [eve]))), 200)
  environment.clock.advance(20)
  const tooLate = '409 LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND'
  t.equal(outcomeOf(await execute(environment, execution(late, [eve]))), tooLate)
  environment.clock.advance(100 * hour)
  const again = execution(early, [eve], { userId: 'another' })
  t.equal(outcomeOf(await execute(environment, again)), tooLate, 'the participant forgets its UUID only later')
})

t.test('a transaction that reads the ledger time has a time bound', async (t) => {
  const environment = await externalEnvironment(t)
  await uploadPackages(environment.wire)
  const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
  const templateId = '#conformance-model:Conformance:AllTypes'
  const made = await environment.prepare(eve.party, createAllTypes(eve))
  const created = await execute(environment, execution(made, [eve]), transactionPath)
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const now = { ExerciseCommand: { templateId, contractId, choice: 'Now', choiceArgument: {} } }
  const outOfBound = '409 LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND'
  for (const [seconds, expected] of [
    [0, 200],
    [59, 200],
    [61, outOfBound],
  ] as const) {
    const prepared = await environment.prepare(eve.party, now)
    environment.clock.advance(seconds * 1000)
    t.equal(outcomeOf(await execute(environment, execution(prepared, [eve]))), expected, `${seconds} s later`)
  }
  const bounds = (min: number, max: number) => ({
    set: { 'metadata.min_ledger_effective_time': min, 'metadata.max_ledger_effective_time': max },
  })
  const microsecond = 1_893_456_000_000_000
  const impossible = altered(await environment.prepare(eve.party, now), bounds(microsecond + 200, microsecond + 100))
  t.equal(outcomeOf(await execute(environment, execution(impossible, [eve]))), refused, 'a maximum before the minimum')
  for (const seconds of [59, 61]) {
    const minLedgerTime = { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } }
    const request = execution(await environment.prepare(eve.party, createPing(eve)), [eve], { minLedgerTime })
    t.equal(outcomeOf(await execute(environment, request)), seconds < 60 ? 200 : outOfBound, 'a minimum in the future')
  }
  for (const seconds of ['9000000000000', '9000000000000000000']) {
    const minLedgerTime = { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } }
    const unbound = altered(await environment.prepare(eve.party, now), {
      'remove-all': { 'metadata.min_ledger_effective_time': true, 'metadata.max_ledger_effective_time': true },
    })
    const request = execution(unbound, [eve], { minLedgerTime })
    t.equal(outcomeOf(await execute(environment, request)), '400 INVALID_ARGUMENT', 'no Daml time')
  }
})

t.test('an execution after the maximum record time is rejected', async (t) => {
  const past = { 34: '409 NOT_SEQUENCED_TIMEOUT', 35: '409 LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED' }
  for (const protocolVersion of [34, 35] as const) {
    const { environment, eve } = await eveEnvironment(t, { protocolVersion })
    const bounded = () => environment.prepare(eve.party, createPing(eve), { maxRecordTime: '2030-01-01T01:00:00Z' })
    const [first, second, third] = [await bounded(), await bounded(), await bounded()]
    t.equal(outcomeOf(await execute(environment, execution(first, [eve]))), 200, 'before it')
    environment.clock.advance(2 * hour)
    t.equal(outcomeOf(await execute(environment, execution(second, [eve]))), past[protocolVersion], 'after it')
    const atOnce = outcomeOf(await execute(environment, execution(third, [eve]), executePath))
    t.equal(
      atOnce,
      protocolVersion === 34 ? past[34] : 200,
      'the participant rejects it at once, or the ledger rejects it later',
    )
  }
})

t.test('an execution on a contract that a local party has archived is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const createArguments = { id: 'x', initiator: environment.alice, responder: eve.party }
  const body = environment.submission({ commands: [{ CreateCommand: { templateId: ping, createArguments } }] })
  t.equal((await environment.wire.post(submitPath, body)).status, 200)
  const answer = await environment.wire.post('/v2/state/active-contracts', {
    activeAtOffset: Number(await environment.ledgerEnd()),
    eventFormat: { filtersByParty: { [eve.party]: {} }, verbose: true },
  })
  const contractId = String(at(answer.json(), '/0/contractEntry/JsActiveContract/createdEvent/contractId'))
  const respond = { ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: {} } }
  const prepared = await environment.prepare(eve.party, respond)
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  t.equal((await environment.wire.post(submitPath, environment.submission({ commands: [archive] }))).status, 200)
  const late = outcomeOf(await execute(environment, execution(prepared, [eve])))
  t.equal(late, '404 LOCAL_VERDICT_INACTIVE_CONTRACTS')
})
