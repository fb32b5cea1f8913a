/** The printed command continues a run that reached its time limit or lost its target. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { afterLookups, proxiedSimulator } from '../../support/servers/hostile-proxy.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'

/** `reached` is called when the target receives the 10th request under test. */
async function participant(t: Test, reached: () => void) {
  const proxy = await proxiedSimulator(t)
  afterLookups(proxy, 10, reached)
  return proxy
}

async function expectContinuable(t: Test, out: string, stdout: string): Promise<void> {
  const [, pasted = ''] = /\ncontinue with: conform (.*)\n$/.exec(stdout) ?? []
  const before = await readRun(out)
  const resumed = await conform(...pasted.split(' '))
  t.equal(resumed.code, 0, `${pasted}\n${resumed.stdout}${resumed.stderr}`)
  const after = await readRun(out)
  t.strictSame(after.header.resumes, [before.header.run])
  t.equal(after.rows.length, after.header.plan.length)
}

const suite = await writeLookupSuite(join(t.testdir({ suite: {} }), 'suite'))
const flags = { suite, concurrency: '4' }

t.test('after --max-time', async (t) => {
  let timeIsOver: () => void = () => undefined
  const proxy = await participant(t, () => timeIsOver())
  const start = globalThis.setTimeout
  // The minute ends with the 10th request.
  t.intercept(globalThis, 'setTimeout', {
    value: (callback: (...values: unknown[]) => void, milliseconds?: number, ...rest: unknown[]) => {
      if (milliseconds === 60_000) timeIsOver = callback
      return start(callback, milliseconds ?? 0, ...rest)
    },
  })
  const out = join(t.testdir({}), 'results')
  const { code, stdout } = await callRun(t, { ...flags, target: proxy.url, out, maxTime: '1' })
  t.equal(code, 5, stdout)
  t.match((await readRun(out)).footer, { ended: { cause: 'time-over' } })
  await expectContinuable(t, out, stdout)
})

t.test('after the target was lost', async (t) => {
  const proxy = await participant(t, () => {
    proxy.answerBy({ path: '/.*', answer: (_, __, socket) => socket.destroy() })
  })
  const out = join(t.testdir({}), 'results')
  const { code, stdout } = await callRun(t, { ...flags, target: proxy.url, out })
  t.equal(code, 3, stdout)
  t.match((await readRun(out)).footer, { ended: { cause: 'target-gone' } })
  proxy.answerBy(undefined)
  await expectContinuable(t, out, stdout)
})

t.test('--fail-fast 3 ends the run after three failures', async (t) => {
  const proxy = await participant(t, () => undefined)
  // The control of the rows is accepted.
  proxy.answerBy({
    path: '/v2/contracts/contract-by-id',
    answer: ({ status, headers, body }, response) => {
      response.writeHead(status === 200 ? 200 : 500, headers).end(body)
    },
  })
  const out = join(t.testdir({}), 'results')
  const { code, stdout } = await callRun(t, {
    ...flags,
    only: 'LOOK-WORDS',
    target: proxy.url,
    out,
    failFast: '3',
    concurrency: '1',
  })
  t.equal(code, 1, stdout)
  const { rows, header, footer } = await readRun(out)
  t.match(footer, { ended: { cause: 'failed-enough' } })
  const failed = rows.filter(({ verdict }) => verdict === 'fail').length
  // One row can start before the third is judged.
  t.ok(failed === 3 || failed === 4, String(failed))
  t.ok(rows.length < header.plan.length)
})

t.test('--fail-fast counts no blocked rows', async (t) => {
  const proxy = await participant(t, () => undefined)
  // No fixture can be created.
  proxy.answerBy({
    path: '/v2/commands/submit-and-wait',
    answer: (_, response) => void response.writeHead(404).end(),
  })
  const out = join(t.testdir({}), 'results')
  const { code, stdout } = await callRun(t, { only: 'CBI-BODY/*', target: proxy.url, out, failFast: '1' })
  t.equal(code, 5, stdout)
  const { rows, header } = await readRun(out)
  t.equal(rows.length, header.plan.length)
  t.ok(rows.every(({ verdict }) => verdict === 'blocked' || verdict === 'not-applicable'))
  t.ok(rows.some(({ verdict }) => verdict === 'blocked'))
})
