/** Late executions of a signed transaction. */
import t from 'tap'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  altered,
  createAllTypes,
  createPing,
  eveEnvironment,
  execute,
  execution,
  externalEnvironment,
  outcomeOf,
  refused,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import { uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

const hour = 3_600_000

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
