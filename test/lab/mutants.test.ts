/** The catalogue of mutants: names, rules, and overridden checks. */
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { UsageError } from '../../cli/console/exit-code.js'
import { findOverrides } from '../../lab/find-overrides.js'
import { mutants } from '../../lab/mutants/catalogue.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { enforcedRules } from '../../simulator/base/checks.js'
import { adminClaims, bearer, sign } from '../support/ledgers/guarded-environment.js'
import {
  createdContract,
  lookUpPath,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
} from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'

const suites = fileURLToPath(new URL('../../../suites/', import.meta.url))

const mutated = (t: Test, mutant: string): Promise<SimulatorEnvironment> =>
  simulatorEnvironment(t, { overrides: findOverrides({ mutant }) })

t.test('each mutant breaks one existing rule by an override', async (t) => {
  const { rules } = await loadSuite(suites)
  const testable = new Set(
    [...rules.values()].filter(({ strength }) => strength === 'must' || strength === 'should').map(({ id }) => id),
  )
  t.ok(mutants.length >= 250, `${mutants.length} mutants`)
  t.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length, 'unique names')
  t.strictSame(
    mutants.filter(({ rule }) => !testable.has(rule)).map(({ name, rule }) => `${name}: ${rule}`),
    [],
  )
  for (const { name, sentence, without, interceptor, seenAs, decisions } of mutants) {
    if (!/^[a-z0-9-]+$/.test(name) || sentence === '') t.fail(`${name}: wrong name or no sentence`)
    if (![without, interceptor, seenAs, decisions].some(Boolean)) t.fail(`${name}: no override`)
  }
})

t.test('a mutant skips each check of the simulator, except checks of may-rules', async (t) => {
  const skipped = mutants.flatMap(({ without }) => without ?? [])
  const { rules } = await loadSuite(suites)
  const mandatory = enforcedRules().filter((rule) => rules.get(rule)?.strength !== 'may')
  t.strictSame(skipped.toSorted(), mandatory)
  t.ok(skipped.length > 40)
})

t.test('without: skips a check', async (t) => {
  const { wire, submission } = await mutated(t, 'without-saw-workflow-id-ledger-string')
  t.equal((await wire.post(submitPath, submission({ workflowId: '!' }))).status, 200)
})

t.test('interceptor: alters an answer', async (t) => {
  const { wire, submission } = await mutated(t, 'submitted-update-id-empty')
  t.match((await wire.post(submitPath, submission())).json(), { updateId: '', completionOffset: Number })
})

t.test('interceptor: alters a request', async (t) => {
  const environment = await mutated(t, 'everything-found')
  const { contractId } = await createdContract(environment)
  const answer = await environment.wire.post(lookUpPath, { contractId, queryingParties: ['stranger'] })
  t.equal(at(answer.json(), '/createdEvent/contractId'), contractId)
})

t.test('interceptor: accepts another path', async (t) => {
  const { wire, submission } = await mutated(t, 'without-version-submit-and-wait')
  t.equal((await wire.post('/commands/submit-and-wait', submission())).status, 200)
})

t.test('seenAs: identifies another caller', async (t) => {
  const overrides = findOverrides({ mutant: 'no-token-needed' })
  const options = { overrides, authorization: 'hs256:a secret of thirty-two bytes and more' }
  const environment = await simulatorEnvironment(t, options, bearer(await sign(adminClaims())))
  t.equal((await environment.wire.post(submitPath, environment.submission())).status, 200)
})

t.test('decisions: compares changes differently', async (t) => {
  const { wire, submission, alice, bob } = await mutated(t, 'change-id-without-the-parties')
  const first = await wire.post(submitPath, submission({ commandId: 'one', actAs: [alice] }))
  const second = await wire.post(submitPath, submission({ commandId: 'one', actAs: [alice, bob] }))
  t.strictSame([first.status, second.status], [200, 409])
})

t.test('an intermittent mutant alters every third answer', async (t) => {
  const { wire, submission } = await mutated(t, 'no-members-submit-and-wait-every-third-time')
  const texts: string[] = []
  for (let count = 0; count < 3; count += 1) texts.push((await wire.post(submitPath, submission())).text)
  t.strictSame(
    texts.map((text) => text === '{}'),
    [false, false, true],
  )
})

t.test('rejects unknown names', (t) => {
  t.throws(() => findOverrides({ mutant: 'everything-fond' }), {
    name: 'UsageError',
    message: 'unknown mutant "everything-fond"; did you mean "everything-found"?',
  })
  t.throws(() => findOverrides({ variants: ['x'] }), UsageError)
  t.end()
})
