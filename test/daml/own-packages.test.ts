/** Packages of users: at the start, uploaded, listed, and in saved states. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { readDar } from '../../daml/archive/dar.js'
import type { LedgerCommand } from '../../simulator/ledger/interpret/command.js'
import { acquireCommands } from '../../simulator/ledger/submit/acquire.js'
import { createParticipant, SettingError, serve, startSimulator } from '../../simulator/simulator.js'
import { createCommand, createdIn, exerciseCommand, resultOf, submit } from '../support/ledgers/model-calls.js'
import { readPackage } from '../support/ledgers/model-packages.js'
import { runSlices } from '../support/ledgers/run-slices.js'
import { environmentOf, objectIn, simulatorEnvironment, submitPath } from '../support/ledgers/simulator-environment.js'
import { readPackageText } from '../support/lf-text/package.js'
import { conform } from '../support/processes/conform-process.js'
import { recordOf } from '../support/suites/choice-run.js'

const named = (name: string) => ({ name, bytes: readPackage(name) })

t.test('DARs given at the start are usable immediately', async (t) => {
  const packages = [named('conformance-upgrade-1.0.0.dar'), named('conformance-upgrade-1.1.0.dar')]
  const environment = await simulatorEnvironment(t, { packages, synchronizers: 2 })
  const { alice } = environment
  const upgradable = '#conformance-upgrade:ConformanceUpgrade:Upgradable'
  const made = await submit(environment, alice, createCommand(upgradable, { owner: alice, text: 'hello' }))
  const { contractId } = createdIn(made)
  t.equal(resultOf(await submit(environment, alice, exerciseCommand(upgradable, contractId, 'Read'))), '1.1.0: hello')
  const { packageIds } = objectIn(await environment.wire.send({ method: 'GET', path: '/v2/packages' }))
  t.match(packageIds, { length: 3 }, 'with the built-in package')
})

t.test('a rejected DAR is reported with its name and fault', async (t) => {
  const start = (...files: string[]) => startSimulator({ packages: files.map(named) })
  await t.rejects(startSimulator({ packages: [{ name: 'x.dar', bytes: Buffer.from('x') }] }), {
    name: 'SettingError',
    message: /^packages: x\.dar: INVALID_DAR: Dar file is corrupt: the DAR is not a readable zip file/,
  })
  await t.rejects(start('conformance-upgrade-1.0.0.dar', 'conformance-upgrade-1.2.0.dar'), SettingError)
  await t.rejects(start('conformance-upgrade-1.0.0.dar', 'conformance-upgrade-1.2.0.dar'), {
    message: /template Upgradable has changed the types of some of its original fields/,
  })
})

t.test('simulators of a process decode a package once', async (t) => {
  const packages = [named('conformance-known-1.0.0-a.dar')]
  const participants = [await createParticipant({ packages }), await createParticipant({ packages })]
  const contents = participants.map(
    ({ ledger }) => ledger.packages.all().find(({ name }) => name === 'conformance-known')?.content,
  )
  t.ok(contents[0])
  t.equal(contents[0], contents[1])
})

t.test('the command accepts DARs, and reports the fault of an invalid one', async (t) => {
  const file = join(t.testdir({ 'bad.dar': 'no DAR' }), 'bad.dar')
  const { code, stderr } = await conform('simulate', '--port', '0', '--package', file)
  t.equal(code, 2)
  t.match(stderr, /package: .*bad\.dar: INVALID_DAR/)
})

t.test('uploaded packages are part of a saved state', async (t) => {
  const first = await createParticipant({ packages: [named('conformance-known-1.0.0-a.dar')] })
  const { saveState } = await import('../../simulator/participant/state-document.js')
  const again = await createParticipant({ state: JSON.stringify(saveState(first)) })
  const known = '#conformance-known:ConformanceKnown:Known'
  const environment = await environmentOf(t, await serve(again))
  const made = await submit(
    environment,
    environment.alice,
    createCommand(known, { owner: environment.alice, text: 'hello' }),
  )
  const read = exerciseCommand(known, createdIn(made).contractId, 'Read')
  t.equal(resultOf(await submit(environment, environment.alice, read)), 'a: hello')
})

t.test('the bytes of a package can be downloaded, and their hash is its id', async (t) => {
  const dar = named('conformance-dependent-1.0.0.dar')
  const environment = await simulatorEnvironment(t, { packages: [dar], control: true })
  const download = (id: string) =>
    fetch(`${environment.url}/v2/packages/${id}`, { headers: { accept: 'application/octet-stream' } })
  const { main, dependencies } = readDar(dar.bytes)
  for (const { packageId, bytes } of [main, ...dependencies]) {
    const answer = await download(packageId)
    t.equal(answer.headers.get('content-type'), 'application/octet-stream')
    t.equal(answer.headers.get('canton-package-hash'), packageId)
    const found = Buffer.from(await answer.arrayBuffer())
    t.ok(found.equals(bytes))
    t.equal(createHash('sha256').update(found).digest('hex'), packageId)
  }
  t.equal((await download('ab'.repeat(32))).status, 404)
})

const endless = `
metadata ( 'endless' : '1.0.0' )
module M {
  record @serializable Archive = {};
  record @serializable T = { owner: Party };
  record @serializable Count = { goal: Int64 };
  record @serializable Nest = { depth: Int64 };
  val one : Party -> List Party = \\(party: Party) -> Cons @Party [party] (Nil @Party);
  val count : Int64 -> Int64 -> Int64 = \\(goal: Int64) (sum: Int64) ->
    case EQUAL @Int64 goal sum of True -> sum | False -> M:count goal (ADD_INT64 sum 1);
  val fall : Int64 -> Int64 = \\(depth: Int64) ->
    case EQUAL @Int64 depth 0 of True -> 0 | False -> ADD_INT64 1 (M:fall (SUB_INT64 depth 1));
  template (this : T) = {
    precondition True;
    signatories M:one (M:T {owner} this);
    observers Nil @Party;
    choice @nonConsuming Count (self) (arg: M:Count) : Int64
      , controllers M:one (M:T {owner} this)
      , observers Nil @Party
      to upure @Int64 (M:count (M:Count {goal} arg) 0);
    choice @nonConsuming Nest (self) (arg: M:Nest) : Int64
      , controllers M:one (M:T {owner} this)
      , observers Nil @Party
      to case EQUAL @Int64 (M:Nest {depth} arg) 0 of
          True -> upure @Int64 (M:fall 10000)
        | False -> exercise @M:T Nest self (M:Nest { depth = SUB_INT64 (M:Nest {depth} arg) 1 });
  };
}`

async function endlessParticipant() {
  // On a slow machine, an endless program lasts longer than the default limit.
  const participant = await createParticipant({ control: true, answerLimit: 600_000 })
  const metadata = { id: 'ab'.repeat(32), name: 'endless', version: '1.0.0', language: '2.1' } as const
  const held = { ...metadata, bytes: undefined, content: readPackageText(endless, metadata.id, '2.1') }
  participant.ledger.upload([held], participant.ledger.synchronizers[0])
  return participant
}

t.test('an endless program is rejected, and other requests are answered meanwhile', async (t) => {
  const environment = await environmentOf(t, await serve(await endlessParticipant()))
  const { alice, wire } = environment
  const made = await submit(environment, alice, createCommand('#endless:M:T', { owner: alice }))
  const { contractId } = createdIn(made)
  const on = (choice: string, argument: Record<string, string>) =>
    submit(environment, alice, exerciseCommand('#endless:M:T', contractId, choice, argument))
  t.equal(resultOf(await on('Nest', { depth: '100' })), '10000', 'nested exercises and calls')

  const order: string[] = []
  const hopeless = on('Count', { goal: '-1' }).then(({ code }) => order.push(code.replace(/^\d+ /, '')))
  for (let count = 0; count < 4; count += 1) {
    const { status } = await wire.post(submitPath, environment.submission())
    order.push(String(status))
  }
  await hopeless
  t.strictSame(order, ['200', '200', '200', '200', 'INTERPRETATION_TIME_EXCEEDED'])
})

t.test('twelve thousand nested exercises run in short slices', async (t) => {
  const { ledger } = await endlessParticipant()
  const [home] = ledger.synchronizers
  const owner = ledger.partyIdOf('alice')
  if (home) ledger.allocateParty('alice', home)
  const id = { packageId: 'ab'.repeat(32), module: 'M', entity: 'T' }
  const template = ledger.packages.template(id)
  const choice = ledger.packages.choice(id, 'Nest')
  if (!template || !choice) throw new Error('the package has both')
  const submission = (commandId: string, command: LedgerCommand) =>
    acquireCommands(ledger, {
      userId: 'user',
      commandId,
      submissionId: commandId,
      workflowId: '',
      actAs: [owner],
      readAs: [],
      packageNames: [],
      disclosed: [],
      prescribed: '',
      preference: [],
      traceId: 'ab'.repeat(16),
      commands: [command],
    })
  const argument = recordOf(template.argument, { owner })
  const made = runSlices(submission('make', { kind: 'create', template, argument }))()
  const [contractId] = made.nodes.map(({ contract }) => contract.id)
  if (contractId === undefined) throw new Error('a contract was created')
  const work = submission('nest', {
    kind: 'exercise',
    contractId,
    target: { template, choice },
    argument: recordOf(choice.argument, { depth: '12000' }),
  })
  let slices = 1
  let part = work.next()
  for (; !part.done; part = work.next()) slices += 1
  t.equal(part.value().nodes.length, 12_001)
  t.ok(slices > 10, `${slices} slices`)
})
