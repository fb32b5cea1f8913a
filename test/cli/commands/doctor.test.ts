/** `conform doctor`: reads only, forecasts the rows of a run, and waits for a target. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { doctorCommand } from '../../../cli/commands/doctor-command.js'
import { doctorText } from '../../../cli/console/doctor-text.js'
import { operations } from '../../../interface/operations.js'
import { ChangeJournal } from '../../../runner/changes/journal.js'
import { type Diagnosis, diagnose, verdictOf } from '../../../runner/preflight/diagnose.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { controlled } from '../../support/ledgers/controlled-environment.js'
import {
  diagnoseTarget,
  optionsOf,
  reference,
  shown,
  suite,
  withToken,
} from '../../support/ledgers/doctor-environment.js'
import { adminClaims, bearer, sign } from '../../support/ledgers/guarded-environment.js'
import { ping, simulatorEnvironment } from '../../support/ledgers/simulator-environment.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { forwardProxy } from '../../support/servers/gateways.js'
import { proxiedSimulator } from '../../support/servers/hostile-proxy.js'
import { readTarget } from '../../support/suites/plain-target.js'

t.test('reports the state of a target, and no request changes it', async (t) => {
  const secret = 'a secret of thirty-two bytes and more'
  const admin = bearer(await sign(adminClaims()))
  const provisioned = await controlled(t, { authorization: `hs256:${secret}` }, admin)
  const grant = { user: { id: 'ann' }, rights: [{ kind: { CanActAs: { value: { party: provisioned.alice } } } }] }
  t.equal((await provisioned.wire.post('/v2/users', grant, admin)).status, 200)
  const more = {
    userId: 'participant_admin',
    rights: [...grant.rights, { kind: { CanReadAsAnyParty: { value: {} } } }],
  }
  t.equal((await provisioned.wire.post('/v2/users/participant_admin/rights', more, admin)).status, 200)
  const seen: { method: string; path: string }[] = []
  const proxy = await forwardProxy(t, provisioned.url, 'a:b')
  const folder = t.testdir({})
  const tokens = [
    await sign(adminClaims()),
    await sign({ ...adminClaims(), sub: 'ann' }),
    await sign({ ...adminClaims(), sub: 'unknown' }),
  ]
  const [ofAdministrator = '', ofAlice = '', ofBob = ''] = tokens
  // Without the time, and without the count of random numbers.
  const state = async (): Promise<string> =>
    (await provisioned.control('GET /state')).text.replace(/^.*?"state":/s, '').replace(/\{"seed":.*$/s, '')
  const before = await state()
  const environment = { HTTP_PROXY: proxy.url, T_ADMIN: ofAdministrator, T_ALICE: ofAlice, T_BOB: ofBob }
  const ended = await conformIn(
    { folder, environment },
    ...[
      'doctor',
      '--json',
      '--target',
      'http://participant.example',
      '--only',
      'CBI-*',
      '--party',
      `alice=${provisioned.alice}`,
    ],
    ...['--token', 'administrator=env:T_ADMIN', 'alice=env:T_ALICE', 'bob=env:T_BOB'],
  )
  // Only the proxy knows the host name.
  t.equal(ended.code, 0, ended.stdout + ended.stderr)
  t.equal(await state(), before, 'the participant is unchanged')
  t.strictSame(await readdir(folder), [], 'no file is written')
  for (const one of proxy.seen) {
    const [method = '', url = ''] = one.split(' ')
    seen.push({ method, path: new URL(url).pathname })
  }
  const posted = new Set(seen.filter(({ method }) => method !== 'GET').map(({ path }) => path))
  t.strictSame(
    [...posted].sort(),
    [
      ...Object.values(operations).map(({ path }) => path),
      ...['/v2/interactive-submission/prepare', '/v2/package-vetting/list', '/v2/parties/external/generate-topology'],
      '/v2/updates/update-by-id',
    ].sort(),
    'POST requests only read, or check that an operation exists',
  )
  t.ok(seen.length < 40, `${seen.length} requests`)
  const report = JSON.parse(ended.stdout) as Diagnosis & { format: number; verdict: string } // what the command prints
  t.match(report, { format: 1, verdict: 'ready', target: 'http://participant.example' })
  for (const token of tokens) t.notOk(ended.stdout.includes(token.split('.')[2] ?? token), 'no token')
  t.match(shown(report, 'proxy'), `good: requests use the proxy ${new URL(proxy.url).origin}`)
  const callers = report.findings.filter(({ about }) => about === 'credentials')
  t.match(callers, [
    {
      level: 'good',
      facts: { actor: 'administrator', claims: { sub: 'participant_admin' } },
    },
    { level: 'good', facts: { actor: 'alice', user: 'ann', rights: [`CanActAs ${provisioned.alice}`] } },
    { level: 'warning', code: 'rights-untold', advice: /does the user exist, and is it active\?$/ },
  ])
  t.match(shown(report, 'synchronizers'), /the protocol version is 35/)
  t.match(shown(report, 'party'), `the participant has SUBMISSION on ${provisioned.synchronizer}`)
  t.match(shown(report, 'preparing'), /hashing scheme V2 and V3/)
  t.match(shown(report, 'model-missing'), /conformance-model 1.0.0 is not uploaded .*\. Add upload to --allow/)
  const { run: runs = 0, left = 0, groups = [] } = report.rows ?? {}
  t.equal(
    groups.reduce((sum, { rows }) => sum + rows, 0),
    left,
  )
  t.ok(runs > 100)
  t.ok(groups.some(({ opens }) => opens === '--authorization with the key that signs tokens'))
  const unknown = await diagnoseTarget(withToken(provisioned.url, ofBob, 'unknown'))
  t.match(
    shown(unknown, 'user-unknown'),
    /^stop: the target does not know the user unknown, or the user is deactivated: version .* 403/,
  )
})

t.test('forecasts the rows that a run sends', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const flags = { target: url, only: 'CBI-H*' }
  const report = await call(() => doctorCommand({ ...flags, out: t.testdirName }, false))
  t.equal(report.code, 0)
  t.match(report.stdout, /ok {2}the settings name no token/)
  const [, runs] = /\n(\d+) rows will run, (\d+) will not/.exec(report.stdout) ?? []
  const ran = await callRun(t, flags)
  t.match(
    ran.stdout,
    new RegExp(`(?:^|\\n)${runs} rows on ${url}, judged by profile canton-3.5 \\(the target has version 3.5.10\\)\n`),
  )
  const wrong: [flags: Record<string, string>, code: number, stderr: RegExp][] = [
    [{}, 2, /^target: name the participant to check: --target URL\n$/],
    [{ target: url, wait: 'long' }, 2, /wait/],
    [{ target: url, wait: '99999m' }, 2, /^wait: expected seconds or minutes, such as 60s or 5m, at most a day\n$/],
  ]
  for (const [given, code, stderr] of wrong) {
    const ended = await call(() => doctorCommand(given, false))
    t.equal(ended.code, code)
    t.match(ended.stderr, stderr)
  }
  const dead = await callRun(t, { target: 'http://127.0.0.1:1', wait: '1s', only: 'CBI-H*' })
  t.equal(dead.code, 3)
  t.match(dead.stderr, /^http:.*\(ECONNREFUSED\)\. .* The run waited 1 s\.\n$/)
  const token = ['administrator=no token at all', `alice=${await sign({ sub: 'al', exp: 1000 })}`]
  const without = await call(() => doctorCommand({ target: url, token }, false))
  t.equal(without.code, 2, 'a malformed token is a usage error')
  const ended = await call(() => doctorCommand({ target: url, token: token.slice(1), only: 'CBI-H*' }, false))
  t.equal(ended.code, 1)
  t.match(
    ended.stdout,
    /x {3}alice has no usable token: .* it has expired\. .*\n {6}-> Correct the credential, or remove alice from the callers\./,
  )
})

t.test('waits for a target and its synchronizer, up to the limit', async (t) => {
  const proxy = await proxiedSimulator(t)
  proxy.answerBy({ path: '/.*', answer: (_, __, socket) => socket.destroy() })
  const notices: string[] = []
  const options = optionsOf(readTarget(proxy.url, 'none'), { wait: 60_000 })
  const found = await diagnose(options, new Map(), (sentence) => {
    notices.push(sentence)
    proxy.answerBy(undefined)
  })
  t.equal(verdictOf(found), 'ready')
  t.match(notices, [/^The target is not ready: .* Waiting up to 60 s\.$/, 'The target is ready.'])
  const empty = await startSimulator({ synchronizers: 0 })
  t.teardown(() => empty.close())
  t.match(
    shown(await diagnoseTarget(readTarget(empty.url, 'none')), 'no-synchronizer'),
    /^stop: the target is connected to no synchronizer: GET .* returned an empty list\. Connect the participant to a synchronizer\. Add --wait 60s to wait for it\.$/,
  )
  const waiting: string[] = []
  const still = await diagnoseTarget(readTarget(empty.url, 'none'), { wait: 1000 }, waiting)
  t.match(waiting, [/^The target is not ready: GET .*\/readyz returned 503\. Waiting up to 1 s\.$/])
  t.match(shown(still, 'no-synchronizer'), /The run waited 1 s\.$/)
  t.match(shown(still, 'not-serving'), /^warning: GET \/readyz returned 503/)
  const access = { ...defaultAccess, unreachable: new Set(['readyz'] as const) }
  const withoutProbe: string[] = []
  await diagnoseTarget(readTarget(empty.url, 'none'), { wait: 1000, access }, withoutProbe)
  t.match(withoutProbe, [/^The target is not ready: it is connected to no synchronizer\./])
  const end = new EarlyEnd()
  const ended = diagnose(optionsOf(readTarget(empty.url, 'none'), { wait: 60_000, end }), new Map(), () =>
    end.decide({ cause: 'interrupted', by: 'SIGTERM' }),
  )
  await t.rejects(ended, { name: 'EndedBeforeRows', why: { cause: 'interrupted' } })
})

t.test('reports leftover state, vetting bounds, and a profile for another version', async (t) => {
  const provisioned = await simulatorEnvironment(t)
  const results = t.testdir({})
  const [name = ''] = ping.slice(1).split(':')
  const filter = { packageMetadataFilter: { packageIds: [], packageNamePrefixes: [name] } }
  const { text: listed } = await provisioned.wire.post('/v2/package-vetting/list', filter)
  const [, packageId = '', packageVersion = ''] = /"packageId":"(\w+)".*?"packageVersion":"([^"]*)"/.exec(listed) ?? []
  const entry = { packageId, packageName: name, packageVersion, from: undefined, until: undefined }
  const header = {
    run: 'abcd',
    url: provisioned.url,
    participantId: provisioned.participant,
    at: '2026-01-01T00:00:00Z',
  }
  await mkdir(join(results, 'one'))
  const journal = await ChangeJournal.create(join(results, 'one'), header)
  await journal.recordVetting({ watched: [packageId], vetting: { [provisioned.synchronizer]: [entry] } })
  await journal.close(false)
  const value = {
    packages: [{ packageId: '', packageName: name, packageVersion: '' }],
    newValidFromInclusive: null,
    newValidUntilExclusive: '2099-01-01T00:00:00Z',
  }
  const vetted = await provisioned.wire.post('/v2/package-vetting/update', {
    changes: [{ operation: { Vet: { value } } }],
    dryRun: false,
    synchronizerId: provisioned.synchronizer,
  })
  t.equal(vetted.status, 200, vetted.text)
  const model = [{ title: 'a model 1.0.0', id: 'ab'.repeat(32), dar: '', vetted: true }]
  const old = suite.profiles.get('old') ?? reference
  const found = await diagnoseTarget(readTarget(provisioned.url, 'none'), { results, model, profile: old })
  t.match(
    shown(found, 'left-behind'),
    /^warning: the interrupted run abcd \(2026-01-01 00:00\) changed the vetting: canton-builtin-admin-workflow-ping .* is vetted until 2099-01-01T00:00:00Z, but was vetted without bounds before\. Run conform clean/,
  )
  t.match(shown(found, 'bounds'), new RegExp(`^warning: ${name} .* is vetted only until 2099-01-01T00:00:00Z`))
  t.match(
    shown(found, 'profile-unfit'),
    'warning: the target has version "3.5.10", but the profile old covers 3.4. Use --profile new.',
  )
  t.match(found.rows, { run: 1, left: 1, groups: [{ rows: 1, opens: 'a target with authorization' }] })
  const none = await diagnoseTarget(readTarget(provisioned.url, 'none'), { only: 'ANY/two' })
  t.equal(verdictOf(none), 'senseless')
  t.equal(
    shown(none, 'no-row'),
    'stop: no selected row can run on this target: the target lacks the capability authorization',
  )
  t.match(
    doctorText(provisioned.url, 'senseless', none, false),
    /\n0 rows will run, 1 will not:\n +1 {2}enabled by a target with authorization\n {10}the target lacks the capability authorization\n\nCannot run/,
  )
  await t.rejects(diagnoseTarget(readTarget(provisioned.url, 'none'), { only: 'NO-SUCH' }), { name: 'NothingSelected' })
  t.strictSame(await readdir(join(results, 'one')), ['changes.ndjson'], 'the journal remains for conform clean')
})
