/** Reassignments on request: the rejections of the reference. */
import t from 'tap'
import type { JsonObject } from '../../lib/json/json.js'
import { seen } from '../support/ledgers/guarded-environment.js'
import {
  createdContract,
  type SimulatorEnvironment,
  simulatorEnvironment,
} from '../support/ledgers/simulator-environment.js'

const unknown = `other::1220${'ab'.repeat(32)}`

const paths = ['/v2/commands/submit-and-wait-for-reassignment', '/v2/commands/async/submit-reassignment']

const reassignment = ({ alice }: SimulatorEnvironment, commands: JsonObject[], more: JsonObject = {}): JsonObject => ({
  reassignmentCommands: {
    workflowId: '',
    userId: 'user',
    commandId: 'reassign',
    submitter: alice,
    submissionId: '',
    commands: commands.map((command) => ({ command })),
    ...more,
  },
})

t.test('rejects each reassignment with one synchronizer', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { synchronizer } = environment
  const { contractId } = await createdContract(environment)
  const unassign = (more: JsonObject = {}): JsonObject => ({
    UnassignCommand: { value: { contractId, source: synchronizer, target: synchronizer, ...more } },
  })
  const assign = (more: JsonObject = {}): JsonObject => ({
    AssignCommand: { value: { reassignmentId: '00ab', source: synchronizer, target: synchronizer, ...more } },
  })
  const rejected: [body: JsonObject, expected: string][] = [
    [{}, '400 INVALID_TOKEN'],
    [reassignment(environment, [unassign()], { submitter: 'a!b' }), '400 INVALID_FIELD'],
    [reassignment(environment, [unassign()], { commandId: '' }), '400 MISSING_FIELD'],
    [reassignment(environment, [unassign()], { submissionId: 'a!b' }), '400 INVALID_FIELD'],
    [reassignment(environment, []), '400 INVALID_ARGUMENT'],
    [reassignment(environment, [{ Empty: {} }]), '400 MISSING_FIELD'],
    [reassignment(environment, [{ Other: {} }]), '400 text'],
    [reassignment(environment, [unassign({ source: 'x' })]), '400 INVALID_FIELD'],
    [reassignment(environment, [unassign({ contractId: '' })]), '400 MISSING_FIELD'],
    [reassignment(environment, [unassign({ contractId: 'x' })]), '400 INVALID_FIELD'],
    [reassignment(environment, [unassign(), assign()]), '400 INVALID_ARGUMENT'],
    [reassignment(environment, [unassign(), unassign({ target: unknown })]), '400 INVALID_ARGUMENT'],
    [reassignment(environment, [unassign({ target: unknown })]), '400 INVALID_ARGUMENT'],
    [reassignment(environment, [unassign()]), '400 INVALID_ARGUMENT'],
    [reassignment(environment, [assign()]), '400 INVALID_ARGUMENT'],
  ]
  for (const path of paths)
    for (const [body, expected] of rejected)
      t.equal(seen(await environment.wire.post(path, body)), expected, `${path} ${JSON.stringify(body)}`)
})

t.test('does not reassign a contract between two synchronizers on request', async (t) => {
  const environment = await simulatorEnvironment(t, { synchronizers: 2 })
  const [source = '', target = ''] = environment.synchronizers
  const { contractId } = await createdContract(environment, environment.submission({ synchronizerId: source }))
  for (const [id, status] of [
    [contractId, 501],
    [`00${'ab'.repeat(32)}`, 400],
  ] as const) {
    const command = { UnassignCommand: { value: { contractId: id, source, target } } }
    const answer = await environment.wire.post(paths[0] ?? '', reassignment(environment, [command]))
    t.equal(answer.status, status)
  }
})
