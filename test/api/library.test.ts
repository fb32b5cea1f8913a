/** The library, in this process. test/release/package.test.ts tests the installed one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import {
  ConformanceError,
  runSuite,
  type Simulator,
  type SimulatorOptions,
  type SuiteEvents,
  startSimulator,
} from '../../api/index.js'
import { startSimulator as startParticipant } from '../../simulator/simulator.js'
import { readPackage } from '../support/ledgers/model-packages.js'

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

t.test('the clock is frozen and advanced', async (t) => {
  const { control } = await started(t)
  t.equal((await control.clock.freeze()).frozen, true)
  t.strictSame(await control.clock.set(new Date('2050-01-01T00:00:00Z')), { now: '2050-01-01T00:00:00Z', frozen: true })
  t.equal((await control.clock.advance(1.5)).now, '2050-01-01T00:00:01.500Z')
  t.equal((await control.clock.unfreeze()).frozen, false)
  t.ok(Date.parse((await control.clock.read()).now) >= Date.parse('2050-01-01T00:00:01.500Z'))
})

t.test('faults are injected, counted and removed', async (t) => {
  const simulator = await started(t)
  const { faults } = simulator.control
  const { id } = await faults.inject({ kind: 'status', status: 503, body: { busy: 1 }, operation: 'version', next: 1 })
  t.strictSame([await statusOf(simulator, '/v2/version'), await statusOf(simulator, '/v2/version')], [503, 200])
  t.match(await faults.list(), [{ id, kind: 'status', calls: 2, injected: 1 }])
  const headers = { 'retry-after': 1 }
  await faults.inject({ kind: 'status', status: 500, headers, match: { '/partyIdHint': 'alice' } })
  t.strictSame([await allocate(simulator, 'alice'), await allocate(simulator, 'bob')], [500, 200])
  await faults.clear(id)
  t.equal((await faults.list()).length, 1)
  await faults.clear()
  t.equal(await statusOf(simulator, '/v2/version'), 200)
})

t.test('the journal contains requests, by operation, but no control calls', async (t) => {
  const simulator = await started(t)
  const { journal } = simulator.control
  await allocate(simulator, 'alice')
  await statusOf(simulator, '/v2/version')
  t.match(await journal.read(), [{ operation: 'allocate-party' }, { operation: 'version', response: { status: 200 } }])
  t.match(await journal.read({ operation: 'version', last: 5 }), [{ request: { path: '/v2/version' } }])
  await journal.clear()
  t.strictSame(await journal.read(), [])
})

t.test('states are stored, restored, and loaded by another simulator', async (t) => {
  const simulator = await started(t, { seed: 'monday' })
  const { snapshots } = simulator
  await snapshots.take('empty')
  t.equal(await allocate(simulator, 'alice'), 200)
  t.equal(await allocate(simulator, 'alice'), 400, 'alice exists')
  const state = await snapshots.save()
  await snapshots.restore('empty')
  t.equal(await allocate(simulator, 'alice'), 200, 'alice did not exist')
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
    () => 'not rejected',
    (error: unknown) => (error instanceof ConformanceError ? `${error.code}: ${error.message}` : String(error)),
  )

const untyped = (options: object): object => options

const darOf = (name: string) => ({ name, bytes: readPackage(name) })
const path = (name: string): string => fileURLToPath(new URL(`../../../model/packages/${name}`, import.meta.url))
const secret = 'a secret of thirty-two bytes and more'
const sign = (sub: string): Promise<string> =>
  new SignJWT({ sub, scope: 'daml_ledger_api' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1 hour')
    .sign(Buffer.from(secret))

async function vettedText(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${await sign('operator')}` }
  return (await fetch(`${url}/v2/package-vetting/list`, { headers, method: 'POST', body: '{}' })).text()
}

t.test('packages, parties and users exist before the first request, and after a reset', async (t) => {
  await using simulator = await startSimulator({
    authorization: `hs256:${secret}`,
    maxTokenLifetime: 3600,
    synchronizers: 2,
    packages: [path('conformance-upgrade-1.0.0.dar'), darOf('conformance-upgrade-1.1.0.dar')],
    parties: ['alice', 'bob'],
    users: [
      { id: 'wallet', primaryParty: 'alice', actAs: ['alice'], readAs: ['bob', 'eve::1220'], executeAs: ['bob'] },
      { id: 'operator', rights: ['ParticipantAdmin', 'CanReadAsAnyParty'] },
      { id: 'participant_admin', actAs: ['alice'] },
    ],
  })
  const { alice, bob } = simulator.parties
  const ask = async (user: string, where: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await sign(user)}` }
    return (await fetch(simulator.url + where, { headers })).json()
  }
  for (const when of ['at the start', 'after a reset']) {
    t.match(await ask('operator', '/v2/parties'), { partyDetails: [{ party: alice }, { party: bob }] }, when)
    t.match(await ask('wallet', '/v2/authenticated-user'), { user: { id: 'wallet', primaryParty: alice } }, when)
    const rights = [
      { CanActAs: { value: { party: alice } } },
      { CanReadAs: { value: { party: bob } } },
      { CanReadAs: { value: { party: 'eve::1220' } } },
      { CanExecuteAs: { value: { party: bob } } },
    ]
    t.strictSame(await ask('wallet', '/v2/users/wallet/rights'), { rights: rights.map((kind) => ({ kind })) }, when)
    const held = { rights: [{ kind: { ParticipantAdmin: {} } }, { kind: { CanActAs: { value: { party: alice } } } }] }
    t.match(await ask('participant_admin', '/v2/users/participant_admin/rights'), held, when)
    t.equal(
      (await vettedText(simulator.url)).match(/"conformance-upgrade"/g)?.length,
      4,
      `two versions, twice, ${when}`,
    )
    await simulator.control.reset()
  }

  const later = await started(t, {
    state: await simulator.snapshots.save(),
    parties: ['alice', 'carol'],
    users: [{ id: 'wallet', primaryParty: 'carol', actAs: ['carol'] }, { id: 'operator' }],
  })
  t.equal(later.parties['alice'], alice, 'a known party remains')
  const seen = async (path: string) => (await fetch(`${later.url}/v2/users/${path}`)).json()
  t.match(await seen('wallet'), { user: { primaryParty: later.parties['carol'] } })
  t.match(await seen('operator/rights'), { rights: { length: 2 } }, 'a known user keeps its rights')
  t.match(await seen('wallet/rights'), { rights: { length: 5 } })
})

t.test('the simulator can be disposed of and closed again', async (t) => {
  const urls: string[] = []
  {
    await using simulator = await startSimulator()
    urls.push(simulator.url)
    t.equal((await fetch(`${simulator.url}/livez`)).status, 200)
    await simulator.close()
    await simulator.close()
  }
  for (const url of urls) await t.rejects(fetch(`${url}/livez`))
})

t.test('an invalid option of the simulator is rejected with the expected value, and no server remains', async (t) => {
  const port = Number(new URL((await started(t)).url).port)
  const user = (more: object) => ({ parties: ['alice'], users: [{ id: 'wallet', ...more }] })
  const rejected: [options: object, message: RegExp][] = [
    [JSON.parse('null'), /^INVALID_OPTION: options: expected an object, not null$/],
    [JSON.parse('"none"'), /^INVALID_OPTION: options: expected an object, not 'none'$/],
    [[], /^INVALID_OPTION: options: expected an object, not \[\]$/],
    [{ behavior: 'interface' }, /^INVALID_OPTION: options has no member 'behavior'; did you mean "behaviour"/],
    [JSON.parse('{"__proto__": 1}'), /^INVALID_OPTION: options has no member '__proto__'/],
    [
      { behaviour: 'canton' },
      /^INVALID_OPTION: behaviour: expected canton-3\.4 or canton-3\.5 or canton-3\.6 or interface, not 'canton'$/,
    ],
    [{ protocolVersion: '35' }, /^INVALID_OPTION: protocolVersion: expected 34 or 35, not '35'$/],
    [{ synchronizers: 101 }, /^INVALID_OPTION: synchronizers: expected a whole number from 0 to 100, not 101$/],
    [{ authorization: 7 }, /^INVALID_OPTION: authorization: expected a string, not 'number'$/],
    [{ authorization: 'hs256' }, /^INVALID_OPTION: authorization: expected none, hs256:SECRET/],
    [{ maxTokenLifetime: 0 }, /^INVALID_OPTION: maxTokenLifetime: expected a whole number from 1 to 999999999, not 0$/],
    [{ maxTokenLifetime: '1h' }, /^INVALID_OPTION: maxTokenLifetime: expected a whole number .* not '1h'$/],
    [{ allowHosts: 'participant' }, /^INVALID_OPTION: allowHosts: expected an array, not 'participant'$/],
    [
      { allowHosts: ['a:1'] },
      /^INVALID_OPTION: allowHosts: expected a host name or address without a port, not "a:1"$/,
    ],
    [{ allowOrigins: [7] }, /^INVALID_OPTION: allowOrigins\[0\]: expected a string, not 7$/],
    [{ allowOrigins: ['*'] }, /^INVALID_OPTION: allowOrigins: expected the origin of a web page, not "\*"/],
    [{ seed: 7 }, /^INVALID_OPTION: seed: expected a string, not 7$/],
    [{ port: -1 }, /^INVALID_OPTION: port: expected a whole number from 0 to 65535, not -1$/],
    [{ port: String(port) }, /^INVALID_OPTION: port: expected a whole number/],
    [{ port }, /^PORT_UNUSABLE: port \d+: it is in use; omit the option to use a free port$/],
    [{ state: {} }, /^INVALID_OPTION: state: expected a string, not \{\}$/],
    [{ state: '{' }, /^INVALID_STATE: line 1: not JSON/],
    [{ packages: 'a.dar' }, /^INVALID_OPTION: packages: expected an array, not 'a\.dar'$/],
    [{ packages: ['/nowhere/a.dar'] }, /^INVALID_OPTION: packages: \/nowhere\/a\.dar cannot be read \(ENOENT: /],
    [{ packages: [{ name: 'a.dar' }] }, /^INVALID_OPTION: packages\[0\]\.bytes: expected a value, not undefined$/],
    [
      { packages: [{ name: 'a', bytes: 'b' }] },
      /^INVALID_OPTION: packages\[0\]\.bytes: expected a Uint8Array, not 'b'$/,
    ],
    [{ packages: [{ name: 'a', bytes: Buffer.from('b') }] }, /^INVALID_OPTION: packages: a: INVALID_DAR: Dar file is/],
    [{ packages: [null] }, /^INVALID_OPTION: packages\[0\]: expected an object, not null$/],
    [{ parties: ['a b!'] }, /^INVALID_OPTION: parties: .*non expected character 0x21/],
    [
      { parties: ['a'], synchronizers: 0 },
      /^INVALID_OPTION: parties: a cannot be allocated, because .* no synchronizer$/,
    ],
    [{ users: [{}] }, /^INVALID_OPTION: users\[0\]\.id: expected a value, not undefined$/],
    [{ users: [{ id: 'a b' }] }, /^INVALID_OPTION: users: User ID "a b" does not match regex/],
    [user({ actsAs: [] }), /^INVALID_OPTION: users\[0\] has no member 'actsAs'; did you mean "actAs"/],
    [user({ actAs: 'alice' }), /^INVALID_OPTION: users\[0\]\.actAs: expected an array/],
    [user({ actAs: ['alise'] }), /^INVALID_OPTION: users: wallet: actAs: .* no party "alise"; did you mean "alice"/],
    [user({ readAs: ['a!::b'] }), /^INVALID_OPTION: users: wallet: readAs: non expected character 0x21/],
    [user({ primaryParty: 'bob' }), /^INVALID_OPTION: users: wallet: primaryParty: .* no party "bob"; allowed: alice$/],
    [
      user({ rights: ['Admin'] }),
      /^INVALID_OPTION: users\[0\]\.rights\[0\]: expected ParticipantAdmin or .*, not 'Admin'$/,
    ],
  ]
  for (const [options, message] of rejected) t.match(await refusal(startSimulator(untyped(options))), message)
})

t.test('a process can end after rejected calls, and after the simulator is closed', async (t) => {
  const wrong = [
    { port: -1 },
    { state: '{' },
    { parties: ['a b!'] },
    { allowHosts: [''] },
    { authorization: 'rs256:/nowhere' },
  ]
  const script = `
    import { startSimulator } from ${JSON.stringify(new URL('../../api/index.js', import.meta.url).href)}
    const simulator = await startSimulator()
    const port = Number(new URL(simulator.url).port)
    const codes = []
    for (const options of [...${JSON.stringify(wrong)}, { port }])
      await startSimulator(options).catch(({ code }) => codes.push(code))
    await fetch(simulator.url + '/livez')
    await simulator.close()
    console.log(codes.join(' '))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const codes = 'INVALID_OPTION INVALID_STATE INVALID_OPTION INVALID_OPTION INVALID_OPTION PORT_UNUSABLE\n'
  t.equal(await textOf(child.stdout), codes)
  t.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0)
})

t.test('invalid control calls are rejected', async (t) => {
  const { control, snapshots } = await started(t)
  t.match(await refusal(snapshots.restore('nothing')), /^CONTROL_REFUSED: unknown snapshot "nothing"/)
  t.match(await refusal(snapshots.load('{}')), /^INVALID_STATE: this JSON is not a saved state/)
  t.match(await refusal(control.clock.set('2000-01-01T00:00:00Z')), /^CONTROL_REFUSED: the ledger time never goes back/)
  t.match(await refusal(control.clock.set(new Date(Number.NaN))), /^CONTROL_REFUSED: .*'null' with wrong type/)
  const match = { '/a': 1n }
  t.match(
    await refusal(control.faults.inject({ kind: 'reset', match })),
    /^CONTROL_REFUSED: the argument cannot be written/,
  )
})

t.test('a run reports its plan and each row, and explains failures', async (t) => {
  const simulator = await startParticipant({ overrides: { without: ['CBI-CONTRACT-ID-REQUIRED'] } })
  t.teardown(() => simulator.close())
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
  t.match(conclusion, /^FAIL \(selection of 3 of /)
  t.ok(unexaminedRules.includes('VET-DRY-RUN') || unexaminedRules.length > 50, 'other operations have no result')
  const failed = rows.filter((row) => !row.conforming)
  t.equal(failed.length, counts.fail + counts.blocked + counts.error)
  for (const { unmetRules, explanation } of failed) {
    t.ok(unmetRules.length > 0)
    t.match(explanation, /expected[\s\S]*curl/)
  }
  t.ok(files.some((file) => file.endsWith('report.html')))
})

t.test('an invalid run is rejected', async (t) => {
  const rejected: [options: object, message: RegExp][] = [
    [JSON.parse('null'), /^INVALID_OPTION: options: expected an object, not null$/],
    [{ targets: '' }, /^INVALID_OPTION: options has no member 'targets'; did you mean "target"/],
    [{ target: 7 }, /^INVALID_OPTION: target: expected a string, not 7$/],
    [{ redact: ['a'] }, /^INVALID_OPTION: redact\[0\]: expected a regular expression, not 'a'$/],
    [{ allow: ['all'] }, /^INVALID_OPTION: allow\[0\]: expected read or write or .*, not 'all'$/],
    [{ on: { row: true } }, /^INVALID_OPTION: on\.row: expected a function, not true$/],
    [{ target: 'ftp://a' }, /^INVALID_OPTION: target: ftp:\/\/a is not an http or https URL/],
    [{ profile: 'canton' }, /^INVALID_OPTION: profile: unknown profile canton; known: /],
    [{ concurrency: 0 }, /^INVALID_OPTION: concurrency: expected a whole number from 1 to 1000000, not 0$/],
    [
      { targetFile: '/nowhere/target.yaml' },
      /^INVALID_OPTION: \/nowhere\/target.yaml:1:1: error: the target file cannot be read/,
    ],
    [{ only: 'no-such-row' }, /^NOTHING_SELECTED: no row, operation or rule matches "no-such-row"; conform list /],
    [{ target: 'http://127.0.0.1:1' }, /^TARGET_UNUSABLE: .*cannot be reached/],
  ]
  for (const [options, message] of rejected) t.match(await refusal(runSuite(untyped(options))), message)
})

t.test('a failed listener ends the run, also after the last row', async (t) => {
  const cause = new Error('mine')
  const throwing = (): never => {
    throw cause
  }
  const rejecting = () => Promise.reject(cause)
  let end = (): void => undefined
  const late = () =>
    new Promise<void>((_, reject) => {
      end = () => reject(cause)
    })
  const failing: [on: SuiteEvents, name: string][] = [
    [{ planned: throwing }, 'planned'],
    [{ planned: rejecting }, 'planned'],
    [{ row: throwing }, 'row'],
    [{ row: rejecting }, 'row'],
    [{ planned: late, row: () => end() }, 'planned'],
  ]
  const { url } = await started(t)
  for (const [index, [on, name]] of failing.entries()) {
    // One run has its own simulator, and closes it.
    const target = index === 0 ? {} : { target: url }
    await t.rejects(runSuite({ only: 'CBI-CONTENT*', on, ...target }), {
      name: 'ConformanceError',
      code: 'LISTENER_FAILED',
      message: `on.${name}: the listener failed (mine); the run ended`,
      cause,
    })
  }
  // Node 26 aborts the process for an unclosed file.
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((id) => readlink(`/proc/self/fd/${id}`).catch(() => '')),
  )
  t.strictSame(
    open.filter((path) => path.includes('.ndjson')),
    [],
    'the records are closed',
  )
})

t.test('a folder that cannot be written is an invalid option', async (t) => {
  const folder = t.testdir({ file: '', taken: { 'run.ndjson.br': {} } })
  const { url: target } = await started(t)
  const rejected: [out: string, message: RegExp][] = [
    [join(folder, 'file'), /cannot be written \(it is a file and not a folder\)/],
    [join(folder, 'file', 'below'), /cannot be written \(it is a file and not a folder\)/],
    [join(folder, 'taken'), /run record cannot be created \(EISDIR/],
    ['/proc/self/results', /cannot be written \(/],
    [`${folder}/a\0b`, /cannot be written \(/],
    [join(folder, 'a'.repeat(300)), /cannot be written \(ENAMETOOLONG/],
  ]
  for (const [out, message] of rejected)
    await t.rejects(runSuite({ target, only: 'CBI-CONTENT*', out }), { code: 'INVALID_OPTION', message }, out)
})
