/** What other people's tests import, in this process: what it does, and how it refuses. test/package.test.ts has it installed. */
import t, { type Test } from 'tap'
import { ConformanceError, runSuite, type Simulator, type SimulatorOptions, startSimulator } from '../api/index.js'

async function started(t: Test, options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options)
  t.teardown(() => simulator.close())
  return simulator
}

const statusOf = async ({ url }: Simulator, path: string): Promise<number> => (await fetch(url + path)).status

async function allocate({ url }: Simulator, partyIdHint: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}/v2/parties`, { method: 'POST', headers, body: JSON.stringify({ partyIdHint }) })).status
}

t.test('time stands still, and is put forward', async (t) => {
  const { control } = await started(t)
  t.equal((await control.clock.freeze()).frozen, true)
  t.strictSame(await control.clock.set(new Date('2050-01-01T00:00:00Z')), { now: '2050-01-01T00:00:00Z', frozen: true })
  t.equal((await control.clock.advance(1.5)).now, '2050-01-01T00:00:01.500Z')
  t.equal((await control.clock.unfreeze()).frozen, false)
  t.ok(Date.parse((await control.clock.read()).now) >= Date.parse('2050-01-01T00:00:01.500Z'))
})

t.test('faults come, are counted, and go', async (t) => {
  const simulator = await started(t)
  const { faults } = simulator.control
  const { id } = await faults.inject({ kind: 'status', status: 503, body: { busy: 1 }, operation: 'version', next: 1 })
  t.strictSame([await statusOf(simulator, '/v2/version'), await statusOf(simulator, '/v2/version')], [503, 200])
  t.match(await faults.list(), [{ id, kind: 'status', calls: 2, injected: 1 }])
  await faults.inject({ kind: 'status', status: 500 })
  await faults.clear(id)
  t.equal((await faults.list()).length, 1)
  await faults.clear()
  t.equal(await statusOf(simulator, '/v2/version'), 200)
})

t.test('the journal has what was asked, by operation, and not what the control was asked', async (t) => {
  const simulator = await started(t)
  const { journal } = simulator.control
  await allocate(simulator, 'alice')
  await statusOf(simulator, '/v2/version')
  t.match(await journal.read(), [{ operation: 'allocate-party' }, { operation: 'version', response: { status: 200 } }])
  t.match(await journal.read({ operation: 'version', last: 5 }), [{ request: { path: '/v2/version' } }])
  await journal.clear()
  t.strictSame(await journal.read(), [])
})

t.test('a rule is left out, and enforced again', async (t) => {
  const { control } = await started(t)
  await control.rules.leaveOut('SAW-ACT-AS-PARTY')
  t.equal((await control.rules.list())['SAW-ACT-AS-PARTY'], false)
  await control.rules.enforce('SAW-ACT-AS-PARTY')
  t.equal((await control.rules.list())['SAW-ACT-AS-PARTY'], true)
})

t.test('states are kept, put back, and taken to another simulator', async (t) => {
  const simulator = await started(t, { seed: 'monday' })
  const { snapshots } = simulator
  await snapshots.take('empty')
  t.equal(await allocate(simulator, 'alice'), 200)
  t.equal(await allocate(simulator, 'alice'), 400, 'she is there')
  const state = await snapshots.save()
  await snapshots.restore('empty')
  t.equal(await allocate(simulator, 'alice'), 200, 'she was not')
  t.match(await snapshots.list(), [{ name: 'empty' }])
  await snapshots.delete('empty')
  t.strictSame(await snapshots.list(), [])
  const other = await started(t, { state })
  t.equal(await allocate(other, 'alice'), 400)
  await simulator.control.reset()
  await snapshots.load(state)
  t.equal(await allocate(simulator, 'alice'), 400)
})

const refusal = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'not refused',
    (error: unknown) => (error instanceof ConformanceError ? `${error.code}: ${error.message}` : String(error)),
  )

/** What no compiler lets through, as a program without one could say it. */
const untyped = (options: object): object => options

t.test('a simulator that cannot be as it should is refused with what is known', async (t) => {
  const port = Number(new URL((await started(t)).url).port)
  const refused: [options: object, told: RegExp][] = [
    [{ behavior: 'interface' }, /^INVALID_OPTION: there is no option behavior; did you mean "behaviour"/],
    [{ behaviour: 'canton' }, /^INVALID_OPTION: behaviour: there is no canton; known: canton-3.5, interface$/],
    [{ protocolVersion: 33 }, /^INVALID_OPTION: protocolVersion: there is no 33; known: 34, 35$/],
    [{ synchronizers: 101 }, /^INVALID_OPTION: synchronizers: 101 is no whole number from 0 to 100$/],
    [{ authorization: 'hs256' }, /^INVALID_OPTION: authorization: expected none, hs256:SECRET/],
    [{ port: -1 }, /^INVALID_OPTION: port: -1 is no whole number from 0 to 65535$/],
    [{ port }, /^PORT_UNUSABLE: port \d+: it is in use; leave it out for a free one$/],
    [{ state: '{' }, /^INVALID_STATE: line 1: not JSON/],
  ]
  for (const [options, told] of refused) t.match(await refusal(startSimulator(untyped(options))), told)
})

t.test('what the control cannot do is refused', async (t) => {
  const { control, snapshots } = await started(t)
  t.match(await refusal(snapshots.restore('nothing')), /^CONTROL_REFUSED: there is no snapshot "nothing"/)
  t.match(await refusal(snapshots.load('{}')), /^INVALID_STATE: this JSON is no state/)
  t.match(
    await refusal(control.clock.set('2000-01-01T00:00:00Z')),
    /^CONTROL_REFUSED: the time of a ledger never goes back/,
  )
  t.match(await refusal(control.rules.leaveOut('SAW-ACT')), /^CONTROL_REFUSED: there is no check of a rule "SAW-ACT"/)
})

t.test('a run tells its plan and each row, and what does not conform is explained', async (t) => {
  const simulator = await started(t)
  await simulator.control.rules.leaveOut('CBI-CONTRACT-ID-REQUIRED')
  const heard = { planned: 0, rows: new Map<string, string>() }
  const on = {
    planned: ({ rows, notApplicable }: { rows: number; notApplicable: number }) => {
      heard.planned = rows + notApplicable
    },
    row: ({ id, verdict }: { id: string; verdict: string }) => {
      heard.rows.set(id, verdict)
    },
  }
  const out = t.testdir({})
  const { conforming, conclusion, unexaminedRules, counts, rows, files } = await runSuite({
    target: simulator.url,
    only: 'CBI-NO-CONTRACT-ID*',
    out,
    on,
  })
  t.equal(heard.planned, rows.length)
  t.strictSame(heard.rows, new Map(rows.map(({ id, verdict }) => [id, verdict])))
  t.equal(conforming, false)
  t.equal(conclusion, 'not conforming')
  t.ok(
    unexaminedRules.includes('VET-DRY-RUN') || unexaminedRules.length > 50,
    'of the other operations nothing is known',
  )
  const failed = rows.filter((row) => !row.conforming)
  t.equal(failed.length, counts.fail + counts.blocked + counts.error)
  for (const { unmetRules, explanation } of failed) {
    t.ok(unmetRules.length > 0)
    t.match(explanation, /expected[\s\S]*curl/)
  }
  t.ok(files.some((file) => file.endsWith('report.html')))
})

t.test('no run comes about where it cannot', async (t) => {
  const refused: [options: object, told: RegExp][] = [
    [{ targets: '' }, /^INVALID_OPTION: there is no option targets; did you mean "target"/],
    [{ target: 'ftp://a' }, /^INVALID_OPTION: target: ftp:\/\/a is no http or https URL/],
    [{ profile: 'canton' }, /^INVALID_OPTION: profile: there is no canton; known: /],
    [{ concurrency: 0 }, /^INVALID_OPTION: concurrency: 0 is no whole number of at least 1$/],
    [
      { targetFile: '/nowhere/target.yaml' },
      /^INVALID_OPTION: \/nowhere\/target.yaml:1:1: error: the target file cannot be read/,
    ],
    [{ only: 'no-such-row' }, /^NOTHING_SELECTED: no row, operation or rule matches "no-such-row"$/],
    [{ target: 'http://127.0.0.1:1' }, /^TARGET_UNUSABLE: .*cannot be reached/],
  ]
  for (const [options, told] of refused) t.match(await refusal(runSuite(untyped(options))), told)
})

t.test('the error of a listener is the error of the run', async (t) => {
  const mine = new Error('mine')
  const planned = (): never => {
    throw mine
  }
  await t.rejects(runSuite({ only: 'CBI-CONTENT*', on: { planned } }), mine)
})
