/** The catalogue of mutants, and that each of its switch points does what its name says. That the suite finds them is proven by `conform prove`. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { loadSuite } from '../../runner/load/load-suite.js'
import { enforcedRules } from '../../simulator/base/checks.js'
import { allMutants, allVariants, startSimulator, UnknownName } from '../../simulator/simulator.js'
import { adminClaims, bearer, sign } from '../support/ledgers/guarded-environment.js'
import {
  createdContract,
  lookUpPath,
  simulatorEnvironment,
  submitPath,
} from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'

const suites = fileURLToPath(new URL('../../../suites/', import.meta.url))
const mutants = await allMutants()

t.test('each mutant breaks one rule that there is, at a switch point', async (t) => {
  const { rules } = await loadSuite(suites)
  const testable = new Set(
    [...rules.values()].filter(({ strength }) => strength === 'must' || strength === 'should').map(({ id }) => id),
  )
  t.ok(mutants.length >= 250, `${mutants.length} mutants`)
  t.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length, 'each has a name of its own')
  t.strictSame(
    mutants.filter(({ rule }) => !testable.has(rule)).map(({ name, rule }) => `${name}: ${rule}`),
    [],
  )
  for (const { name, sentence, without, interceptor, seenAs, decisions } of mutants) {
    if (!/^[a-z0-9-]+$/.test(name) || sentence === '') t.fail(`${name}: named and told`)
    if (![without, interceptor, seenAs, decisions].some(Boolean)) t.fail(`${name}: is otherwise at no switch point`)
  }
})

t.test('every check that the simulator makes is left out by one of them, unless it is only permitted', async (t) => {
  const leftOut = mutants.flatMap(({ without }) => without ?? [])
  const { rules } = await loadSuite(suites)
  const obliging = enforcedRules().filter((rule) => rules.get(rule)?.strength !== 'may')
  t.strictSame(leftOut.toSorted(), obliging)
  t.ok(leftOut.length > 40)
})

t.test('a check that is left out', async (t) => {
  const { wire, submission } = await simulatorEnvironment(t, { mutant: 'without-saw-workflow-id-ledger-string' })
  t.equal((await wire.post(submitPath, submission({ workflowId: '!' }))).status, 200)
})

t.test('an answer that is otherwise at the door', async (t) => {
  const { wire, submission } = await simulatorEnvironment(t, { mutant: 'submitted-update-id-empty' })
  t.match((await wire.post(submitPath, submission())).json(), { updateId: '', completionOffset: Number })
})

t.test('a call that is otherwise at the door', async (t) => {
  const environment = await simulatorEnvironment(t, { mutant: 'everything-found' })
  const { contractId } = await createdContract(environment)
  const answer = await environment.wire.post(lookUpPath, { contractId, queryingParties: ['stranger'] })
  t.equal(at(answer.json(), '/createdEvent/contractId'), contractId)
})

t.test('a path that is otherwise at the door', async (t) => {
  const { wire, submission } = await simulatorEnvironment(t, { mutant: 'without-version-submit-and-wait' })
  t.equal((await wire.post('/commands/submit-and-wait', submission())).status, 200)
})

t.test('a caller who is taken for another', async (t) => {
  const options = { mutant: 'no-token-needed', authorization: 'hs256:a secret of thirty-two bytes and more' }
  const environment = await simulatorEnvironment(t, options, bearer(await sign(adminClaims())))
  t.equal((await environment.wire.post(submitPath, environment.submission())).status, 200)
})

t.test('a decision of the ledger', async (t) => {
  const { wire, submission, alice, bob } = await simulatorEnvironment(t, { mutant: 'change-id-without-the-parties' })
  const first = await wire.post(submitPath, submission({ commandId: 'one', actAs: [alice] }))
  const second = await wire.post(submitPath, submission({ commandId: 'one', actAs: [alice, bob] }))
  t.strictSame([first.status, second.status], [200, 409])
})

t.test('something that happens now and then', async (t) => {
  const { wire, submission } = await simulatorEnvironment(t, {
    mutant: 'no-members-submit-and-wait-every-third-time',
  })
  const texts: string[] = []
  for (let count = 0; count < 3; count += 1) texts.push((await wire.post(submitPath, submission())).text)
  t.strictSame(
    texts.map((text) => text === '{}'),
    [false, false, true],
  )
})

t.test('names that nobody bears', async (t) => {
  await t.rejects(startSimulator({ mutant: 'everything-fond' }), {
    name: 'UnknownName',
    message: 'there is no mutant "everything-fond"; did you mean "everything-found"?',
  })
  await t.rejects(startSimulator({ variants: ['x'] }), UnknownName)
  t.ok((await allVariants()).length >= 30)
})
