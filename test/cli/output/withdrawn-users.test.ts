/** Rights of users are revoked: at the end of a run, after an early end, and later after a kill. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { cleanCommand } from '../../../cli/commands/clean-command.js'
import { exploreCommand } from '../../../cli/commands/explore-command.js'
import { readRun } from '../../../cli/output/read-run.js'
import { profileOf } from '../../../cli/target/profile-of.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { administrator } from '../../support/ledgers/administrator.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { startConform } from '../../support/processes/conform-process.js'
import { recordingGateway, type SeenRequest } from '../../support/servers/gateways.js'
import { tokenServer } from '../../support/servers/token-server.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { suiteRun } from '../../support/suites/suite-run.js'

const secret = 'the secret of a participant'
const authorization = `hs256:${secret}`
const gone = { isDeactivated: true, rights: [] }
const folder = t.testdir({ suite: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
/** One row, with a user of the run. */
const small = { authorization, suite, only: 'LOOK-KNOWN' }

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

const isPatch = ({ method }: SeenRequest): boolean => method === 'PATCH'

const usersIn = (seen: readonly SeenRequest[]): string[] =>
  seen.flatMap(({ method, path, body }) => {
    const [, id] = (method === 'POST' && path === '/v2/users' && /"id":"([^"]+)"/.exec(body)) || []
    return id === undefined ? [] : [id]
  })

t.test('at the end of a run its users have no rights and are deactivated; reports list remaining state', async (t) => {
  const { url, seen, administrator } = await participant(t)
  const out = t.testdir({})
  const { code, stdout } = await callRun(t, { ...small, target: url, out })
  t.equal(code, 0, stdout)
  const users = usersIn(seen)
  t.ok(users.length > 0)
  for (const user of users) t.strictSame(await administrator.state(user), gone, user)
  t.match(await administrator.state('participant_admin'), { isDeactivated: false }, 'existing users')
  const last = seen.findLastIndex(({ path }) => path.startsWith('/v2/commands'))
  t.notOk(seen.slice(0, last).some(isPatch), 'after the last row')
  const { header, footer } = await readRun(out)
  t.strictSame(footer?.withdrawn, users)
  t.strictSame(header.made?.users, users)
  const folder = join(out, 'latest')
  const summary = await readFile(join(folder, 'summary.md'), 'utf8')
  for (const text of [stdout, summary]) t.match(text, `${users.length} deactivated user`)
  t.notOk((await readdir(folder)).includes('changes.ndjson'), 'nothing to restore')
})

t.test('--keep-users keeps them active, also in later runs; clean deactivates them', async (t) => {
  const { url, seen, administrator } = await participant(t)
  const out = t.testdir({})
  const flags = { ...small, target: url, out }
  t.equal((await callRun(t, { ...flags, keepUsers: true })).code, 0)
  const kept = usersIn(seen)
  t.ok(kept.length > 0)
  t.equal((await callRun(t, flags)).code, 0)
  for (const user of kept) t.match(await administrator.state(user), { isDeactivated: false }, user)
  for (const user of usersIn(seen).slice(kept.length)) t.strictSame(await administrator.state(user), gone, user)
  const cleaned = await call(() => cleanCommand(undefined, { target: url, authorization, out }))
  t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
  t.match(cleaned.stdout, `left the user ${kept[0]}. The user is now deactivated`)
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
  const token = [await server.sign('participant_admin')]
  const { code, stdout } = await callRun(t, { target, token, suite, only: 'LOOK-KNOWN', out })
  t.equal(code, 0, stdout)
  t.ok(seen.some(({ method, path }) => method === 'POST' && path === '/v2/users/participant_admin/rights'))
  t.strictSame(await state('participant_admin'), before)
  t.strictSame((await readRun(out)).footer?.withdrawn, ['participant_admin'])
})

t.test('a failed revocation is reported, and the next run repeats it', async (t) => {
  let isRefusing = true
  const { url, seen, administrator } = await participant(t, (request) => isRefusing && isPatch(request))
  const out = t.testdir({})
  const flags = { ...small, target: url, out }
  const { code, stderr } = await callRun(t, flags)
  t.equal(code, 1, 'a run with active users does not conform')
  const users = usersIn(seen)
  const [user = ''] = users
  t.match(stderr, `! The user ${user}, which the run created, may still be active or have rights: `)
  t.match((await readRun(out)).footer, { left: { length: users.length } })
  t.match(await administrator.state(user), { isDeactivated: false })
  isRefusing = false
  const before = seen.length
  const dry = await callRun(t, { ...flags, dryRun: true })
  t.match(dry.stdout, `left the user ${user}, and it is not restored`)
  t.notOk(seen.slice(before).some(isPatch), 'a dry run restores nothing')
  const reading = await callRun(t, { ...flags, allow: ['read'], only: 'LOOK-NOTHING' })
  t.match(reading.stderr, `left the user ${user}, and it is not restored: the permission write is missing`)
  const next = await callRun(t, flags)
  t.match(next.stderr, `left the user ${user}. The user is now deactivated and has no rights.`)
  t.equal(next.code, 0, next.stdout)
  for (const one of usersIn(seen)) t.strictSame(await administrator.state(one), gone)
})

async function lookups(url: string): Promise<Pick<RunOptions, 'suite' | 'profile' | 'target'>> {
  const loaded = await loadSuite(suite)
  return { suite: loaded, profile: profileOf(loaded, 'canton-3.5'), target: readTarget(url, authorization) }
}

t.test('a confirmation without effect is detected', async (t) => {
  const { url, close } = await startSimulator({ authorization })
  t.teardown(() => close())
  const lying = await recordingGateway(t, url, isPatch, 200)
  const out = t.testdir({})
  const { code } = await callRun(t, { ...small, target: lying.url, out })
  t.equal(code, 1)
  t.match((await readRun(out)).footer, { left: { length: usersIn(lying.seen).length } })
})

t.test('a run ends also if the participant no longer answers', async (t) => {
  const { url, close } = await startSimulator({ authorization })
  t.teardown(() => close())
  const silent = await recordingGateway(t, url, isPatch, 'never')
  const notices: string[] = []
  // The limit of one exchange exceeds the limit of this test: only the patience of the run ends it.
  const limits = { timeLimit: 600_000, patience: 500 }
  await suiteRun(
    silent.url,
    { ...(await lookups(silent.url)), recordFile: join(t.testdir({}), 'run.ndjson'), ...limits },
    { notice: (sentence) => void notices.push(sentence) },
  )
  t.equal(notices.length, usersIn(silent.seen).length)
})

t.test('a run that ends early', async (t) => {
  const { url, seen, administrator } = await participant(t)
  const end = new EarlyEnd()
  const recordFile = join(t.testdir({}), 'run.ndjson')
  const { footer } = await suiteRun(
    url,
    { ...(await lookups(url)), recordFile, end, concurrency: 1 },
    { row: () => end.decide({ cause: 'interrupted', by: 'SIGTERM' }) },
  )
  t.match(footer, { complete: false, ended: { cause: 'interrupted' } })
  const users = usersIn(seen)
  t.strictSame(footer?.withdrawn, users)
  for (const user of users) t.strictSame(await administrator.state(user), gone, user)
})

t.test('a run that gets SIGKILL', async (t) => {
  let reached: () => void = () => undefined
  const rowsStarted = new Promise<void>((resolve) => {
    reached = resolve
  })
  const { url, seen, administrator } = await participant(t, ({ path }) => {
    if (path === '/v2/contracts/contract-by-id' && seen.filter((one) => one.path === path).length > 3) reached()
    return false
  })
  const out = t.testdir({})
  const settings = ['--target', url, '--authorization', authorization, '--out', out]
  const run = startConform('run', ...settings, '--suite', suite)
  await rowsStarted
  run.kill('SIGKILL')
  t.equal((await run.ended).code, null)
  const users = usersIn(seen)
  t.match(await administrator.state(users[0] ?? ''), { isDeactivated: false })
  const [folder = ''] = (await readdir(out)).filter((name) => name.startsWith('20'))
  const clean = () => call(() => cleanCommand(join(out, folder), { authorization }))
  const cleaned = await clean()
  t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
  for (const user of users) t.strictSame(await administrator.state(user), gone, user)
  t.match(await clean(), { code: 0, stdout: 'Nothing to restore.\n' })
})

t.test('an exploration restores itself, and clean restores what it could not', async (t) => {
  let isRefusing = true
  const { url, seen, administrator } = await participant(t, (request) => {
    const [first = ''] = usersIn(seen)
    return isRefusing && isPatch(request) && request.path.endsWith(first)
  })
  const out = t.testdir({})
  const sequences = { only: 'contract-by-id', sequences: 1, concurrency: '1' }
  await call(() => exploreCommand({ target: url, authorization, out, seed: 'users', ...sequences }))
  const [left = '', ...others] = usersIn(seen)
  t.match(await administrator.state(left), { isDeactivated: false })
  for (const user of others) t.strictSame(await administrator.state(user), gone, user)
  t.ok(others.length > 0)
  isRefusing = false
  const cleaned = await call(() => cleanCommand(join(out, 'explore-users'), { authorization }))
  t.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr)
  t.strictSame(await administrator.state(left), gone)
})

t.test('clean rejects unknown runs', async (t) => {
  const out = t.testdir({})
  t.match(await call(() => cleanCommand('abcd', { out })), {
    code: 2,
    stderr: /no run abcd in .* has changes to restore/,
  })
  t.match(await call(() => cleanCommand(undefined, { out })), { code: 2, stderr: /name the participant to restore/ })
})
