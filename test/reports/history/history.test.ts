/** The history of many runs: changed rows, flaky rows and response times. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { historyOf } from '../../../reports/history/history.js'
import { historyRun } from '../../../reports/history/history-run.js'
import { verdictPlot } from '../../../reports/history/plots.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { fileAddress, launchBrowser } from '../../support/processes/browser.js'
import { conform } from '../../support/processes/conform-process.js'
import { hostile, sampleHeader, sampleRecord, writeSample } from '../../support/records/sample-record.js'
import { said, sampleEvidence, sampleRow } from '../../support/records/sample-row.js'
import { violations } from '../page/violations.js'

const rowOf = (id: string, verdict: Verdict, milliseconds = 10): RunRow =>
  sampleRow(id, { verdict, reason: said(verdict), evidence: [sampleEvidence({ milliseconds })] })

const headerOf = (night: number, more: Partial<RunHeader> = {}): Partial<RunHeader> => ({
  run: `night-${night}`,
  startedAt: `2026-11-${String(night).padStart(2, '0')}T01:00:00.000Z`,
  ...more,
})

const { target } = sampleHeader()
const newer = { target: { ...target, version: '3.6.0' } }

/** A fixed row, a row that fails in a new version, a flaky row and a stable row. */
const nights: [rows: RunRow[], header: Partial<RunHeader>][] = [1, 2, 3, 4, 5, 6].map((night) => [
  [
    rowOf('FIXED/row', night < 3 ? 'fail' : 'pass'),
    rowOf('BROKEN/row', night < 5 ? 'pass' : 'fail'),
    rowOf('FLAKY/row', night % 2 === 0 ? 'fail' : 'pass'),
    rowOf('STEADY/row', 'pass', night * 10),
  ],
  headerOf(night, night < 5 ? {} : newer),
])

const history = async (some: typeof nights) =>
  historyOf(
    await Promise.all(some.map(async ([rows, header]) => historyRun(factsOf(await sampleRecord(rows, header))))),
  )

t.test('changed rows have their last change, flaky rows the number of changes', async (t) => {
  const [series, ...others] = await history(nights.toReversed())
  t.equal(others.length, 0)
  t.same(
    series?.runs.map(({ run }) => run),
    nights.map(([, { run }]) => run),
    'oldest first',
  )
  t.same(
    series?.changed.map(({ id, last }) => [id, last]),
    [
      ['FLAKY/row', 5],
      ['BROKEN/row', 4],
      ['FIXED/row', 2],
    ],
  )
  t.same(series?.changed[1]?.verdicts, ['pass', 'pass', 'pass', 'pass', 'fail', 'fail'])
  t.same(
    series?.flaky,
    [{ id: 'FLAKY/row', flips: 4, runs: 6, within: 0 }],
    'a change with a new version, or a single change, is not flaky',
  )
})

t.test('each target and profile is a series, and a missing row is no change', async (t) => {
  const some: typeof nights = [
    [[rowOf('A/1', 'pass')], headerOf(1)],
    [[rowOf('A/2', 'pass')], headerOf(2)],
    [[rowOf('A/1', 'pass')], headerOf(3)],
    [[rowOf('A/1', 'fail')], headerOf(4, { target: { ...target, embedded: false, url: 'http://elsewhere' } })],
    [[rowOf('A/1', 'fail')], headerOf(5, { profile: { name: 'interface', title: 'The text', divergences: [] } })],
  ]
  const found = await history(some)
  t.same(
    found.map(({ name, changed }) => [name, changed.length]),
    [
      ['the embedded simulator, profile canton-3.5', 0],
      ['http://elsewhere, profile canton-3.5', 0],
      ['the embedded simulator, profile interface', 0],
    ],
  )
  const repeated = { ...rowOf('A/1', 'fail'), repeated: { fail: 1, pass: 2 } }
  t.match((await history([[[repeated], headerOf(1)]]))[0]?.flaky, [{ id: 'A/1', flips: 0, within: 1 }])
  const merged = headerOf(2, { merged: [{ run: 'night-1', seed: 's' }] })
  t.equal(
    (
      await history([
        [[rowOf('A/1', 'pass')], headerOf(1)],
        [[rowOf('A/1', 'pass')], merged],
      ])
    )[0]?.runs.length,
    1,
    'a merged run replaces its parts',
  )
})

t.test('the percentiles are those of the response times', async (t) => {
  const times = Array.from({ length: 100 }, (_, index) => 100 - index)
  const spread = async (some: number[]) => {
    const rows = some.map((time, index) => rowOf(`A/${index}`, 'pass', time))
    return factsOf(await sampleRecord(rows)).latency['submit-and-wait']
  }
  t.same(await spread(times), { p5: 5, median: 50, p95: 95, answers: 100 })
  t.same(await spread([7]), { p5: 7, median: 7, p95: 7, answers: 1 })
})

t.test('the command finds all runs in its folders, and its page has plots, is accessible and static', async (t) => {
  const folder = t.testdir()
  for (const [index, [rows, header]] of nights.entries())
    await writeSample(join(folder, `results/${index}/run.ndjson`), rows, header)
  await writeFile(join(folder, 'results/0/report.html'), '<!doctype html><title>Report of the first night</title>')
  await symlink('5', join(folder, 'results/latest'), 'dir')
  const header = headerOf(7, { run: hostile, target: { ...target, version: hostile } })
  await writeSample(join(folder, 'more/deep/run.ndjson'), [rowOf('STEADY/row', 'fail')], header)
  await mkdir(join(folder, 'broken'))
  await writeFile(join(folder, 'broken/run.ndjson'), 'nothing\n')
  const out = join(folder, 'pages/history.html')
  const { code, stdout, stderr } = await conform('history', folder, '--out', out)
  t.equal(code, 0, stderr)
  t.match(stdout, /the embedded simulator, profile canton-3\.5: 7 runs, 4 rows changed, 1 flaky/)
  t.match(stderr, /skipped .*broken\/run\.ndjson: .*this is not a run record/)
  const text = await readFile(out, 'utf8')
  t.notMatch(text, /<script|<img/)

  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  await page.goto(fileAddress(out))
  t.equal(await page.getByRole('group', { name: 'Rows by verdict in 7 runs' }).count(), 1)
  t.equal(await page.getByRole('img', { name: /^Response times of submit-and-wait in 7 runs/ }).count(), 1)
  const dates = await page.locator('.plot').first().locator('.date').allTextContents()
  t.same(
    dates,
    ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-11-${day}`),
  )
  t.match(await page.locator('table.changes').innerText(), /BROKEN\/row\s+2026-11-05 01:00:00 UTC/)
  t.match(await page.locator('main').innerText(), /FLAKY\/row: 4 changes in 6 runs with the same versions/)
  t.match(await page.locator('main').innerText(), /3\.6\.0.*median 10 ms, 5 % to 95 %: 10 ms to 60 ms/s)
  await page.screenshot({ path: 'dist/test/screenshots/history.png', fullPage: true })
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
  t.same(await violations(page), [])
  t.same(messages, [], 'the policy permits the style of the page')
  await page.getByRole('link', { name: '2026-11-01 01:00:00 UTC', exact: true }).click()
  t.equal(await page.title(), 'Report of the first night')
  t.match(await conform('history', join(folder, 'pages')), { code: 2, stderr: /no run record in/ })
  t.match(await conform('history', join(folder, 'nowhere')), { code: 2, stderr: /does not exist/ })
})

t.test('one failure is visible beside 2,000 passes', async (t) => {
  const passed = Array.from({ length: 2000 }, (_, index) => rowOf(`A/${index}`, 'pass'))
  const [series] = await history([[[...passed, rowOf('B/1', 'fail')], headerOf(1)]])
  const plot = verdictPlot(series?.runs ?? [], () => undefined).text
  const heights = [...plot.matchAll(/<rect class="fail"[^>]* height="([\d.]+)"/g)].map(([, height]) => Number(height))
  t.ok(Math.max(...heights) > 50, `${heights}`)
})
