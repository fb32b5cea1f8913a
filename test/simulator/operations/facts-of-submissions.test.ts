/** Observations on 3.5.10 with random submissions: the order of checks, and the context of an error. */
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import type { BehaviourName } from '../../../simulator/simulator.js'
import { outcomeOf } from '../../support/ledgers/external-environment.js'
import {
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  uploadPackages,
} from '../../support/ledgers/simulator-environment.js'

type Outcome = number | string

type Row = [line: string, submission: JsonObject, expected: Outcome]

async function modelEnvironment(t: Test, behaviour: BehaviourName): Promise<SimulatorEnvironment> {
  const environment = await simulatorEnvironment(t, { behaviour })
  await uploadPackages(environment.wire)
  return environment
}

const outcome = async ({ wire, submission }: SimulatorEnvironment, members: JsonObject): Promise<Outcome> =>
  outcomeOf(await wire.post(submitPath, submission(members)))

const create = (templateId: string, createArguments: JsonValue): JsonObject => ({
  CreateCommand: { templateId, createArguments },
})

async function orderOfChecks(environment: SimulatorEnvironment): Promise<Row[]> {
  const { alice, bob } = environment
  const right = create(ping, { id: 'p', initiator: alice, responder: bob })
  const wrongPackage = create('#no-such:M:T', {})
  const tooLittle = create('#conformance-model:Conformance:Note', { author: alice })
  const unvetted = create('#conformance-upgrade:ConformanceUpgrade:Upgradable', { owner: alice, text: '' })
  const unvet = { operation: { Unvet: { value: { packages: [{ packageName: 'conformance-upgrade' }] } } } }
  const changed = await environment.wire.post('/v2/package-vetting/update', { changes: [unvet] })
  if (changed.status !== 200) throw new Error(changed.text)
  return [
    ['a mistake in the second command', { commands: [right, tooLittle] }, '400 COMMAND_PREPROCESSING_FAILED'],
    ['mistakes in both commands', { commands: [tooLittle, create('x!:M:T', {})] }, '400 COMMAND_PREPROCESSING_FAILED'],
    ['mistakes in both commands, reversed', { commands: [create('x!:M:T', {}), tooLittle] }, '400 INVALID_ARGUMENT'],
    ['not vetted', { commands: [unvetted] }, '400 JSON_API_PACKAGE_SELECTION_FAILED'],
    ['not vetted, then unknown', { commands: [unvetted, wrongPackage] }, '404 PACKAGE_NAMES_NOT_FOUND'],
    ['an empty party and a bad synchronizer', { actAs: [''], synchronizerId: 'x' }, '400 INVALID_ARGUMENT'],
    ['a bad synchronizer alone', { synchronizerId: 'x' }, '400 INVALID_FIELD'],
  ]
}

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  t.test(`the order of checks: ${behaviour}`, async (t) => {
    const environment = await modelEnvironment(t, behaviour)
    for (const [line, submission, expected] of await orderOfChecks(environment)) {
      t.equal(await outcome(environment, submission), expected, line)
    }
  })
}

t.test('shows little context for an error of a single pass', async (t) => {
  const environment = await modelEnvironment(t, 'canton-3.5')
  const createArguments = { id: 'p', initiator: environment.alice, responder: `ghost::1220${'ab'.repeat(32)}` }
  const contextAfter = async (tapsMaxPasses: number) => {
    const commands = [create(ping, createArguments)]
    const answer = await environment.wire.post(submitPath, environment.submission({ commands, tapsMaxPasses }))
    t.equal(outcomeOf(answer), '404 UNKNOWN_INFORMEES')
    return objectIn(answer)['context']
  }
  t.match(await contextAfter(2), { unknownInformees: /^Set\(ghost::/, participant: 'sandbox' })
  t.strictSame(await contextAfter(1), { category: '11', definite_answer: 'false' })
})
