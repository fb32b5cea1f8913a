/** The HTML page in color schemes and small windows. */
import type { Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../../../record/types/record.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { sampleHeader, sampleRecord, sampleRows } from '../../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { openReport, viewOf } from './report-page.js'
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

t.test('the page of an incomplete record begins with its problems', async (t) => {
  const { footer: _, ...cutShort } = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport({ ...cutShort, defects: ['There is no footer: the run was stopped.'] })
  t.match(
    await page.locator('main').innerText(),
    /^! INCOMPLETE profile canton-3\.5\s+! There is no footer: the run was stopped\./,
  )
  await page.getByText('Conditions of the run').click()
  t.match(await page.locator('main .facts').innerText(), 'unknown: the record has no footer')
  await picture('truncated-light')
  const target = { ...cutShort.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 3 } }
  const { rules } = sampleHeader()
  const own = rules.filter(({ id, untestable }) => id === 'SAW-1' || untestable !== undefined)
  const good = await openReport(await sampleRecord([sampleRow('SAW-CREATE/plain')], { target, rules: own }))
  await good.page.getByText('Conditions of the run').click()
  t.match(
    await good.page.locator('main .facts').innerText(),
    'target.yaml; unreachable: prepare; 3 presigned transactions',
  )
  t.match(await good.page.locator('.outcome').innerText(), /✓\s+PASS profile .*1\s+mandatory rule not tested/s)
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

t.test('the colors follow the system', async (t) => {
  const background = (page: Page) => page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
  const light = 'rgb(255, 255, 255)'
  const { page } = await openReport(record, { colorScheme: 'light' })
  t.equal(await background(page), light)
  await page.emulateMedia({ colorScheme: 'dark' })
  t.not(await background(page), light)
})

t.test('on a phone no view scrolls horizontally, and a row has a link back to the list', async (t) => {
  const { page, goTo, picture } = await openReport(record, { viewport: { width: 360, height: 700 } })
  for (const hash of ['verdict', 'failures', 'text', 'rows', 'rows/SAW-COMMAND-ID/too-long', 'rules']) {
    await goTo(`#/${hash}`)
    await viewOf(page, hash.split('/')[0] ?? '').waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, hash)
  }
  await goTo('#/rows/SAW-COMMAND-ID/too-long')
  await page.locator('.exchange').first().waitFor()
  await picture('row-phone-light')
  t.equal(await page.locator('.row-list').isVisible(), false)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  t.ok(await page.locator('.row-list').isVisible())
})

const views = ['verdict', 'failures', 'text', 'rows', 'rows/SAW-COMMAND-ID/too-long', 'rules']

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
      await viewOf(page, view.split('/')[0] ?? '').waitFor()
      if (view.startsWith('rows/')) await page.locator('.exchange').first().waitFor()
      t.ok(
        (await picture(`${view.split('/').slice(0, 2).join('-')}-${colorScheme}`)).length > 20_000,
        `${view}: a picture`,
      )
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
      t.same(await violations(page, rules), [], view)
    }
    await goTo('#/rows?q=verdict:fial')
    t.same(await violations(page, rules), [], 'an empty search result')
    t.same(messages, [])
  })
}

t.test('the page shows a record with the header of an older version', async (t) => {
  const profile = { name: 'interface', title: 'The text', divergences: [] }
  const { text: _, variables: __, ...header } = sampleHeader({ plan: ['OLD/row'], profile })
  const judgements = ['some-situation', 'accepted'].map((situation) => sampleJudgement({ met: false, situation }))
  const row = sampleRow('OLD/row', { verdict: 'fail', judgements })
  const { page } = await openReport({ header, rows: [row], defects: [] }, { hash: '#/rows/OLD/row' })
  await page.locator('.exchange').first().waitFor()
  const text = await page.locator('#row').innerText()
  t.match(text, 'Situation some-situation: not in the record.')
  t.notMatch(text, 'Situation accepted', 'the built-in situation needs no explanation')
})

t.test('a link to a cause shows this cause, and a link to a view shows its top', async (t) => {
  const { page, goTo } = await openReport(record, { viewport: { width: 800, height: 300 } })
  const isShown = (id: string) => page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top < 300`)
  await page.locator('main a[href="#/failures/cause-3"]').first().click()
  await viewOf(page, 'failures').waitFor()
  t.equal(await isShown('cause-3'), true)
  await goTo('#/failures')
  await page.waitForFunction('scrollY === 0')
  t.equal(await isShown('cause-3'), false)
})
