/** Exceptions in transactions: caught ones, rolled back effects, and uncatchable ones. */
import t, { type Test } from 'tap'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { createParticipant, serve } from '../../../simulator/simulator.js'
import { createCommand, createdIn, exerciseCommand, resultOf, submit } from '../../support/ledgers/model-calls.js'
import { environmentOf, objectIn, textAt } from '../../support/ledgers/simulator-environment.js'
import { readPackageText } from '../../support/lf-text/package.js'

const choice = (name: string, result: string, update: string) => `
    choice @nonConsuming ${name} (self) (arg: M:${name}) : ${result}
      , controllers M:one (M:T {owner} this)
      , observers Nil @Party
      to ${update};`

/** Runs the update; the message of an exception becomes its result. */
const caught = (update: string) =>
  `try @Text (${update}) catch e -> Some @(Update Text) (upure @Text (ANY_EXCEPTION_MESSAGE e))`
const thrown = 'throw @(Update Text) @M:Oops (M:Oops { message = "oops" })'

const choices: Record<string, [result: string, update: string]> = {
  Catch: ['Text', caught(thrown)],
  Divide: ['Text', caught('ubind x : Int64 <- upure @Int64 (DIV_INT64 7 0) in upure @Text (INT64_TO_TEXT x)')],
  Fetch: [
    'Text',
    `ubind text : Text <- ${`(${caught(`ubind x : M:T <- fetch_template @M:T self in ${thrown}`)})`}; c : ContractId M:T <- create @M:T this in upure @Text text`,
  ],
  Nested: [
    'Text',
    `ubind text : Text <- (${caught(`ubind x : Unit <- exercise @M:T Idle self (M:Idle {}) in ${thrown}`)}); x : Unit <- exercise @M:T Idle self (M:Idle {}) in upure @Text text`,
  ],
  Idle: ['Unit', 'upure @Unit ()'],
  Create: ['Text', caught(`ubind c : ContractId M:T <- create @M:T this in ${thrown}`)],
  Consume: ['Text', caught(`ubind x : Unit <- exercise @M:T Archive self (M:Archive {}) in ${thrown}`)],
  Pass: ['Text', `try @Text (${thrown}) catch e -> None @(Update Text)`],
  Inner: ['Text', caught(`try @Text (${thrown}) catch e -> None @(Update Text)`)],
  Status: [
    'Text',
    caught('FAIL_WITH_STATUS @(Update Text) "id" INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER "m" (TEXTMAP_EMPTY @Text)'),
  ],
  Number: ['Text', caught('FAIL_WITH_STATUS @(Update Text) "id" 77 "m" (TEXTMAP_EMPTY @Text)')],
  Abort: ['Text', caught('ERROR @(Update Text) "abort"')],
  Twice: [
    'Unit',
    'ubind x : Unit <- exercise @M:T Archive self (M:Archive {}) in exercise @M:T Archive self (M:Archive {})',
  ],
  Quiet: [
    'Text',
    `try @Text (ubind c : ContractId M:T <- create @M:T this in upure @Text "made") catch e -> None @(Update Text)`,
  ],
}

const source = `
metadata ( 'exceptions' : '1.0.0' )
module M {
  record @serializable Archive = {};
  record @serializable Oops = { message: Text };
  exception Oops = { message \\(e: M:Oops) -> M:Oops {message} e };
  record @serializable T = { owner: Party };
  ${Object.keys(choices)
    .map((name) => `record @serializable ${name} = {};`)
    .join('\n  ')}
  val one : Party -> List Party = \\(party: Party) -> Cons @Party [party] (Nil @Party);
  template (this : T) = {
    precondition True;
    signatories M:one (M:T {owner} this);
    observers Nil @Party;
    choice Archive (self) (arg: M:Archive) : Unit
      , controllers M:one (M:T {owner} this)
      , observers Nil @Party
      to upure @Unit ();
    ${Object.entries(choices)
      .map(([name, [result, update]]) => choice(name, result, update))
      .join('')}
  };
}`

async function environment(t: Test) {
  const participant = await createParticipant()
  const metadata = { id: 'cd'.repeat(32), name: 'exceptions', version: '1.0.0', language: '2.1' } as const
  const held = { ...metadata, bytes: undefined, content: readPackageText(source, metadata.id, '2.1') }
  participant.ledger.upload([held], participant.ledger.synchronizers[0])
  const made = await environmentOf(t, await serve(participant))
  const { alice } = made
  const { contractId } = createdIn(await submit(made, alice, createCommand('#exceptions:M:T', { owner: alice })))
  return {
    made,
    contractId,
    on: (name: string) => submit(made, alice, exerciseCommand('#exceptions:M:T', contractId, name)),
  }
}

t.test('handlers catch exceptions, but no failures', async (t) => {
  const { on } = await environment(t)
  t.equal(resultOf(await on('Catch')), 'oops')
  t.equal(resultOf(await on('Divide')), 'ArithmeticError while evaluating (DIV_INT64 7 0).')
  t.equal(resultOf(await on('Inner')), 'oops', 'the outer handler catches the exception that the inner one passes on')
  t.equal(resultOf(await on('Quiet')), 'made', 'without an exception the create is kept')
  const passed = await on('Pass')
  t.equal(passed.code, '400 DAML_FAILURE')
  t.match(passed.body, { context: { error_id: 'UNHANDLED_EXCEPTION/M:Oops', category: '9' } })
  t.match((await on('Status')).body, { code: 'DAML_FAILURE', context: { error_id: 'id' } })
  t.match((await on('Number')).body, { context: { category: '9' } }, 'no category has this number')
  t.equal((await on('Abort')).code, '400 INTERPRETATION_USER_ERROR')
})

t.test('rolled back fetches and choices leave gaps among the node ids', async (t) => {
  const { on } = await environment(t)
  const ids = async (name: string) =>
    (await on(name)).events.map(([, event]) => [event['nodeId'], event['lastDescendantNodeId'] ?? null])
  // 1 is the rollback node, 2 the fetch in it.
  t.strictSame(await ids('Fetch'), [
    [0, 3],
    [3, null],
  ])
  t.strictSame(await ids('Nested'), [
    [0, 3],
    [3, 3],
  ])
  t.strictSame(await ids('Quiet'), [
    [0, 1],
    [1, null],
  ])
})

t.test('a rollback of a create or an archive is rejected', async (t) => {
  const { on } = await environment(t)
  t.equal((await on('Create')).code, '400 DAML_EFFECTFUL_ROLLBACK_ERROR')
  t.equal((await on('Consume')).code, '400 DAML_EFFECTFUL_ROLLBACK_ERROR')
  t.equal((await on('Twice')).code, '404 CONTRACT_NOT_ACTIVE')
  t.equal((await on('Idle')).code, '200', 'the contract is still active')
})

t.test('a prepared transaction contains rolled back nodes', async (t) => {
  const { made, contractId } = await environment(t)
  const command = exerciseCommand('#exceptions:M:T', contractId, 'Fetch')
  const request = { actAs: [made.alice], commands: [command], commandId: 'prepared', userId: 'user' }
  const more = {
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
    synchronizerId: '',
    packageIdSelectionPreference: [],
  }
  const answer = objectIn(await made.wire.post('/v2/interactive-submission/prepare', { ...request, ...more }))
  const bytes = Buffer.from(textAt(answer, 'preparedTransaction'), 'base64')
  const { transaction } = decodePreparedTransaction(bytes)
  t.strictSame(
    transaction.nodes.map(({ nodeId, node }) => [nodeId, node.kind, 'children' in node ? node.children : []]),
    [
      ['2', 'fetch', []],
      ['1', 'rollback', ['2']],
      ['3', 'create', []],
      ['0', 'exercise', ['1', '3']],
    ],
  )
})
