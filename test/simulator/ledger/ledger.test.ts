/** Ids and seeds, contract keys by protocol version, and random submissions on the ledger. */
import t from 'tap'
import { createEntropy } from '../../../simulator/ledger/state/entropy.js'
import {
  create,
  createdIds,
  type LedgerEnvironment,
  ledgerEnvironment,
  outcome,
} from '../../support/ledgers/ledger-environment.js'
import fc from '../../support/records/properties.js'
import { checkAgainstModel } from './ledger-against-model.js'
import { submissions } from './ledger-model.js'

t.test('protocol version 34 rejects contract keys', async (t) => {
  const { create: made, alice } = ledgerEnvironment({ protocolVersion: 34 })
  const keyed = { owner: alice, observers: [], id: 'k', text: '' }
  t.equal(
    outcome(() => made(alice, 'Keyed', keyed)),
    'ALLOWED_LANGUAGE_VERSIONS',
  )
})

const note = (environment: LedgerEnvironment) => create('Note', { author: environment.alice, readers: [], text: '' })

t.test('ids and offsets have the format of the reference participant', async (t) => {
  const environment = ledgerEnvironment()
  const transactions = Array.from({ length: 5 }, () => environment.submit(environment.alice, note(environment)))
  for (const transaction of transactions) {
    t.match(createdIds(transaction)[0], /^00[0-9a-f]{64}ca121220[0-9a-f]{64}$/)
    t.match(transaction.updateId, /^1220[0-9a-f]{64}$/)
    t.equal(environment.ledger.state.transactions.get(transaction.updateId), transaction)
  }
  const offsets = transactions.map(({ offset }) => offset)
  t.ok(
    offsets.every((offset, index) => offset > (offsets[index - 1] ?? 0)),
    'offsets increase',
  )
  t.equal(environment.ledger.end, offsets.at(-1))
  t.strictSame(environment.ledger.transactionsBetween(offsets[1] ?? 0, offsets[3] ?? 0), transactions.slice(2, 4))
  t.match(environment.ledger.participantId, /^sandbox::1220[0-9a-f]{64}$/)
  t.match(environment.alice, /^alice::1220[0-9a-f]{64}$/)
  t.equal(environment.ledger.allocateParty('alice', environment.home), undefined, 'a party is allocated once')
})

t.test('an equal seed repeats all ids, and without a seed ids differ', async (t) => {
  const run = (seed: string) => {
    const environment = ledgerEnvironment({ seed })
    const transaction = environment.submit(environment.alice, [note(environment), note(environment)])
    return [environment.ledger.participantId, environment.home.id, transaction.updateId, ...createdIds(transaction)]
  }
  t.strictSame(run('a'), run('a'))
  t.equal(new Set([...run('a'), ...run('b')]).size, 10)
  const [one, two] = [createEntropy(), createEntropy()]
  t.not(one.hex(16), two.hex(16))
  for (let round = 0; round < 50; round += 1) {
    t.match(one.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  t.equal(createEntropy('x').bytes(100).length, 100)
})

t.test('random submissions have the outcome that a simple model of the ledger predicts', async (t) => {
  fc.assert(fc.property(submissions, checkAgainstModel), { numRuns: 600 })
  t.pass('600 times')
})
