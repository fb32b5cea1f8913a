/** Submissions, choices and visibility on the ledger. */
import t from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import { createEntropy } from '../../../simulator/ledger/state/entropy.js'
import {
  create,
  createAndExercise,
  createdIds,
  createNodes,
  exercise,
  exerciseByKey,
  exerciseInterface,
  exerciseNodes,
  type LedgerEnvironment,
  ledgerEnvironment,
  outcome,
  refusalOf,
} from '../../support/ledgers/ledger-environment.js'
import { conformanceModel, modelStore, templateOf } from '../../support/ledgers/model-packages.js'
import fc from '../../support/records/properties.js'
import { activeIds, checkAgainstModel } from './ledger-against-model.js'
import { submissions } from './ledger-model.js'

const resultOf = (transaction: ReturnType<LedgerEnvironment['submit']>) => {
  const [first] = exerciseNodes(transaction)
  const choice = first && modelStore.choice(first.interface ?? first.template, first.choice)
  return choice && first.result ? encodeDaml(choice.result, first.result) : undefined
}

t.test('the commands of a submission take effect together or not at all', async (t) => {
  const { ledger, submit, attempt, create: made, alice, bob } = ledgerEnvironment()
  const note = made(alice, 'Note', { author: alice, readers: [], text: 'one' })
  const newNote = create('Note', { author: alice, readers: [], text: 'two' })
  const [before, end] = [activeIds(ledger), ledger.end]
  const failing = [
    [newNote, exercise(note, ['Note', 'Archive']), create('Guarded', { owner: alice, amount: '0' })],
    [exercise(note, ['Note', 'Archive']), exercise(note, ['Note', 'Archive'])],
    [newNote, create('Note', { author: bob, readers: [], text: 'not mine' })],
  ]
  const codes = failing.map((commands) => attempt(alice, commands))
  t.strictSame(codes, ['TEMPLATE_PRECONDITION_VIOLATED', 'CONTRACT_NOT_ACTIVE', 'DAML_AUTHORIZATION_ERROR'])
  t.strictSame([activeIds(ledger), ledger.end], [before, end], 'the ledger is unchanged')
  const transaction = submit(alice, [newNote, exercise(note, ['Note', 'Archive']), newNote])
  t.strictSame(activeIds(ledger), createdIds(transaction).sort())
  t.equal(createdIds(transaction).length, 2)
})

t.test('each kind of command adds its nodes', async (t) => {
  const { submit, attempt, create: made, alice } = ledgerEnvironment()
  const keyed = { owner: alice, observers: [], id: 'k', text: 'hello' }
  const [created] = createNodes(submit(alice, create('Keyed', keyed)))
  t.match(created?.contract, { signatories: [alice], observers: [], packageName: 'conformance-model-keys' })
  const id = created?.contract.id ?? ''
  t.equal(resultOf(submit(alice, exercise(id, ['Keyed', 'Read']))), 'hello')
  t.equal(resultOf(submit(alice, exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Read'))), 'hello')
  const both = submit(alice, createAndExercise(['Keyed', 'Rekey'], { ...keyed, id: 'x' }, { id: 'y' }))
  t.strictSame(
    both.nodes.map(({ id, kind }) => [id, kind]),
    [
      [0, 'create'],
      [1, 'exercise'],
      [2, 'create'],
    ],
  )
  t.equal(exerciseNodes(both)[0]?.lastDescendant, 2)
  const guarded = made(alice, 'Guarded', { owner: alice, amount: '5' })
  t.equal(resultOf(submit(alice, exercise(guarded, ['Guarded', 'Spend'], { amount: '5' }))), null)
  t.equal(attempt(alice, exercise(guarded, ['Keyed', 'Read'])), 'CONTRACT_NOT_FOUND', 'the contract is archived')
})

t.test('a failing choice returns its error id, and choices read the ledger time', async (t) => {
  const { submit, create: made, alice } = ledgerEnvironment()
  const sample = {
    owner: alice,
    text: '',
    int: '0',
    decimal: '0',
    bool: true,
    date: '2030-01-01',
    time: '2030-01-01T00:00:00Z',
    unit: {},
    optionalText: null,
    nestedOptional: [],
    list: [],
    textMap: {},
    genMap: [],
    enum: 'Red',
    record: { a: '1', b: '' },
    variant: { tag: 'Empty', value: {} },
  }
  const id = made(alice, 'AllTypes', sample)
  const now = submit(alice, exercise(id, ['AllTypes', 'Now']))
  t.strictSame(exerciseNodes(now)[0]?.result, { kind: 'timestamp', value: now.effectiveAt })
  const argument = { errorId: 'mine', message: 'no' }
  t.match(
    refusalOf(() => submit(alice, exercise(id, ['AllTypes', 'FailWithStatus'], argument))),
    {
      details: { code: 'DAML_FAILURE', category: 8, context: { error_id: 'mine', choice: 'FailWithStatus' } },
    },
  )
  const later = now.effectiveAt + 3_600_000_000n
  const bound = submit(alice, exercise(id, ['AllTypes', 'Now']), { minLedgerTime: later })
  t.equal(bound.effectiveAt, later, 'the ledger time respects its lower bound')
})

t.test('only controllers exercise choices, and only signatories create contracts', async (t) => {
  const { submit, attempt, create: made, alice, bob, carol } = ledgerEnvironment()
  const joint = { first: alice, second: bob, observers: [carol] }
  t.equal(attempt(alice, create('Joint', joint)), 'DAML_AUTHORIZATION_ERROR')
  const id = made([alice, bob], 'Joint', joint)
  t.equal(attempt(alice, exercise(id, ['Joint', 'Touch'])), 'DAML_AUTHORIZATION_ERROR')
  t.equal(attempt([bob, alice], exercise(id, ['Joint', 'Touch'])), 'accepted')
  t.equal(attempt(bob, exercise(id, ['Joint', 'Archive'])), 'DAML_AUTHORIZATION_ERROR')
  const leave = exercise(id, ['Joint', 'Leave'], { party: carol })
  t.equal(attempt(alice, leave), 'DAML_AUTHORIZATION_ERROR', 'the argument names the controller')
  const [left] = exerciseNodes(submit(carol, leave))
  t.match(left, { acting: [carol], consuming: true, witnesses: [alice, bob, carol] })
  t.equal(attempt([alice, bob], exercise(id, ['Joint', 'Touch'])), 'CONTRACT_NOT_FOUND')
})

t.test('a contract is visible to its stakeholders, acting or reading', async (t) => {
  const { submit, attempt, create: made, alice, bob, carol } = ledgerEnvironment()
  const note = made(alice, 'Note', { author: alice, readers: [], text: 'secret' })
  const delegation = made(alice, 'Delegation', { principal: alice, agent: bob })
  const fetch = exercise(delegation, ['Delegation', 'FetchNote'], { note })
  t.equal(attempt(carol, exercise(note, ['Note', 'Archive'])), 'CONTRACT_NOT_FOUND')
  const reading = attempt(carol, exercise(note, ['Note', 'Archive']), { readAs: [alice] })
  t.equal(reading, 'DAML_AUTHORIZATION_ERROR', 'reading does not authorize')
  t.equal(attempt(bob, fetch), 'CONTRACT_NOT_FOUND')
  t.strictSame(resultOf(submit(bob, fetch, { readAs: [alice] })), { author: alice, readers: [], text: 'secret' })
  const forAlice = submit(bob, exercise(delegation, ['Delegation', 'CreateFor'], { text: 'for alice' }))
  t.match(createNodes(forAlice)[0]?.contract, { signatories: [alice], observers: [bob] })
  t.strictSame(createNodes(forAlice)[0]?.witnesses, [alice, bob])
})

t.test('submissions of unknown and external parties are rejected', async (t) => {
  const { ledger, home, attempt, alice, bob } = ledgerEnvironment()
  const note = (author: string, readers: string[] = []) => create('Note', { author, readers, text: '' })
  t.equal(attempt('zoe::12', note('zoe::12')), 'UNKNOWN_SUBMITTERS')
  t.equal(attempt([alice, 'zoe::12'], note(alice)), 'UNKNOWN_SUBMITTERS')
  t.equal(attempt(alice, note(alice, ['zoe::12'])), 'UNKNOWN_INFORMEES')
  t.equal(attempt(alice, note(alice), { readAs: ['zoe::12'] }), 'accepted')
  ledger.hostExternalParty({ party: 'eve::12', keys: [], threshold: 1 }, home)
  t.equal(attempt(alice, note(alice, ['eve::12', bob])), 'accepted')
  const asEve = attempt('eve::12', note('eve::12'))
  t.equal(asEve, 'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', 'an external party signs its submissions')
})

t.test('an interface choice runs on each template that implements the interface', async (t) => {
  const { ledger, submit, attempt, create: made, alice, bob } = ledgerEnvironment()
  const [holding] = conformanceModel.interfaces
  if (!holding) throw new Error('the model has no interface')
  const asset = made(alice, 'Asset', { issuer: alice, owner: bob, name: 'gold', amount: '3' })
  const rename = exerciseInterface(asset, holding, 'Rename', { name: 'silver' })
  t.equal(attempt(alice, rename), 'DAML_AUTHORIZATION_ERROR', 'the owner of the view is the controller')
  const [renamed] = createNodes(submit(bob, rename))
  t.match(renamed?.contract, { template: { entity: 'Asset' }, signatories: [alice], observers: [bob] })
  t.match(ledger.stored(asset), { archivedBy: { submission: { actAs: [bob] } } })
  const note = made(alice, 'Note', { author: alice, readers: [], text: '' })
  t.equal(attempt(alice, exerciseInterface(note, holding, 'Archive', {})), 'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE')
  t.equal(attempt(alice, exercise(note, ['Asset', 'Archive'])), 'WRONGLY_TYPED_CONTRACT')
})

t.test('the error for an unknown contract id depends on its form', async (t) => {
  const { submit, attempt, create: made, alice } = ledgerEnvironment()
  const real = made(alice, 'Note', { author: alice, readers: [], text: '' })
  const archive = (id: string) => attempt(alice, exercise(id, ['Note', 'Archive']))
  t.equal(archive(real.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))), 'CONTRACT_NOT_FOUND')
  t.equal(archive(`00${'ab'.repeat(32)}`), 'COMMAND_PREPROCESSING_FAILED', 'an id without a suffix')
  t.match(
    refusalOf(() => submit(alice, exercise(`00${'ab'.repeat(40)}`, ['Note', 'Archive']))),
    {
      reference: { grpc: 'INTERNAL' },
      proper: { details: { code: 'UNSUPPORTED_CONTRACT_ID' } },
    },
  )
})

t.test('a contract key finds the latest visible and active contract', async (t) => {
  const { submit, attempt, create: made, alice, bob } = ledgerEnvironment()
  const keyed = (text: string): JsonObject => ({ owner: alice, observers: [bob], id: 'k', text })
  const read = exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Read')
  const close = exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Close')
  t.equal(attempt(alice, read), 'CONTRACT_KEY_NOT_FOUND')
  made(alice, 'Keyed', keyed('first'))
  made(alice, 'Keyed', keyed('second'))
  t.equal(resultOf(submit(alice, read)), 'second', 'keys are not unique')
  t.equal(
    resultOf(submit(alice, [create('Keyed', keyed('third')), read])),
    'third',
    'contracts of the same submission count',
  )
  t.equal(attempt(bob, read), 'DAML_AUTHORIZATION_ERROR', 'an observer finds the contract')
  t.strictSame(resultOf(submit(alice, close)), {}, 'the choice archives the third contract')
  t.equal(resultOf(submit(alice, [read, close])), 'second')
  t.equal(attempt(alice, [close, read]), 'CONTRACT_KEY_NOT_FOUND', 'consumed within the submission')
  submit(alice, exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Rekey', { id: 'new' }))
  t.equal(resultOf(submit(alice, exerciseByKey('Keyed', { owner: alice, id: 'new' }, 'Read'))), 'first')
})

t.test('the key of an invisible contract is not found', async (t) => {
  const { attempt, create: made, alice, bob, carol } = ledgerEnvironment()
  made(alice, 'Keyed', { owner: alice, observers: [bob], id: 'k', text: '' })
  const read = exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Read')
  t.equal(attempt(carol, read), 'CONTRACT_KEY_NOT_FOUND')
  t.equal(attempt(carol, read, { readAs: [bob] }), 'DAML_AUTHORIZATION_ERROR')
})

t.test('protocol version 34 rejects contract keys', async (t) => {
  const { create: made, alice } = ledgerEnvironment({ protocolVersion: 34 })
  const keyed = { owner: alice, observers: [], id: 'k', text: '' }
  t.equal(
    outcome(() => made(alice, 'Keyed', keyed)),
    'ALLOWED_LANGUAGE_VERSIONS',
  )
})

t.test('another version of its package can use a contract', async (t) => {
  const { submit, attempt, create: made, alice } = ledgerEnvironment()
  const upgradable = ['Upgradable', 'Read'] as const
  const old = made(alice, 'Upgradable', { owner: alice, text: 'one' }, '1.0.0')
  const plain = made(alice, 'Upgradable', { owner: alice, text: 'two', note: null }, '1.1.0')
  const noted = made(alice, 'Upgradable', { owner: alice, text: 'three', note: 'n' }, '1.1.0')
  const read = (id: string, version: string) => attempt(alice, exercise(id, [...upgradable, version]))
  t.equal(resultOf(submit(alice, exercise(old, [...upgradable, '1.1.0']))), '1.1.0: one')
  t.equal(resultOf(submit(alice, exercise(plain, [...upgradable, '1.0.0']))), '1.0.0: two')
  t.equal(read(noted, '1.1.0'), 'accepted')
  t.equal(read(noted, '1.0.0'), 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED', 'the note would be lost')
  const annotated = submit(alice, exercise(old, ['Upgradable', 'Annotate', '1.1.0'], { note: 'new' }))
  t.equal(createNodes(annotated)[0]?.contract.template.packageId, templateOf('Upgradable', '1.1.0').id.packageId)
})

const note = (environment: LedgerEnvironment) => create('Note', { author: environment.alice, readers: [], text: '' })

t.test('a change id consists of user, acting parties and command id', async (t) => {
  const environment = ledgerEnvironment()
  const { submit, attempt, alice, bob } = environment
  const same = { commandId: 'same' }
  const again = (actAs: string[], more = {}) => attempt(actAs, note(environment), { ...same, ...more })
  const first = submit([alice, bob], note(environment), same)
  t.match(
    refusalOf(() => submit([alice, bob], note(environment), same)),
    {
      details: {
        code: 'DUPLICATE_COMMAND',
        category: 10,
        context: {
          completion_offset: String(first.offset),
          existingSubmissionId: 'Some(submission-1)',
          accepted: 'true',
        },
      },
    },
  )
  t.equal(again([bob, alice, bob]), 'DUPLICATE_COMMAND', 'acting parties are a set')
  t.equal(
    again([alice, bob], { submissionId: 'other', workflowId: 'w', readAs: [environment.carol] }),
    'DUPLICATE_COMMAND',
  )
  t.equal(again([alice]), 'accepted', 'other acting parties')
  t.equal(again([alice, bob], { userId: 'another' }), 'accepted')
})

t.test('a failed submission does not block its change id', async (t) => {
  const environment = ledgerEnvironment()
  const { attempt, alice, bob } = environment
  const same = { commandId: 'same' }
  t.equal(attempt(bob, note(environment), same), 'DAML_AUTHORIZATION_ERROR')
  t.equal(attempt(bob, create('Note', { author: bob, readers: [], text: '' }), same), 'accepted')
  t.equal(
    attempt(bob, note(environment), same),
    'DAML_AUTHORIZATION_ERROR',
    'authorization is checked before deduplication',
  )
  t.equal(attempt(alice, note(environment), same), 'accepted')
})

t.test('a deduplication period admits changes that are older', async (t) => {
  const environment = ledgerEnvironment()
  const { ledger, clock, attempt, alice } = environment
  const within = (seconds: number) => ({ kind: 'duration', nanos: BigInt(seconds) * 1_000_000_000n }) as const
  const since = (offset: number) => ({ kind: 'offset', offset: BigInt(offset) }) as const
  const again = (deduplication?: ReturnType<typeof within | typeof since>) =>
    attempt(alice, note(environment), { commandId: 'same', ...(deduplication && { deduplication }) })
  const before = ledger.end
  t.equal(again(), 'accepted')
  t.equal(again(within(60)), 'DUPLICATE_COMMAND')
  clock.advance(59_000)
  t.equal(again(within(60)), 'DUPLICATE_COMMAND')
  clock.advance(2_000)
  t.equal(again(within(100 * 86_400)), 'DUPLICATE_COMMAND', 'a longer period is accepted')
  t.equal(again(), 'DUPLICATE_COMMAND', 'without a period no change is too old')
  t.equal(again(since(before)), 'DUPLICATE_COMMAND', 'the change follows the offset')
  t.equal(again(within(60)), 'accepted')
  t.equal(again(within(60)), 'DUPLICATE_COMMAND', 'the period starts at the last accepted change')
  t.equal(again(since(ledger.end)), 'accepted', 'the change precedes the offset')
  t.equal(again(since(10 ** 9)), 'accepted', 'an offset in the future is accepted')
})

t.test('ids and offsets have the format of the reference participant', async (t) => {
  const environment = ledgerEnvironment()
  const transactions = Array.from({ length: 5 }, () => environment.submit(environment.alice, note(environment)))
  for (const transaction of transactions) {
    t.match(createdIds(transaction)[0], /^00[0-9a-f]{64}ca121220[0-9a-f]{64}$/)
    t.match(transaction.updateId, /^1220[0-9a-f]{64}$/)
    t.equal(environment.ledger.transaction(transaction.updateId), transaction)
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
