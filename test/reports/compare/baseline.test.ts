/** The comparison of a run with an earlier one. */
import { join } from 'node:path'
import t from 'tap'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import { diffConsole } from '../../../reports/compare/diff-console.js'
import { diffJson } from '../../../reports/compare/diff-json.js'
import { diffMarkdown } from '../../../reports/compare/diff-markdown.js'
import { compareRuns } from '../../../reports/summary/compare-runs.js'
import { conclude } from '../../../reports/summary/conclusion.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { sampleHeader, sampleRecord } from '../../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'

const failing = (id: string, actual: string): RunRow =>
  sampleRow(id, { verdict: 'fail', judgements: [sampleJudgement({ found: [actual], met: false })] })
const unplanned = (id: string): RunRow =>
  sampleRow(id, { verdict: 'not-applicable', reason: said('the target lacks it'), judgements: [], evidence: [] })
const declined = (id: string): RunRow =>
  sampleRow(id, { verdict: 'not-applicable', reason: said('it makes no use of it'), judgements: [] })

const { target } = sampleHeader()

async function compared(before: RunRow[], after: RunRow[], header: Partial<RunHeader> = {}) {
  const [old, now] = [factsOf(await sampleRecord(before)), factsOf(await sampleRecord(after, header))]
  return { old, now, found: compareRuns(old, now) }
}

t.test('a row that is no longer judged is a regression, unless the settings explain it', async (t) => {
  const lost = async (after: RunRow[], header?: Partial<RunHeader>, before = [sampleRow('A/1'), sampleRow('A/2')]) => {
    const { found } = await compared(before, after, header)
    return [found.regressions, found.noLongerJudged.map(({ id }) => id)]
  }
  const [one, two] = [sampleRow('A/1'), sampleRow('A/2')]
  t.same(await lost([one, two]), [0, []])
  t.same(await lost([one, unplanned('A/2')]), [1, ['A/2']], 'pass -> not applicable')
  t.same(await lost([one]), [1, ['A/2']], 'pass -> gone')
  t.same(await lost([one, unplanned('A/2')], {}, [one, failing('A/2', '500')]), [1, ['A/2']], 'a hidden failure')
  t.same(await lost([one, two], {}, [one, unplanned('A/2')]), [0, []], 'newly judged: no regression')
  const versions: Partial<RunHeader>[] = [
    { target: { ...target, version: '3.6.0' } },
    { target: { ...target, protocolVersion: 34 } },
    { allowed: ['read'] },
    { only: 'A/1' },
    { suite: { version: '2', digest: 'ab' } },
    { callers: [{ actor: 'alice', user: 'al', credential: 'env:A', made: false }] },
  ]
  for (const header of versions) {
    t.same(await lost([one, unplanned('A/2')], header), [0, []], JSON.stringify(header))
    t.same(await lost([one], header), [0, []], 'a removed row')
    t.same(await lost([one, declined('A/2')], header), [1, ['A/2']], 'settings do not explain a response')
  }
  t.same(await lost([one, unplanned('A/2')], { tool: { name: 'conform', version: '9' } }), [1, ['A/2']])
  t.same(await lost([one], { plan: ['A/1', 'A/2'] }), [0, []], 'a run that ended early lacks rows that still exist')
  t.same(await lost([one, { ...two, verdict: 'blocked' }]), [1, []], 'a blocked row is a failure')
})

t.test('reports group changes by cause, and contain times only with the option', async (t) => {
  const ids = Array.from({ length: 30 }, (_, index) => `A/${String(index).padStart(2, '0')}`)
  const before = ids.map((id) => sampleRow(id))
  const after = ids.map((id, index) =>
    index < 25 ? failing(id, '503') : index < 28 ? failing(id, '404') : sampleRow(id),
  )
  const slow = { ...sampleRow('A/29'), milliseconds: 9000 }
  const { old, now, found } = await compared(before, [...after.slice(0, -1), slow])
  const text = diffConsole(old, now, found, { color: false })
  t.match(text, /newly failing: 28\n {2}25× pass → fail {2}server error 503\n {6}A\/00\n/)
  t.match(text, /\n {6}and 15 more rows\n {2}3× pass → fail {2}status: expected 200, found 404 \(SAW-1\)\n {6}A\/25\n/)
  t.match(text, '28 regressions, 2 rows unchanged')
  const markdown = diffMarkdown(old, now, found)
  t.match(markdown, /- 25× pass → fail: server error 503\n {2}- `A\/00`\n/)
  const json = diffJson(old, now, found)
  t.match(JSON.parse(json), { summary: { regressions: 28 }, newlyFailing: [{ after: { cause: 'server error 503' } }] })
  for (const [name, report] of Object.entries({ text, markdown, json })) t.notMatch(report, /changed ?timing/i, name)
  t.match(
    diffConsole(old, now, found, { color: false, times: true }),
    /changed timing: 1\n {2}1× pass\n {6}A\/29 {2}415 ms -> 9\.0 s/,
  )
  t.match(diffMarkdown(old, now, found, { times: true }), '`A/29`: 415 ms → 9.0 s')
  t.match(JSON.parse(diffJson(old, now, found, { times: true })).changedTiming, [{ id: 'A/29' }])
})

t.test('a run with fewer judged rows than required is incomplete', async (t) => {
  const rows = [sampleRow('A/1'), unplanned('A/2')]
  t.match(conclude(await sampleRecord(rows, { minJudged: 2 })), {
    outcome: 'incomplete',
    problems: ['1 row was judged, fewer than the required minimum of 2.'],
  })
  t.match(conclude(await sampleRecord(rows, { minJudged: 1 })).problems, [])
})

t.test('with a baseline only regressions end with 1', async (t) => {
  const folder = t.testdir()
  const simulator = await startSimulator({ control: true })
  t.teardown(() => simulator.close())
  const row = { target: simulator.url, profile: 'interface', only: 'CBI-NOT-POPULATED', lateCheck: '0' }
  const first = await callRun(t, { ...row, out: join(folder, 'first') })
  t.equal(first.code, 1, 'it fails')
  const against = { ...row, baseline: join(folder, 'first'), out: join(folder, 'second') }
  const same = await callRun(t, against)
  t.equal(same.code, 0, same.stdout)
  t.match(same.stdout, /\nNo regression, 2 known failures, compared with .*\n\n/)
  t.match(same.stdout, /\nNo regression, 2 known failures, \d+ rows? unchanged/)
  t.equal((await callRun(t, { ...against, minJudged: '500' })).code, 5)
  const fault = { kind: 'status', status: 503, operation: 'contract-by-id' }
  await fetch(`${simulator.url}/control/faults`, { method: 'POST', body: JSON.stringify(fault) })
  const worse = await callRun(t, against)
  t.equal(worse.code, 1)
  t.match(
    worse.stdout,
    /\n5 regressions, compared with .*\n\n✗ 3 rows {2}contract-by-id accepted no valid request .*\n.*\nno longer judged: 2\n/s,
  )
  const later = await conform(
    'report',
    join(folder, 'second'),
    '--baseline',
    join(folder, 'first'),
    '--format',
    'badge',
  )
  t.match(later, { code: 0, stdout: /^5 regressions, compared with .*\n\n✗ 3 rows / })
  t.match(await callRun(t, { ...against, baseline: join(folder, 'nowhere') }), { code: 2, stderr: /cannot be read/ })
})
