/** Routing of transactions on a ledger with several synchronizers. */
import t from 'tap'
import { LedgerError, type LedgerErrorDetails } from '../../../simulator/base/errors.js'
import type { Disclosed } from '../../../simulator/ledger/contracts/contract.js'
import type { Synchronizer } from '../../../simulator/ledger/state/ledger-state.js'
import { assignmentOf } from '../../../simulator/ledger/transactions/transaction.js'
import {
  create,
  createdIds,
  exercise,
  type LedgerEnvironment,
  ledgerEnvironment,
  refusalOf,
} from '../../support/ledgers/ledger-environment.js'
import { packageOf } from '../../support/ledgers/model-packages.js'

interface TwoEnvironment extends LedgerEnvironment {
  one: Synchronizer
  two: Synchronizer
  /** Hosted on the first synchronizer only. */
  dora: string
  /** Hosted on the second only. */
  emil: string
}

function twoEnvironment(protocolVersion = 35): TwoEnvironment {
  const environment = ledgerEnvironment({ synchronizers: 2, protocolVersion })
  const [one, two] = environment.ledger.synchronizers
  if (!one || !two) throw new Error('the ledger lacks a second synchronizer')
  const dora = environment.ledger.allocateParty('dora', one) ?? ''
  const emil = environment.ledger.allocateParty('emil', two) ?? ''
  return { ...environment, one, two, dora, emil }
}

const note = (author: string, readers: string[] = []) => create('Note', { author, readers, text: '' })
const touch = (id: string) => exercise(id, ['Joint', 'Touch'])

function refused(run: () => unknown): [code: string, origin: string] | undefined {
  const refusal = refusalOf(run)
  if (refusal === undefined) return undefined
  if (!(refusal instanceof LedgerError)) throw refusal
  return [refusal.details.code, refusal.details.origin]
}

const detailsOf = (run: () => unknown): LedgerErrorDetails | undefined => {
  const refusal = refusalOf(run)
  return refusal instanceof LedgerError ? refusal.details : undefined
}

t.test('a transaction goes to the first synchronizer that hosts all its parties', async (t) => {
  const { submit, one, two, alice, dora, emil } = twoEnvironment()
  t.equal(submit(alice, note(alice)).synchronizerId, one.id)
  t.equal(submit(alice, note(alice, [emil])).synchronizerId, two.id)
  t.equal(submit(dora, note(dora, [alice])).synchronizerId, one.id)
  t.equal(submit(emil, note(emil)).synchronizerId, two.id)
  t.equal(submit(alice, note(alice), { prescribed: two.id }).synchronizerId, two.id)
})

t.test('parties without a common synchronizer are rejected', async (t) => {
  const { ledger, submit, one, two, alice, dora, emil } = twoEnvironment()
  const apart = detailsOf(() => submit(dora, note(dora, [emil])))
  t.match(apart, { code: 'INFORMEES_NOT_ACTIVE', category: 9, origin: 'service' })
  const both = `Set(${ledger.shownId(one)}, ${ledger.shownId(two)})`
  t.match(apart?.context, { informees: `Set(${dora}, ${emil})`, synchronizers: both })
  t.strictSame(
    refused(() => submit([dora, emil], note(dora))),
    ['SUBMITTERS_NOT_ACTIVE', 'routing'],
    'routing is the first check of the second submitter',
  )
  const joint = { first: dora, second: emil, observers: [] }
  t.strictSame(
    refused(() => submit([dora, emil], create('Joint', joint))),
    ['SUBMITTERS_NOT_ACTIVE', 'service'],
    'the second pass checks each party whose authority the transaction needs',
  )
  t.equal(submit([alice, dora], note(dora)).synchronizerId, one.id)
})

t.test('submitters and informees need a common synchronizer', async (t) => {
  const { ledger, submit, one, two, alice } = twoEnvironment()
  ledger.hostExternalParty({ party: 'eve::12', keys: [], threshold: 1 }, one)
  t.equal(submit(alice, note(alice, ['eve::12'])).synchronizerId, one.id)
  const code = refused(() => submit('eve::12', note('eve::12')))
  t.strictSame(code, ['NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', 'service'])
  const foreign = detailsOf(() => submit(alice, note(alice, ['eve::12']), { prescribed: two.id }))
  t.match(foreign, { code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID', origin: 'service' })
  t.match(foreign?.context, {
    physicalSynchronizerId: ledger.shownId(two),
    synchronizersOfAllInformees: `Set(${ledger.shownId(one)})`,
  })
})

t.test('a prescribed synchronizer must be connected and host the parties', async (t) => {
  const { ledger, submit, two, dora } = twoEnvironment()
  const before = ledger.end
  const unknown = detailsOf(() => submit(dora, note(dora), { prescribed: 'other::1220' }))
  t.match(unknown, { code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID', origin: 'service' })
  t.match(unknown?.context, { synchronizerId: 'other::1220', reason: /ensure the node is connected to other::1220/ })
  const code = refused(() => submit(dora, note(dora), { prescribed: two.id }))
  t.strictSame(code, ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'service'])
  t.equal(ledger.end, before)
})

t.test('each synchronizer has its own vetted packages', async (t) => {
  const { ledger, submit, one, two, alice, dora } = twoEnvironment()
  const { id, name } = packageOf('conformance-model')
  const unvet = (synchronizer: Synchronizer): void => {
    const packages = synchronizer.vetting.packages.filter(({ packageId }) => packageId !== id)
    synchronizer.vetting = { packages, serial: synchronizer.vetting.serial + 1 }
  }
  const [kept] = createdIds(submit(alice, note(alice), { prescribed: one.id }))
  unvet(one)
  t.notOk(ledger.isVetted(id, one))
  t.ok(ledger.isVetted(id, two))
  t.equal(submit(alice, note(alice)).synchronizerId, two.id)
  t.strictSame(
    refused(() => submit(dora, note(dora))),
    ['NO_SYNCHRONIZER_FOR_SUBMISSION', 'routing'],
  )
  t.strictSame(
    refused(() => submit(alice, note(alice), { prescribed: one.id })),
    ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'routing'],
  )
  const named = { packageNames: [name] }
  t.strictSame(
    refused(() => submit(alice, note(alice, [dora]), named)),
    ['PACKAGE_SELECTION_FAILED', 'service'],
  )
  t.strictSame(
    refused(() => submit(alice, note(alice, [dora]), { ...named, prescribed: one.id })),
    ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'service'],
  )
  t.strictSame(
    refused(() => submit(alice, exercise(kept ?? '', ['Note', 'Archive']))),
    ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'routing'],
    'without a reason to reassign a contract, only its home is tried',
  )
  t.equal(
    submit(alice, exercise(kept ?? '', ['Note', 'Archive']), { prescribed: two.id }).synchronizerId,
    two.id,
    'a prescribed synchronizer is a reason',
  )
})

const jointOf = (environment: TwoEnvironment, home: Synchronizer, observers: string[] = []): string => {
  const argument = { first: environment.carol, second: environment.carol, observers }
  return createdIds(environment.submit(environment.carol, create('Joint', argument), { prescribed: home.id }))[0] ?? ''
}

t.test('a contract is reassigned to the synchronizer that uses it', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol } = environment
  const id = jointOf(environment, one)
  t.equal(ledger.homeOf(id), one)
  t.equal(submit(carol, touch(id)).synchronizerId, one.id, 'its home is unchanged')
  const before = ledger.end
  t.equal(submit(carol, touch(id), { prescribed: two.id }).synchronizerId, two.id)
  t.ok(ledger.end > before + 3, 'a reassignment uses offsets')
  t.equal(ledger.homeOf(id), two)
  t.equal(submit(carol, touch(id)).synchronizerId, two.id, 'its new home is unchanged')
  submit(carol, touch(id), { prescribed: one.id })
  const stored = ledger.stored(id)
  if (!stored) throw new Error('the contract is unknown')
  t.strictSame(assignmentOf(stored), { synchronizerId: one.id, reassignmentCounter: 2 })
  t.strictSame(assignmentOf(stored, before), { synchronizerId: one.id, reassignmentCounter: 0 })
  submit(carol, exercise(id, ['Joint', 'Archive']))
  t.equal(ledger.homeOf(id), undefined)
})

t.test('a transaction goes to the synchronizer that needs the fewest reassignments', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol, emil } = environment
  const [first, second, third] = [jointOf(environment, one), jointOf(environment, two), jointOf(environment, two)]
  const used = [touch(first), touch(second), touch(third)]
  t.equal(submit(carol, used).synchronizerId, two.id)
  t.equal(ledger.homeOf(first), two)
  const [fourth, bound] = [jointOf(environment, one), jointOf(environment, two, [emil])]
  t.equal(submit(carol, [touch(fourth), touch(bound)]).synchronizerId, two.id, 'only this synchronizer hosts emil')
  t.equal(ledger.homeOf(fourth), two)
  const [fifth, sixth] = [jointOf(environment, one), jointOf(environment, two)]
  t.equal(submit(carol, [touch(fifth), touch(sixth)]).synchronizerId, one.id, 'the first of two equal candidates')
  const seen = submit(carol, [touch(jointOf(environment, one)), note(carol, [emil])])
  t.equal(seen.synchronizerId, two.id, 'emil is an informee')
})

t.test('a transaction whose contracts cannot be reassigned is rejected', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, alice, carol, dora, emil } = environment
  const held = jointOf(environment, one, [dora])
  const there = jointOf(environment, two, [emil])
  const free = jointOf(environment, one)
  const before = ledger.end
  const named = { packageNames: [packageOf('conformance-model').name] }
  t.strictSame(
    refused(() => submit(carol, touch(held), { ...named, prescribed: two.id })),
    ['AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED', 'routing'],
    'the second synchronizer does not host dora',
  )
  const nowhere = ['NO_SYNCHRONIZER_FOR_SUBMISSION', 'service'] as const
  t.strictSame(
    refused(() => submit(carol, touch(held), { prescribed: two.id })),
    nowhere,
    'a template id without a package name causes a second pass, which ranks the synchronizers',
  )
  t.strictSame(
    refused(() => submit(carol, [touch(held), touch(there)])),
    nowhere,
  )
  const contract = ledger.contract(free)
  if (!contract) throw new Error('the contract is not active')
  const disclosed = (synchronizerId: string): Disclosed[] => [{ contract, synchronizerId }]
  const leave = exercise(free, ['Joint', 'Leave'], { party: alice })
  t.strictSame(
    refused(() => submit(alice, leave, { disclosed: disclosed(two.id) })),
    ['SUBMITTER_ALWAYS_STAKEHOLDER', 'routing'],
    'alice has no stake in the contract',
  )
  t.strictSame(
    refused(() => submit(alice, leave, { disclosed: disclosed(''), prescribed: two.id })),
    nowhere,
  )
  t.equal(ledger.end, before)
  t.strictSame(
    [ledger.homeOf(held), ledger.homeOf(there), ledger.homeOf(free)],
    [one, two, one],
    'no contract is reassigned',
  )
  t.equal(submit(alice, leave, { disclosed: disclosed('') }).synchronizerId, one.id)
})

t.test('the synchronizer of a used disclosed contract counts as prescribed', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol } = environment
  const [x, y] = [jointOf(environment, one), jointOf(environment, two)]
  const disclose = (id: string, { id: synchronizerId }: Synchronizer): Disclosed => {
    const contract = ledger.contract(id)
    if (!contract) throw new Error('the contract is not active')
    return { contract, synchronizerId }
  }
  const disclosed = [disclose(x, one), disclose(y, two)]
  t.strictSame(
    refused(() => submit(carol, [touch(x), touch(y)], { disclosed })),
    ['DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH', 'interpretation'],
  )
  t.strictSame(
    refused(() => submit(carol, touch(x), { disclosed, prescribed: two.id })),
    ['PRESCRIBED_SYNCHRONIZER_ID_MISMATCH', 'interpretation'],
  )
  t.equal(submit(carol, touch(x), { disclosed, prescribed: one.id }).synchronizerId, one.id, 'y is not used')
  t.equal(
    submit(carol, touch(x), { disclosed: [disclose(x, two)] }).synchronizerId,
    two.id,
    'the contract is reassigned',
  )
  t.strictSame(
    refused(() => submit(carol, touch(x), { disclosed: [{ ...disclose(x, two), synchronizerId: 'other::1220' }] })),
    ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'routing'],
  )
})

t.test('a contract is locked during its reassignment', async (t) => {
  const environment = twoEnvironment()
  const { submit, acquire, two, one, carol } = environment
  const id = jointOf(environment, one)
  const flight = acquire(carol, touch(id), { prescribed: two.id })
  t.strictSame(
    refused(() => submit(carol, touch(id))),
    ['LOCAL_VERDICT_LOCKED_CONTRACTS', 'service'],
  )
  t.equal(flight().synchronizerId, two.id)
  t.equal(submit(carol, touch(id)).synchronizerId, two.id)
})
