/** Messages of 3.5.10 that clients parse. */
import t, { type Test } from 'tap'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.js'
import { packages } from '../../support/ledgers/model-packages.js'
import {
  createdContract,
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  uploadPackages,
} from '../../support/ledgers/simulator-environment.js'

const templateId = '#conformance-model:Conformance:AllTypes'
const model = packages.find(({ name }) => name === 'conformance-model')?.id.slice(0, 8) ?? ''

async function failing(t: Test): Promise<{
  contractId: string
  on: (choice: string, argument: JsonObject, more?: JsonObject) => Promise<JsonObject>
}> {
  const environment = await simulatorEnvironment(t)
  await uploadPackages(environment.wire)
  const createArguments = {
    owner: environment.alice,
    text: '',
    int: '1',
    decimal: '1.5',
    bool: true,
    date: '2020-01-01',
    unit: {},
    time: '2020-01-01T00:00:00Z',
    optionalText: null,
    nestedOptional: [],
    list: [],
    textMap: {},
    genMap: [],
    record: { a: '1', b: 'x' },
    variant: { tag: 'Empty', value: {} },
    enum: 'Red',
  }
  const { contractId } = await createdContract(
    environment,
    environment.submission({ commands: [{ CreateCommand: { templateId, createArguments } }] }),
  )
  const on = async (choice: string, choiceArgument: JsonObject, more: JsonObject = {}): Promise<JsonObject> => {
    const commands = [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }]
    return contextOf(environment, { commands, ...more })
  }
  return { contractId, on }
}

async function contextOf({ wire, submission }: SimulatorEnvironment, body: JsonObject): Promise<JsonObject> {
  const { context } = objectIn(await wire.post(submitPath, submission(body)))
  return isJsonObject(context) ? context : {}
}

t.test('names choices by shortened package id, module and template', async (t) => {
  const { contractId, on } = await failing(t)
  const contract = contractId.slice(0, 10)
  const step = `${model}:Conformance:AllTypes:Fail on contract ${contract}`
  const { exercise_trace: trace } = await on('Fail', { message: 'no' })
  t.equal(trace, `    in choice ${step} (#0)\n    in exercise command ${step}.\n`)
})

t.test('omits the error id of a failure without one', async (t) => {
  const { on } = await failing(t)
  t.match(await on('FailWithStatus', { errorId: 'MY_ERROR', message: 'no' }), { error_id: 'MY_ERROR' })
  const bare = await on('FailWithStatus', { errorId: '', message: 'no' })
  t.ok('exercise_trace' in bare && !('error_id' in bare))
})

t.test('repeats the requested deduplication period in the context', async (t) => {
  const { on } = await failing(t)
  const shownPeriod = async (deduplicationPeriod?: JsonObject): Promise<string | undefined> => {
    const { commands } = await on('Fail', { message: 'no' }, deduplicationPeriod && { deduplicationPeriod })
    return /deduplicationPeriod: (\{[^}]*\})/.exec(String(commands))?.[1]
  }
  t.equal(await shownPeriod(), "{duration: 'PT168H'}", 'the default is the longest period')
  t.equal(
    await shownPeriod({ DeduplicationDuration: { value: { seconds: 90, nanos: 500_000_000 } } }),
    "{duration: 'PT1M30.5S'}",
  )
  t.equal(await shownPeriod({ DeduplicationOffset: { value: 7 } }), '{offset: 7}')
})

t.test('quotes the participant name and shortens ids', async (t) => {
  const environment = await simulatorEnvironment(t)
  const unknown = `unknown::1220${'ab'.repeat(32)}`
  const refused = objectIn(await environment.wire.post(submitPath, environment.submission({ synchronizerId: unknown })))
  t.match(refused, { cause: /unknown::1220abababab\.\.\./ })
  t.notMatch(JSON.stringify(refused['cause']), /1220[0-9a-f]{13}/)
  t.match(await contextOf(environment, { workflowId: '!' }), { participant: "'sandbox'" })
})

t.test('a cause of several lines begins with code, category and trace', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire, submission, bob } = environment
  const { contractId } = await createdContract(environment)
  const respond = { ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: {} } }
  const request = submission({ commands: [respond, respond], actAs: [bob] })
  const { cause, traceId } = objectIn(await wire.post(submitPath, request))
  t.match(String(cause), /^CONTRACT_NOT_ACTIVE\(11,[0-9a-f]{8}\): .*\n/)
  t.match(String(cause), `(11,${String(traceId).slice(0, 8)})`)
})
