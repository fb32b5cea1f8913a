/** Runs that end early: interrupted, killed, without their target, and resumed. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { reportRun } from '../../../cli/output/report-run.js'
import { profileOf } from '../../../cli/target/profile-of.js'
import { judgeAgain } from '../../../runner/judge/judge-again.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { vettingEnvironment } from '../../support/ledgers/vetting-environment.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { withInterruption } from '../../support/processes/program-calls.js'
import { afterLookups, type Hostile, proxiedSimulator } from '../../support/servers/hostile-proxy.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'
import { suiteRun } from '../../support/suites/suite-run.js'
import { inWords } from '../../support/words/in-words.js'

t.test('an interrupted run restores its changes, reports its progress, and can be resumed', async (t) => {
  const environment = await vettingEnvironment()
  t.teardown(() => environment.close())
  const out = t.testdir()
  const { code, isAsBefore, stdout, stderr } = await environment.endedRun(out, 'SIGINT', 3, 0)
  t.equal(code, 5)
  t.ok(isAsBefore)
  t.match(stderr, 'SIGINT')
  const before = await readRun(out)
  t.match(before.footer, { ended: { cause: 'interrupted' }, complete: false, conforming: false })
  t.match(await readFile(join(out, 'latest', 'junit.xml'), 'utf8'), '<error message="SIGINT')

  const [, pasted = ''] = /\ncontinue with: conform (.*)\n$/.exec(stdout) ?? []
  t.match(pasted, /^run --resume \S+ --settings \S+$/)
  const resumed = await conform(...pasted.split(' '))
  t.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
  const after = await readRun(out)
  t.strictSame(after.defects, [])
  t.strictSame(after.header.resumes, [before.header.run])
  const kept = before.rows.filter(({ verdict }) => verdict !== 'blocked')
  t.strictSame(after.rows.slice(0, kept.length), kept, 'judged rows are unchanged')
  t.strictSame(after.header.plan.toSorted(), before.header.plan.toSorted())
  const verdicts = (rows: typeof after.rows) => rows.map(({ id, verdict }) => `${id} ${verdict}`)
  t.strictSame(verdicts(judgeAgain(after).rows), verdicts(after.rows), 'they can be judged again')
})

t.test('a signal before the first configuration ends the run as incomplete, without a row', async (t) => {
  const { code, stderr } = await withInterruption(() => callRun(t, { target: 'http://127.0.0.1:1', only: 'CBI-*' }))
  t.equal(code, 5)
  t.match(stderr, /SIGINT ended the run\. No row was started\.\n$/)
})

t.test('the next run restores the changes of a killed run', async (t) => {
  const environment = await vettingEnvironment()
  t.teardown(() => environment.close())
  const out = t.testdir()
  const ended = await environment.endedRun(out, 'SIGKILL', 1, 0)
  t.equal(ended.code, null)
  t.notOk(ended.isAsBefore, 'it was killed between a change and its restoration')
  const next = await environment.nextRun(out)
  t.ok(next.isAsBefore)
  t.equal(next.code, 0, next.stdout)
  t.match(next.stderr, /^! The interrupted run \w+ /m, 'the restored change is reported')
})

t.test('without a journal the changed vetting is reported, and the run does not conform', async (t) => {
  const environment = await vettingEnvironment()
  t.teardown(() => environment.close())
  const unvet = { packages: [{ packageId: '', packageName: 'conformance-dependent', packageVersion: '1.0.0' }] }
  const body = JSON.stringify({ changes: [{ operation: { Unvet: { value: unvet } } }], dryRun: false })
  const headers = { 'content-type': 'application/json' }
  const url = `${environment.simulator.url}/v2/package-vetting/update`
  t.equal((await fetch(url, { method: 'POST', headers, body })).status, 200)
  const only = 'VET-N*'
  const { code, stdout } = await callRun(t, { target: environment.simulator.url, only })
  t.equal(code, 5)
  t.match(stdout, 'conformance-dependent 1.0.0 is not vetted.')
  const allowed = await callRun(t, { target: environment.simulator.url, only, allow: ['write', 'topology', 'upload'] })
  t.equal(allowed.code, 0, allowed.stdout)
})

t.test('a run during an outage has the verdicts of an undisturbed run', async (t) => {
  const proxy = await proxiedSimulator(t)
  const folder = t.testdir({ suite: {} })
  const suite = await writeLookupSuite(join(folder, 'suite'))
  const flags = { suite, only: ['LOOK-KNOWN', 'LOOK-NOTHING'], seed: 'same' }
  const verdictsIn = async (out: string) =>
    (await readRun(out)).rows.map(({ id, verdict }) => `${id} ${verdict}`).sort()
  const [calm, disturbed] = [join(folder, 'calm'), join(folder, 'disturbed')]
  await callRun(t, { ...flags, out: calm, target: proxy.simulator.url })
  let failedVersions = 0
  // The outage ends after two requests of the run for the version.
  const gone: Hostile = ({ path }, _, socket) => {
    socket.destroy()
    if (path === '/v2/version') failedVersions += 1
    if (failedVersions === 2) proxy.answerBy(undefined)
  }
  afterLookups(proxy, 5, () => proxy.answerBy({ path: '/.*', answer: gone }))
  const { stderr } = await callRun(t, { ...flags, out: disturbed, target: proxy.url })
  t.match(stderr, /has not answered since .*\n.*answers again/)
  t.strictSame(await verdictsIn(disturbed), await verdictsIn(calm))
  t.match((await readRun(disturbed)).footer?.outages, [{ from: String, to: String }])
})

t.test('a target that is not an HTTP server gives one sentence', async (t) => {
  const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const out = t.testdir({ suite: {} })
  const suite = await writeLookupSuite(join(out, 'suite'))
  const { code, stderr } = await callRun(t, { target: `http://127.0.0.1:${port}`, suite, out })
  t.equal(code, 3)
  t.equal(stderr.trimEnd().split('\n').length, 1)
})

t.test('a crashed target ends the run with one cause, on one screen', async (t) => {
  const proxy = await proxiedSimulator(t)
  afterLookups(proxy, 10, () => proxy.answerBy({ path: '/.*', answer: (_, __, socket) => socket.destroy() }))
  const out = t.testdir()
  const recordFile = join(out, 'run.ndjson')
  const suite = await loadSuite(await writeLookupSuite(join(out, 'suite')))
  const own = { suite, profile: profileOf(suite, 'canton-3.5') }
  const record = await suiteRun(proxy.url, { ...own, recordFile, concurrency: 8, patience: 300 })
  const { code, stdout } = await call(() => reportRun(record, recordFile, out, false))
  t.equal(code, 3)
  t.ok(stdout.split('\n').length < 40, stdout)
  const { rows, footer, defects } = await readRun(out)
  t.match(footer, { ended: { cause: 'target-gone' }, complete: false, conforming: false })
  t.ok(rows.length >= 9)
  const causes = new Set(
    rows
      .filter(({ verdict }) => verdict === 'blocked' || verdict === 'fail')
      .map(({ verdict, reason }) => `${verdict}: ${inWords(reason)}`),
  )
  t.ok(causes.size <= 2, [...causes].join('\n'))
  for (const cause of causes) t.match(cause, /^blocked: /)
  t.strictSame(
    defects.filter((defect) => !/plan|rows/.test(defect)),
    [],
  )
})
