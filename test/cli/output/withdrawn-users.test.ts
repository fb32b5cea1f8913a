/** Rights of users are revoked: at the end of a run, after an interruption, and later after a kill. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { cleanCommand } from '../../../cli/commands/clean-command.js'
import { readRun } from '../../../cli/output/read-run.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { run } from '../../../runner/run/run.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { administrator } from '../../support/ledgers/administrator.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { startConform } from '../../support/processes/conform-process.js'
import { recordingGateway, type SeenRequest } from '../../support/servers/gateways.js'
import { tokenServer } from '../../support/servers/token-server.js'
import { readTarget } from '../../support/suites/plain-target.js'

const secret = 'the secret of a participant'
const authorization = `hs256:${secret}`
const gone = { isDeactivated: true, rights: [] }

const adminToken = (): Promise<string> =>
  new SignJWT({ sub: 'participant_admin', scope: 'daml_ledger_api', exp: Math.floor(Date.now() / 1000) + 299 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))

async function participant(t: Test, isRefused?: (request: SeenRequest) => boolean) {
  const { url, close } = await startSimulator({ authorization })
  t.teardown(() => close())
  const gateway = await recordingGateway(t, url, isRefused)
  return { ...gateway, administrator: administrator(t, url, await adminToken()) }
}

const usersIn = (seen: readonly SeenRequest[]): string[] =>
  seen.flatMap(({ method, path, body }) => {
    const [, id] = (method === 'POST' && path === '/v2/users' && /"id":"([^"]+)"/.exec(body)) || []
    return id === undefined ? [] : [id]
  })

t.test(
  'at the end of a run its users have no rights and are deactivated; the report lists remaining state',
  async (t) => {
    const { url, seen, administrator } = await participant(t)
    const out = t.testdir({})
    const { code, stdout } = await callRun(t, { target: url, authorization, only: 'SAW-RIGHTS*', out })
    t.equal(code, 0, stdout)
    const users = usersIn(seen)
    t.equal(users.length, 15)
    for (const user of users) t.strictSame(await administrator.state(user), gone, user)
    t.match(await administrator.state('participant_admin'), { isDeactivated: false }, 'existing users')
    const last = seen.findLastIndex(({ path }) => path.startsWith('/v2/commands'))
    t.notOk(
      seen.slice(0, last).some(({ method }) => method === 'PATCH'),
      'after the last row',
    )
    const { header, footer } = await readRun(out)
    t.strictSame(footer?.withdrawn, users)
    t.strictSame(header.made?.users, users)
    t.match(
      stdout,
      /Remains on the participant: 3 parties, 15 deactivated users without rights, the transactions of \d+ accepted submissions\.\n/,
    )
    const folder = join(out, 'latest')
    const summary = await readFile(join(folder, 'summary.md'), 'utf8')
    t.match(summary, /- 15 deactivated users without rights: `conformance-/)
    t.notOk((await readdir(folder)).includes('changes.ndjson'), 'nothing to restore')
  },
)

t.test('--keep-users keeps them active, also in later runs; clean deactivates them', async (t) => {
  const { url, seen, administrator } = await participant(t)
  const out = t.testdir({})
  const flags = { target: url, authorization, only: 'SAW-RIGHTS*', out }
  const { code, stdout } = await callRun(t, { ...flags, keepUsers: true })
  t.equal(code, 0, stdout)
  const kept = usersIn(seen)
  t.equal(kept.length, 15)
  t.match(stdout, /15 active users \(--keep-users; conform clean deactivates them\)/)
  t.equal((await callRun(t, flags)).code, 0)
  for (const user of kept) t.match(await administrator.state(user), { isDeactivated: false }, user)
  for (const user of usersIn(seen).slice(15)) t.strictSame(await administrator.state(user), gone, user)
  const cleaned = await call(t, () => cleanCommand(undefined, { target: url, authorization, out }))
  t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
  t.match(cleaned.stdout, new RegExp(`^The run .* left the user ${kept[0]}. The user is now deactivated`))
  for (const user of kept) t.strictSame(await administrator.state(user), gone, user)
})

t.test('an existing user loses only the rights of the run', async (t) => {
  const server = await tokenServer(t, {})
  const { url, close } = await startSimulator({ authorization: `jwks:${server.jwks}` })
  t.teardown(() => close())
  const { seen, url: target } = await recordingGateway(t, url)
  const { state } = administrator(t, url, await server.sign('participant_admin'))
  const before = await state('participant_admin')
  const out = t.testdir({})
  const token = [`administrator=${await server.sign('participant_admin')}`]
  const { code, stdout } = await callRun(t, { target, token, only: 'SAW-US*', out })
  t.equal(code, 0, stdout)
  t.ok(seen.some(({ method, path }) => method === 'POST' && path === '/v2/users/participant_admin/rights'))
  t.strictSame(await state('participant_admin'), before)
  t.strictSame((await readRun(out)).footer?.withdrawn, ['participant_admin'])
})

t.test('a failed revocation is reported, and the next run repeats it', async (t) => {
  let isRefusing = true
  const { url, seen, administrator } = await participant(t, ({ method }) => isRefusing && method === 'PATCH')
  const out = t.testdir({})
  const flags = { target: url, authorization, only: 'SAW-RIGHTS*', out }
  const { code, stdout, stderr } = await callRun(t, flags)
  t.equal(code, 1, 'a run with active users does not conform')
  const [user = ''] = usersIn(seen)
  const sentence = `The user ${user}, which the run created, may still be active or have rights: the user is not deactivated; update-user`
  t.ok(stderr.includes(`! ${sentence}`), stderr)
  t.match((await readRun(out)).footer, { left: { length: 15 } })
  t.match(stdout, /15 users that may still be active/)
  const { isDeactivated } = await administrator.state(user)
  t.equal(isDeactivated, false)
  isRefusing = false
  const before = seen.length
  const dry = await callRun(t, { ...flags, dryRun: true })
  t.match(dry.stdout, `left the user ${user}, and it is not restored`)
  t.notOk(
    seen.slice(before).some(({ method }) => method === 'PATCH'),
    'a dry run restores nothing',
  )
  const reading = await callRun(t, { ...flags, allow: ['read'], only: 'VET-DRY/*' })
  t.match(
    reading.stderr,
    /left the user .*, and it is not restored: the permission write is missing; run conform clean to restore it/,
  )
  const next = await callRun(t, flags)
  t.match(next.stderr, `left the user ${user}. The user is now deactivated and has no rights.`)
  t.equal(next.code, 0, next.stdout)
  for (const one of usersIn(seen)) t.strictSame(await administrator.state(one), gone)
})

t.test('a confirmation without effect is detected', async (t) => {
  const { url, close } = await startSimulator({ authorization })
  t.teardown(() => close())
  const lying = await recordingGateway(t, url, ({ method }) => method === 'PATCH', 200)
  const { code, stderr } = await callRun(t, {
    target: lying.url,
    authorization,
    only: 'SAW-RIGHTS*',
    out: t.testdir({}),
  })
  t.equal(code, 1)
  t.match(stderr, /may still be active or have rights: the user is not deactivated/)
})

t.test('a run ends also if the participant no longer answers', async (t) => {
  const { url, close } = await startSimulator({ authorization })
  t.teardown(() => close())
  const silent = await recordingGateway(t, url, ({ method }) => method === 'PATCH', 'never')
  const suite = await loadSuite(fileURLToPath(new URL('../../../../suites', import.meta.url)))
  const profile = suite.profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no such profile')
  const notices: string[] = []
  const begin = performance.now()
  await run(
    {
      ...{ suite, profile, target: readTarget(silent.url, authorization), embedded: false, only: 'SAW-RIGHTS*' },
      ...{ recordFile: join(t.testdir({}), 'run.ndjson'), tool: { name: 'test', version: '0' } },
      ...{ concurrency: 8, timeLimit: 600_000, patience: 500 },
    },
    { planned: () => undefined, row: () => undefined, notice: (sentence) => void notices.push(sentence) },
  )
  t.ok(performance.now() - begin < 300_000, 'long before the time limit of one exchange')
  t.equal(notices.length, 15)
  t.match(notices[0], /may still be active or have rights: the time limit is reached\. The next run, or conform clean/)
})

for (const [signal, code] of [
  ['SIGINT', 5],
  ['SIGKILL', null],
] as const) {
  t.test(`a run that gets ${signal}`, async (t) => {
    let reached: () => void = () => undefined
    const rowsStarted = new Promise<void>((resolve) => {
      reached = resolve
    })
    const { url, seen, administrator } = await participant(t, ({ path }) => {
      if (path === '/v2/commands/submit-and-wait' && seen.filter((one) => one.path === path).length > 3) reached()
      return false
    })
    const out = t.testdir({})
    const run = startConform('run', '--target', url, '--authorization', authorization, '--only', 'SAW-R*', '--out', out)
    await rowsStarted
    run.kill(signal)
    t.equal((await run.ended).code, code)
    const users = usersIn(seen)
    t.equal(users.length, 15)
    if (signal === 'SIGKILL') {
      t.match(await administrator.state(users[0] ?? ''), { isDeactivated: false })
      const [folder = ''] = (await readdir(out)).filter((name) => name.startsWith('20'))
      const cleaned = await call(t, () => cleanCommand(join(out, folder), { authorization }))
      t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
      t.match(cleaned.stdout, `left the user ${users[0]}. The user is now deactivated and has no rights.`)
      const again = await call(t, () => cleanCommand(join(out, folder), { authorization }))
      t.match(again, { code: 0, stdout: 'Nothing to restore.\n' })
    }
    for (const user of users) t.strictSame(await administrator.state(user), gone, user)
  })
}

t.test('clean restores a killed exploration, and a complete exploration restores itself', async (t) => {
  let reached: () => void = () => undefined
  const explorationStarted = new Promise<void>((resolve) => {
    reached = resolve
  })
  const { url, seen, administrator } = await participant(t, ({ path }) => {
    if (path === '/v2/commands/submit-and-wait' && seen.filter((one) => one.path === path).length > 3) reached()
    return false
  })
  const out = t.testdir({})
  const settings = ['--target', url, '--authorization', authorization, '--out', out]
  const explore = ['explore', ...settings, '--seed', 'killed', '--concurrency', '2']
  const killed = startConform(...explore)
  await explorationStarted
  killed.kill('SIGKILL')
  await killed.ended
  const users = usersIn(seen)
  t.ok(users.length > 0)
  t.match(await administrator.state(users[0] ?? ''), { isDeactivated: false })
  const cleaned = await call(t, () => cleanCommand(join(out, 'explore-killed'), { authorization }))
  t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
  for (const user of users) t.strictSame(await administrator.state(user), gone, user)
  const ended = startConform(...explore, '--sequences', '1')
  t.equal((await ended.ended).code, 0)
  for (const user of usersIn(seen)) t.strictSame(await administrator.state(user), gone, user)
  t.notOk((await readdir(join(out, 'explore-killed'))).includes('changes.ndjson'), 'nothing to restore')
})

t.test('clean rejects unknown runs', async (t) => {
  const out = t.testdir({})
  t.match(await call(t, () => cleanCommand('abcd', { out })), {
    code: 2,
    stderr: /no run abcd in .* has changes to restore/,
  })
  t.match(await call(t, () => cleanCommand(undefined, { out })), { code: 2, stderr: /name the participant to restore/ })
})
