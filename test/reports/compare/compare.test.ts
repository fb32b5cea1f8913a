/** One page over several runs: nights of one participant, and participants side by side. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import t, { type Test } from 'tap'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { comparePage } from '../../../reports/compare/compare-page.js'
import { seriesOf } from '../../../reports/compare/night-series.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { fileAddress, launchBrowser } from '../../support/processes/browser.js'
import { conform } from '../../support/processes/conform-process.js'
import { hostile, sampleHeader, sampleRecord, writeSample } from '../../support/records/sample-record.js'
import { said, sampleEvidence, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
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

const compared = async (some: typeof nights) =>
  seriesOf(await Promise.all(some.map(async ([rows, header]) => factsOf(await sampleRecord(rows, header)))))

t.test('changed rows have their last change, flaky rows the number of changes', async (t) => {
  const [series, ...others] = await compared(nights.toReversed())
  t.equal(others.length, 0)
  t.same(
    series?.runs.map(({ header }) => header.run),
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
  const found = await compared(some)
  t.same(
    found.map(({ name, changed }) => [name, changed.length]),
    [
      ['the embedded simulator, profile canton-3.5', 0],
      ['http://elsewhere, profile canton-3.5', 0],
      ['the embedded simulator, profile interface', 0],
    ],
  )
  const repeated = { ...rowOf('A/1', 'fail'), repeated: { fail: 1, pass: 2 } }
  t.match((await compared([[[repeated], headerOf(1)]]))[0]?.flaky, [{ id: 'A/1', flips: 0, within: 1 }])
  const merged = headerOf(2, { merged: [{ run: 'night-1', seed: 's' }] })
  t.equal(
    (
      await compared([
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

t.test('a waiver changes no night', async (t) => {
  const reason = said('fail')
  const excused = sampleRow('WAIVED/row', { verdict: 'excused', reason })
  const failed = sampleRow('WAIVED/row', { verdict: 'fail', reason })
  const some: typeof nights = [1, 2, 3, 4].map((night) => [[night % 2 === 0 ? excused : failed], headerOf(night)])
  const [series] = await compared(some)
  t.same([series?.changed, series?.flaky], [[], []])
})

t.test('the command finds all runs in its folders, and its page is accessible and static', async (t) => {
  const folder = t.testdir()
  for (const [index, [rows, header]] of nights.entries())
    await writeSample(join(folder, `results/${index}/run.ndjson`), rows, header)
  await writeFile(join(folder, 'results/0/report.html'), '<!doctype html><title>Report of the first night</title>')
  await symlink('5', join(folder, 'results/latest'), 'dir')
  const header = headerOf(7, { run: hostile, target: { ...target, version: hostile } })
  await writeSample(join(folder, 'more/deep/run.ndjson'), [rowOf('STEADY/row', 'fail')], header)
  await mkdir(join(folder, 'broken'))
  await writeFile(join(folder, 'broken/run.ndjson'), 'nothing\n')
  const out = join(folder, 'pages/compare.html')
  const { code, stdout, stderr } = await conform('compare', folder, '--out', out)
  t.equal(code, 0, stderr)
  t.match(stdout, /the embedded simulator, profile canton-3\.5: 7 runs, 4 rows changed, 1 flaky/)
  t.match(stderr, /skipped .*broken\/run\.ndjson: .*this is not a run record/)
  const { page, messages } = await openPage(t, out)
  const text = await page.locator('main').innerText()
  t.match(text, /Last change: \d regressions?.*newly failing: 1\s+1× .*: fail\s+STEADY\/row/is)
  t.match(text, /BROKEN\/row\s+2026-11-05 01:00:00 UTC/)
  t.match(text, /FLAKY\/row: 4 changes in 6 runs with the same versions/)
  t.match(text, /3\.6\.0.*median 10 ms, 5 % to 95 %: 10 ms to 60 ms/s)
  t.same(messages, [])
  await page.getByRole('link', { name: '2026-11-01 01:00:00 UTC', exact: true }).click()
  t.equal(await page.title(), 'Report of the first night')
  t.match(await conform('compare', join(folder, 'pages')), { code: 2, stderr: /no run record in/ })
  t.match(await conform('compare', join(folder, 'nowhere')), { code: 2, stderr: /does not exist/ })
})

t.test(
  'participants stand side by side, differences first, and each cell links to the report of its run',
  async (t) => {
    const failing = (id: string, rule: string): RunRow =>
      sampleRow(id, { verdict: 'fail', judgements: [sampleJudgement({ rules: [rule], met: false })] })
    const passing = (id: string, rule: string): RunRow =>
      sampleRow(id, { judgements: [sampleJudgement({ rules: [rule] })] })
    const elsewhere = (port: number) => ({ target: { ...target, embedded: false, url: `http://127.0.0.1:${port}` } })
    const one = [passing('A/1', 'SAW-4'), passing('A/2', 'SAW-4'), passing('A/3', 'GEN-9'), failing('A/4', 'SAW-1')]
    const other = [passing('A/1', 'SAW-4'), failing('A/2', 'SAW-4'), passing('A/3', 'GEN-9'), failing('A/4', 'SAW-1')]
    const series = await compared([
      [one, headerOf(1, elsewhere(1))],
      [other, headerOf(2, { ...elsewhere(2), run: hostile })],
      [[{ ...passing('A/1', 'SAW-4'), verdict: 'blocked', judgements: [] }], headerOf(3, elsewhere(3))],
    ])
    const file = join(t.testdir(), 'compare.html')
    await writeFile(
      file,
      comparePage(series, ({ header }) => `${header.startedAt.slice(0, 10)}/report.html`),
    )
    const { page, messages } = await openPage(t, file)
    const tableOf = (name: string) => page.getByRole('group', { name })
    t.match(await tableOf('Operation by participant').innerText(), /submit-and-wait\s+75 %\s+50 %\s+0 %/)
    const [differing, shared] = await tableOf('Rule by participant').all()
    t.match(await differing?.innerText(), /SAW-4 [^\n]+\.\s+✓\s*pass\s+✗\s*fail\s+1\s+–\s*not tested/)
    t.match(await shared?.innerText(), /SAW-1.*✗\s*fail\s+1\s+✗\s*fail\s+1/s)
    t.equal(
      await differing?.getByRole('link', { name: /fail 1/ }).getAttribute('href'),
      '2026-11-02/report.html#/rows?q=rule%3ASAW-4',
    )
    t.same(messages, [])
  },
)

async function openPage(t: Test, file: string): Promise<{ page: Page; messages: string[] }> {
  t.notMatch(await readFile(file, 'utf8'), /<script|<img/)
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  await page.goto(fileAddress(file))
  t.same(await violations(page), [])
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'no sideways scroll on a phone')
  await page.emulateMedia({ colorScheme: 'dark' })
  t.same(await violations(page, ['color-contrast']), [], 'dark')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.screenshot({
    path: `dist/test/screenshots/${t.name.slice(0, 12).replaceAll(' ', '-')}.png`,
    fullPage: true,
  })
  return { page, messages }
}
