/** The HTML page in comparison, print, color schemes and small windows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../../../record/types/record.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { summaryText } from '../../../reports/summary/summary-file.js'
import { sampleHeader, sampleRecord, sampleRows } from '../../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { openReport } from './report-page.js'
import { violations } from './violations.js'

const record = await sampleRecord()

/** One fixed row, one newly failing row, one other cause, and without the last row. */
async function earlier(): Promise<RunRecord> {
  const rows = sampleRows().map((row) => {
    if (row.id === 'SAW-COMMAND-ID/blank') {
      const { title, source } = row.resolved
      return sampleRow(row.id, {}, { title, source })
    }
    if (row.id === 'SAW-CREATE/plain') return { ...row, verdict: 'fail' as const, milliseconds: 3000 }
    return row.id === 'VET-DRY-RUN/set-up' ? { ...row, reason: said('The target answered 500.') } : row
  })
  return sampleRecord(rows.slice(0, -1), {
    run: 'the-day-before',
    profile: { name: 'interface', title: 'The text', divergences: [] },
  })
}

t.test('a report with two runs shows the changes, and a row in both runs', async (t) => {
  const { page, picture, messages } = await openReport(record, { baseline: factsOf(await earlier()), view: 'compare' })
  t.match(
    await page.locator('.outcome').innerText(),
    /2 regressions, 4 known failures\s+This run \(2026-11-21T12-00-00Z-7f3a.* the-day-before/s,
  )
  const counts = await page.getByRole('list', { name: 'Changes by kind' }).innerText()
  t.match(
    counts,
    /2\s+newly failing\s+0\s+no longer judged\s+1\s+newly passing\s+0\s+changed verdict\s+1\s+same verdict, other cause\s+0\s+added/,
  )
  t.match(await page.locator('main').innerText(), /Different settings\s+profile: interface → canton-3\.5/)
  const timing = page.getByRole('region', { name: /^changed timing/ })
  t.equal(await timing.count(), 0, 'changed timing requires an option')
  t.notMatch(counts, 'changed timing')
  await page.getByLabel('Show rows with much longer or shorter times').check()
  t.match(await timing.innerText(), /SAW-CREATE\/plain.*3\.0 s → 415 ms/s)
  const failing = page.getByRole('region', { name: /^newly failing/ })
  t.match(await failing.innerText(), /^newly failing 2\s+1× server error 500\s/i)
  await picture('compare-light')
  await page
    .getByRole('region', { name: /^newly failing/ })
    .getByRole('link', { name: /SAW-COMMAND-ID/ })
    .click()
  const before = page.getByRole('region', { name: 'Before' })
  const now = page.getByRole('region', { name: 'Now' })
  t.match(await before.innerText(), /✓ pass/)
  t.match(await now.innerText(), /✗ fail.*The status was 500 where 400 is expected\..*status: expected 400, found 500/s)
  await picture('compare-row-light')
  const timed = await openReport(record, { baseline: factsOf(await earlier()), view: 'compare', times: true })
  t.match(await timed.page.getByRole('list', { name: 'Changes by kind' }).innerText(), /1\s+changed timing/)
  t.same(messages, [])
})

t.test('the reader can select a second run from disk; the page rejects other files with a message', async (t) => {
  const { page, requests } = await openReport(record, { hash: '#/compare' })
  const path = join(t.testdir(), 'summary.json')
  writeFileSync(path, '{"type":"summary","format":7}')
  await page.getByLabel('Summary of a run').setInputFiles(path)
  t.match(await page.getByRole('alert').innerText(), 'summary.json is not the summary of a run')
  const old = await earlier()
  writeFileSync(path, summaryText(factsOf(old), []))
  await page.getByLabel('Summary of a run').setInputFiles(path)
  await page.getByRole('heading', { name: /^2 regressions/ }).waitFor()
  t.equal(await page.locator('.note').count(), 0, 'the earlier run has no problem')
  await page.getByRole('button', { name: 'Compare with another run' }).click()
  const { footer: _, ...cut } = { ...old, rows: old.rows.slice(0, -1), defects: ['The record has no footer.'] }
  writeFileSync(path, summaryText(factsOf(cut), []))
  await page.getByLabel('Summary of a run').setInputFiles(path)
  await page.locator('.note').first().waitFor()
  t.match(await page.locator('.note').allInnerTexts(), [/The record has no footer/])
  t.same(requests, [], 'the page sends nothing')
})

t.test('the page of an incomplete record begins with its problems', async (t) => {
  const { footer: _, ...cutShort } = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport({ ...cutShort, defects: ['There is no footer: the run was stopped.'] })
  t.match(await page.locator('main').innerText(), /^! Problems of this run\s+There is no footer: the run/)
  t.match(await page.locator('.outcome').innerText(), /INCOMPLETE: .* \(profile canton-3\.5\)/)
  t.match(await page.locator('main .facts').innerText(), 'unknown: the record has no footer')
  await picture('truncated-light')
  const target = { ...cutShort.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 3 } }
  const { rules } = sampleHeader()
  const own = rules.filter(({ id, untestable }) => id === 'SAW-1' || untestable !== undefined)
  const good = await openReport(await sampleRecord([sampleRow('SAW-CREATE/plain')], { target, rules: own }))
  t.match(
    await good.page.locator('main .facts').innerText(),
    'target.yaml; unreachable: prepare; 3 presigned transactions',
  )
  t.match(await good.page.locator('.outcome').innerText(), /✓\s+PASS: .*; 1 mandatory rule not tested \(profile /)
  t.equal(await good.page.getByRole('alert').count(), 0)
  await good.goTo('#/failures')
  await good.page.getByText('✓ No row failed.').waitFor()
})

t.test('the summary lists the waivers with reason, owner and expiry date', async (t) => {
  const waivers = [
    {
      row: 'SAW-WAIVED/*',
      reason: 'a fix is in progress',
      owner: 'Ann',
      until: '2027-01-31',
      link: 'https://tracker.example/1',
    },
  ]
  const { page } = await openReport(await sampleRecord(sampleRows(), { waivers }))
  t.match(
    await page.getByRole('region', { name: 'Waivers' }).innerText(),
    /1 row excused.*row SAW-WAIVED\/\*: a fix is in progress \(Ann, until 2027-01-31, https:\/\/tracker\.example\/1\)/s,
  )
  t.same(await violations(page), [])
})

t.test('the color scheme follows the system until the reader selects one, and the selection persists', async (t) => {
  const background = (page: Page) => page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
  const light = 'rgb(255, 255, 255)'
  const { page } = await openReport(record, { colorScheme: 'light' })
  t.equal(await background(page), light)
  await page.emulateMedia({ colorScheme: 'dark' })
  t.not(await background(page), light)
  await page.getByRole('radio', { name: 'light' }).check()
  t.equal(await background(page), light, 'the selection overrides the system')
  await page.reload()
  await page.locator('main').waitFor()
  t.equal(await background(page), light, 'a reload keeps the selection')
})

t.test('on a phone no view scrolls horizontally, and a row has a link back to the list', async (t) => {
  const { page, goTo, picture } = await openReport(record, { viewport: { width: 360, height: 700 } })
  for (const hash of ['summary', 'failures', 'rows', 'rows/SAW-COMMAND-ID/too-long', 'rules', 'compare']) {
    await goTo(`#/${hash}`)
    await page.locator(`main.${hash.split('/')[0]}`).waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, hash)
  }
  await goTo('#/rows/SAW-COMMAND-ID/too-long')
  await page.locator('.exchange').first().waitFor()
  await picture('row-phone-light')
  t.equal(await page.locator('.row-list').isVisible(), false)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  t.ok(await page.locator('.row-list').isVisible())
})

const views = [
  'summary',
  'failures',
  'rows',
  'rows/SAW-COMMAND-ID/too-long',
  'rules',
  'compare',
  'compare/SAW-COMMAND-ID/blank',
]

// Only colors differ in the dark scheme.
for (const [colorScheme, rules] of [
  ['light', undefined],
  ['dark', ['color-contrast']],
] as const) {
  t.test(`axe finds no violation in any view, best practices included (${colorScheme})`, async (t) => {
    const broken = { ...record, defects: ['The plan has 20 rows, but the record contains 12.'] }
    const { page, goTo, picture, messages } = await openReport(broken, {
      colorScheme,
      baseline: factsOf(await earlier()),
    })
    for (const view of views) {
      await goTo(`#/${view}`)
      await page.locator(`main.${view.split('/')[0]}`).waitFor()
      if (view.startsWith('rows/')) await page.locator('.exchange').first().waitFor()
      t.ok(
        (await picture(`${view.split('/').slice(0, 2).join('-')}-${colorScheme}`)).length > 20_000,
        `${view}: a picture`,
      )
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
      t.same(await violations(page, rules), [], view)
    }
    await page.getByRole('button', { name: 'Keys' }).click()
    t.same(await violations(page, rules), [], 'help')
    await page.getByRole('button', { name: 'Close' }).click()
    await goTo('#/rows?q=verdict:fial')
    t.same(await violations(page, rules), [], 'an empty search result')
    t.same(messages, [])
  })
}

t.test('the page shows a record with the header of an older version', async (t) => {
  const profile = { name: 'interface', title: 'The text', divergences: [] }
  const { text: _, variables: __, ...header } = sampleHeader({ plan: ['OLD/row'], profile })
  const judgement = sampleJudgement({ met: false, situation: 'some-situation' })
  const row = sampleRow('OLD/row', { verdict: 'fail', judgements: [judgement] })
  const { page } = await openReport({ header, rows: [row], defects: [] }, { hash: '#/rows/OLD/row' })
  await page.locator('.exchange').first().waitFor()
  t.match(await page.locator('#row').innerText(), 'Situation some-situation: not in the record.')
})
