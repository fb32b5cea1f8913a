/** Where transactions go on a ledger with several synchronizers, and what keeps them from going anywhere. */
import t from 'tap'
import { LedgerError, type LedgerErrorDetails } from '../../../simulator/base/errors.js'
import type { Disclosed } from '../../../simulator/ledger/contracts/disclosed.js'
import type { Synchronizer } from '../../../simulator/ledger/state/synchronizer.js'
import { assignmentOf } from '../../../simulator/ledger/transactions/stored-contract.js'
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
  /** On the first synchronizer alone. */
  dora: string
  /** On the second alone. */
  emil: string
}

function twoEnvironment(protocolVersion = 35): TwoEnvironment {
  const environment = ledgerEnvironment({ synchronizers: 2, protocolVersion })
  const [one, two] = environment.ledger.synchronizers
  if (!one || !two) throw new Error('two synchronizers were asked for')
  const dora = environment.ledger.allocateParty('dora', one) ?? ''
  const emil = environment.ledger.allocateParty('emil', two) ?? ''
  return { ...environment, one, two, dora, emil }
}

const note = (author: string, readers: string[] = []) => create('Note', { author, readers, text: '' })
const touch = (id: string) => exercise(id, ['Joint', 'Touch'])

/** Code and origin of a refusal. */
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

t.test('a transaction goes where all its parties are, and to the first of several such places', async (t) => {
  const { submit, one, two, alice, dora, emil } = twoEnvironment()
  t.equal(submit(alice, note(alice)).synchronizerId, one.id)
  t.equal(submit(alice, note(alice, [emil])).synchronizerId, two.id)
  t.equal(submit(dora, note(dora, [alice])).synchronizerId, one.id)
  t.equal(submit(emil, note(emil)).synchronizerId, two.id)
  t.equal(submit(alice, note(alice), { prescribed: two.id }).synchronizerId, two.id)
})

t.test('parties without a common synchronizer', async (t) => {
  const { ledger, submit, one, two, alice, dora, emil } = twoEnvironment()
  const apart = detailsOf(() => submit(dora, note(dora, [emil])))
  t.match(apart, { code: 'INFORMEES_NOT_ACTIVE', category: 9, origin: 'service' })
  const both = `Set(${ledger.shownId(one)}, ${ledger.shownId(two)})`
  t.match(apart?.context, { informees: `Set(${dora}, ${emil})`, synchronizers: both })
  t.strictSame(
    refused(() => submit([dora, emil], note(dora))),
    ['SUBMITTERS_NOT_ACTIVE', 'routing'],
    'the second submitter is only looked at when the transaction is routed',
  )
  const joint = { first: dora, second: emil, observers: [] }
  t.strictSame(
    refused(() => submit([dora, emil], create('Joint', joint))),
    ['SUBMITTERS_NOT_ACTIVE', 'service'],
    'but when the transaction needs his authority, it is asked for by itself',
  )
  t.equal(submit([alice, dora], note(dora)).synchronizerId, one.id)
})

t.test('parties that can submit and parties that are meant to learn of it, but nowhere both', async (t) => {
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

t.test('a synchronizer that is asked for and cannot be had', async (t) => {
  const { ledger, submit, two, dora } = twoEnvironment()
  const before = ledger.end
  const unknown = detailsOf(() => submit(dora, note(dora), { prescribed: 'other::1220' }))
  t.match(unknown, { code: 'INVALID_PRESCRIBED_SYNCHRONIZER_ID', origin: 'service' })
  t.match(unknown?.context, { synchronizerId: 'other::1220', reason: /ensure the node is connected to other::1220/ })
  const code = refused(() => submit(dora, note(dora), { prescribed: two.id }))
  t.strictSame(code, ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'service'])
  t.equal(ledger.end, before)
})

t.test('packages are vetted on each synchronizer by itself', async (t) => {
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
    'a contract that need not move is used where it is, or not at all',
  )
  t.equal(
    submit(alice, exercise(kept ?? '', ['Note', 'Archive']), { prescribed: two.id }).synchronizerId,
    two.id,
    'unless it is asked for elsewhere',
  )
})

const jointOf = (environment: TwoEnvironment, home: Synchronizer, observers: string[] = []): string => {
  const argument = { first: environment.carol, second: environment.carol, observers }
  return createdIds(environment.submit(environment.carol, create('Joint', argument), { prescribed: home.id }))[0] ?? ''
}

t.test('a contract moves to the synchronizer on which it is used', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol } = environment
  const id = jointOf(environment, one)
  t.equal(ledger.homeOf(id), one)
  t.equal(submit(carol, touch(id)).synchronizerId, one.id, 'it stays where it is')
  const before = ledger.end
  t.equal(submit(carol, touch(id), { prescribed: two.id }).synchronizerId, two.id)
  t.ok(ledger.end > before + 3, 'moving takes offsets')
  t.equal(ledger.homeOf(id), two)
  t.equal(submit(carol, touch(id)).synchronizerId, two.id, 'and stays there')
  submit(carol, touch(id), { prescribed: one.id })
  const stored = ledger.stored(id)
  if (!stored) throw new Error('the contract was there')
  t.strictSame(assignmentOf(stored), { synchronizerId: one.id, reassignmentCounter: 2 })
  t.strictSame(assignmentOf(stored, before), { synchronizerId: one.id, reassignmentCounter: 0 })
  submit(carol, exercise(id, ['Joint', 'Archive']))
  t.equal(ledger.homeOf(id), undefined)
})

t.test('contracts on several synchronizers meet where the fewest have to move to', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol, emil } = environment
  const [first, second, third] = [jointOf(environment, one), jointOf(environment, two), jointOf(environment, two)]
  const used = [touch(first), touch(second), touch(third)]
  t.equal(submit(carol, used).synchronizerId, two.id)
  t.equal(ledger.homeOf(first), two)
  const [fourth, bound] = [jointOf(environment, one), jointOf(environment, two, [emil])]
  t.equal(submit(carol, [touch(fourth), touch(bound)]).synchronizerId, two.id, 'emil is only there')
  t.equal(ledger.homeOf(fourth), two)
  const [fifth, sixth] = [jointOf(environment, one), jointOf(environment, two)]
  t.equal(submit(carol, [touch(fifth), touch(sixth)]).synchronizerId, one.id, 'the first of two that are as good')
})

t.test('contracts that cannot move', async (t) => {
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
    'dora is not on the second synchronizer',
  )
  const nowhere = ['NO_SYNCHRONIZER_FOR_SUBMISSION', 'service'] as const
  t.strictSame(
    refused(() => submit(carol, touch(held), { prescribed: two.id })),
    nowhere,
    'a template that is named by its id makes a second pass, which ranks the synchronizers',
  )
  t.strictSame(
    refused(() => submit(carol, [touch(held), touch(there)])),
    nowhere,
  )
  const contract = ledger.contract(free)
  if (!contract) throw new Error('the contract is active')
  const disclosed = (synchronizerId: string): Disclosed[] => [{ contract, synchronizerId }]
  const leave = exercise(free, ['Joint', 'Leave'], { party: alice })
  t.strictSame(
    refused(() => submit(alice, leave, { disclosed: disclosed(two.id) })),
    ['SUBMITTER_ALWAYS_STAKEHOLDER', 'routing'],
    'alice has no stake in it',
  )
  t.strictSame(
    refused(() => submit(alice, leave, { disclosed: disclosed(''), prescribed: two.id })),
    nowhere,
  )
  t.equal(ledger.end, before)
  t.strictSame([ledger.homeOf(held), ledger.homeOf(there), ledger.homeOf(free)], [one, two, one], 'nothing has moved')
  t.equal(submit(alice, leave, { disclosed: disclosed('') }).synchronizerId, one.id)
})

t.test('what a disclosed contract says of its synchronizer counts as asked for, if the contract is used', async (t) => {
  const environment = twoEnvironment()
  const { ledger, submit, one, two, carol } = environment
  const [x, y] = [jointOf(environment, one), jointOf(environment, two)]
  const disclose = (id: string, { id: synchronizerId }: Synchronizer): Disclosed => {
    const contract = ledger.contract(id)
    if (!contract) throw new Error('the contract is active')
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
  t.equal(submit(carol, touch(x), { disclosed: [disclose(x, two)] }).synchronizerId, two.id, 'it moves there')
  t.strictSame(
    refused(() => submit(carol, touch(x), { disclosed: [{ ...disclose(x, two), synchronizerId: 'other::1220' }] })),
    ['INVALID_PRESCRIBED_SYNCHRONIZER_ID', 'routing'],
  )
})

t.test('a contract that is on its way to another synchronizer is locked', async (t) => {
  const environment = twoEnvironment()
  const { submit, acquire, two, one, carol } = environment
  const id = jointOf(environment, one)
  const flight = acquire(carol, touch(id), { prescribed: two.id })
  t.strictSame(
    refused(() => submit(carol, touch(id))),
    ['LOCAL_VERDICT_LOCKED_CONTRACTS', 'service'],
  )
  t.equal(flight.commit().synchronizerId, two.id)
  t.equal(submit(carol, touch(id)).synchronizerId, two.id)
})
