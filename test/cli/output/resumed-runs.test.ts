/** Resumed runs, and reasons to reject them: another target, tool or suite. */
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { cleanCommand } from '../../../cli/commands/clean-command.js'
import { endAfter } from '../../../cli/console/interruption.js'
import { readRun } from '../../../cli/output/read-run.js'
import { lockFolder } from '../../../cli/output/results-folder.js'
import { profileOf } from '../../../cli/target/profile-of.js'
import type { RunHeader } from '../../../record/types/record.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { earlierRun } from '../../../runner/preflight/resume.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { afterLookups, type Hostile, proxiedSimulator } from '../../support/servers/hostile-proxy.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'
import { suiteRun } from '../../support/suites/suite-run.js'

t.test('a run ends if another participant answers after an outage', async (t) => {
  const proxy = await proxiedSimulator(t)
  const other = {
    path: '/v2/parties/participant-id',
    answer: (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"participantId":"another::1220ab"}'),
  }
  let failedVersions = 0
  // The other participant answers after two requests of the run for the version.
  const absent: Hostile = ({ path }, _, socket) => {
    socket.destroy()
    if (path === '/v2/version') failedVersions += 1
    if (failedVersions === 2) proxy.answerBy(other)
  }
  afterLookups(proxy, 5, () => proxy.answerBy({ path: '/.*', answer: absent }))
  const out = t.testdir({ suite: {} })
  const suite = await writeLookupSuite(join(out, 'suite'))
  const gone = await callRun(t, { out, target: proxy.url, suite })
  t.equal(gone.code, 3)
  t.match(
    gone.stdout,
    /^The target stopped answering at .* and answered again as a different participant \("another::1220ab"\)/m,
  )
  t.notOk((await readRun(out)).rows.some(({ verdict }) => verdict === 'fail'))
  const resumed = await callRun(t, { out, resume: out, target: proxy.url, suite })
  t.match(resumed, {
    code: 2,
    stderr: /^resume: the participant was .* in that run and is another::1220ab now\. Start a new run\.\n$/,
  })
})

t.test('a run resumes only with equal settings', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const folder = t.testdir({ suite: {} })
  const recordFile = join(folder, 'run.ndjson')
  const end = new EarlyEnd()
  const row = () => end.decide({ cause: 'interrupted', by: 'SIGTERM' })
  const small = await loadSuite(await writeLookupSuite(join(folder, 'suite')))
  const own = { suite: small, profile: profileOf(small, 'canton-3.5') }
  const ended = await suiteRun(simulator.url, { ...own, recordFile, end, concurrency: 1 }, { row })
  const record = await readRun(recordFile)
  t.strictSame(ended, record, 'the returned record equals the read one, with its defects')
  const { header } = record
  const { profile, suite, target, tool } = header
  const others: [what: RegExp, changed: Partial<RunHeader>][] = [
    [/^resume: the tool was .* 0 in that run and is .* now\. Start a new run\.$/, { tool: { ...tool, version: '0' } }],
    [/^resume: the version of the target was 2 in that run and is /, { target: { ...target, version: '2' } }],
    [/^resume: the protocol version was 34 in that run and is 35 now/, { target: { ...target, protocolVersion: 34 } }],
    [/^resume: the suite has changed since that run\./, { suite: { ...suite, digest: '' } }],
    [
      /^resume: that run used the profile x, not canton-3.5\. Use --profile x\.$/,
      { profile: { ...profile, name: 'x' } },
    ],
  ]
  for (const [index, [message, changed]] of others.entries()) {
    const resume = earlierRun({ ...record, header: { ...header, ...changed } })
    const file = `${recordFile}.${index}`
    await t.rejects(suiteRun(simulator.url, { ...own, recordFile: file, resume }), {
      name: 'UsageError',
      message,
    })
  }
  const made = { ...header.made, parties: [], users: [], rights: [], contracts: [], packages: ['conformance-model'] }
  const resume = earlierRun({ ...record, header: { ...header, made } })
  const whole = await suiteRun(simulator.url, { ...own, recordFile: `${recordFile}.all`, resume })
  t.match(whole.footer, { complete: true, conforming: true })
  t.strictSame(whole, await readRun(`${recordFile}.all`))
  t.strictSame(whole.header.made?.packages, ['conformance-model'], 'the interrupted run uploaded it')
})

t.test('clean is rejected during a run', async (t) => {
  const out = t.testdir()
  const { release } = await lockFolder(out)
  const flags = { out, target: 'http://127.0.0.1:1' }
  t.match(await call(() => cleanCommand(undefined, flags)), { code: 2, stderr: /^out: another process uses / })
  await release()
  t.match(await call(() => cleanCommand(undefined, flags)), { code: 3, stderr: /cannot be reached/ })
})

t.test('a time limit of months does not end a run immediately', (t) => {
  const timers: number[] = []
  const start = ((_: () => void, milliseconds: number) => {
    timers.push(milliseconds)
    return setTimeout(() => undefined)
  }) as typeof setTimeout // the form that the function calls
  endAfter(1, new EarlyEnd(), start)()
  endAfter(40_000, new EarlyEnd(), start)()
  t.strictSame(timers, [60_000])
  t.end()
})
