/** The simulator answers the recorded requests like the reference (test/recordings/README.md). */
import t, { type Test } from 'tap'
import { type SimulatorOptions, startSimulator } from '../../simulator/simulator.js'
import { connectTo } from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import { differences } from '../support/replay/replay-compare.js'
import { type RecordedAnswer, readRecording, type Scenario } from '../support/replay/replay-recording.js'
import { play, type ReplaySession } from '../support/replay/replay-steps.js'
import { Variables } from '../support/replay/replay-variables.js'

const secret = 'secret'

const settings: readonly (SimulatorOptions & { file: string; count: number })[] = [
  // The reference waits 20 s.
  { file: 'request-sequences.json', count: 447, answerLimit: 500 },
  { file: 'request-sequences-vetting.json', count: 78 },
  { file: 'request-sequences-execute.json', count: 342 },
  { file: 'request-sequences-users.json', count: 70 },
  { file: 'request-sequences-external-parties.json', count: 66 },
  { file: 'request-sequences-preferences.json', count: 83 },
  { file: 'request-sequences-clients.json', count: 75 },
  { file: 'request-sequences-34.json', count: 5, protocolVersion: 34 },
  { file: 'request-sequences-model.json', count: 135 },
  { file: 'request-sequences-authorized.json', count: 349, protocolVersion: 34, authorization: `hs256:${secret}` },
  { file: 'request-sequences-two-synchronizers.json', count: 49, protocolVersion: 34, synchronizers: 2 },
  { file: 'request-sequences-instants.json', count: 124 },
  { file: 'request-sequences-integers.json', count: 120 },
  { file: 'request-sequences-tokens.json', count: 174, authorization: `hs256:${secret}` },
  {
    file: 'request-sequences-no-synchronizer.json',
    count: 22,
    protocolVersion: 34,
    synchronizers: 0,
    answerLimit: 500,
  },
]

for (const { file, count, ...options } of settings) {
  t.test(`answers as the recorded reference participant: ${file}`, async (t) => {
    const clock = stillClock()
    const wire = connectTo(t, await startSimulator({ ...options, clock }))
    const { tokens = {}, environment, scenarios } = readRecording(file)
    t.equal(scenarios.length, count)
    const session: ReplaySession = { wire, tokens, secret, wait: (milliseconds) => clock.advance(milliseconds) }
    const variables = new Variables()
    await play(session, environment, variables)
    for (const scenario of scenarios) await judge(t, scenario, session, variables.fork())
  })
}

async function judge(
  t: Test,
  { id, group, steps }: Scenario,
  session: ReplaySession,
  variables: Variables,
): Promise<void> {
  const found = await play(session, steps, variables).catch((error: unknown) => [`stopped: ${String(error)}`])
  t.strictSame(found, [], `${group}: ${id}`)
}

t.test('compares exactly the members that must not differ', async (t) => {
  const body = {
    code: 'MISSING_FIELD',
    cause: 'a text',
    traceId: 'ab'.repeat(16),
    context: { category: '8', participant: 'sandbox' },
    resources: [['PARTY', 'alice']],
    retryInfo: null,
    parties: ['alice', 'bob'],
    items: [{ n: 1 }, { n: 2 }],
    at: '2030-01-01T00:00:00Z',
    commandId: `c-${'0'.repeat(8)}-${'0000-'.repeat(3)}${'0'.repeat(12)}`,
  }
  const answer: RecordedAnswer = { status: 400, contentType: 'application/json', body }
  const compared = (change: object, more: object = {}) =>
    differences(answer, { ...answer, ...more, body: { ...body, ...change } }).length
  const { retryInfo, ...lacking } = body
  const same = [
    { cause: 'another', traceId: 'cd'.repeat(16), at: '2031-01-01T00:00:00.5Z' },
    { context: { category: '8', participant: "'sandbox'" }, resources: [['PARTY', 'bob']] },
    { parties: ['bob', 'alice'], commandId: body.commandId.replaceAll('0', '1') },
  ]
  for (const change of same) t.equal(compared(change), 0)
  t.equal(compared({}, { contentType: 'application/json; charset=utf-8' }), 0)
  const different = [
    ...[{ code: 'INVALID_FIELD' }, { cause: null }, { traceId: '' }, { retryInfo: '' }, { extra: null }],
    ...[{ context: { category: '9', participant: '' } }, { context: { category: '8' } }, { context: body.resources }],
    ...[
      { resources: [['TEMPLATE', 'alice']] },
      { resources: [] },
      { parties: ['alice'] },
      { parties: ['alice', 'eve'] },
    ],
    ...[{ items: [{ n: 2 }, { n: 1 }] }, { items: [{ n: 1 }] }, { at: 'now' }, { commandId: 'c' }],
  ]
  for (const change of different) t.not(compared(change), 0, JSON.stringify(change))
  t.equal(compared({}, { status: 401 }), 1)
  t.equal(compared({}, { contentType: 'text/plain' }), 1)
  t.equal(differences(answer, { ...answer, body: lacking }).length, 1)
  t.equal(differences(answer, { ...answer, body: 'a text' }).length, 1)
})
