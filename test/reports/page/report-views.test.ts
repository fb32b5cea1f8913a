/** The HTML page in comparison, print, color schemes and small windows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import jsQR from 'jsqr'
import type { Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../../../record/types/record.js'
import { pagesOf } from '../../support/processes/browser.js'
import { sampleHeader, sampleRecord, sampleRows, writeSample } from '../../support/records/sample-record.js'
import { sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { openReport } from './report-page.js'

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const record = await sampleRecord()

/** An earlier run with one fixed row, one newly failing row, one other cause, and without the last row. */
async function earlier(): Promise<RunRecord> {
  const rows = sampleRows().map((row) => {
    if (row.id === 'SAW-COMMAND-ID/blank') {
      const { title, source } = row.resolved
      return sampleRow(row.id, {}, { title, source })
    }
    if (row.id === 'SAW-CREATE/plain') return { ...row, verdict: 'fail' as const, milliseconds: 3000 }
    return row.id === 'VET-DRY-RUN/set-up' ? { ...row, reason: 'The target answered 500.' } : row
  })
  return sampleRecord(rows.slice(0, -1), {
    run: 'the-day-before',
    profile: { name: 'interface', title: 'The text', divergences: [] },
  })
}

t.test('a report with two runs shows the changes, and a row in both runs', async (t) => {
  const { page, picture, messages } = await openReport(record, { baseline: await earlier(), view: 'compare' })
  t.match(
    await page.locator('.outcome').innerText(),
    /1 regression\s+This run \(2026-11-21T12-00-00Z-7f3a.* the-day-before/s,
  )
  const counts = await page.getByRole('list', { name: 'Changes by kind' }).innerText()
  t.match(
    counts,
    /1\s+newly failing\s+0\s+no longer judged\s+1\s+newly passing\s+0\s+changed verdict\s+1\s+same verdict, other cause\s+1\s+added/,
  )
  t.match(await page.locator('main').innerText(), /Different settings\s+profile: interface → canton-3\.5/)
  const timing = page.getByRole('region', { name: /^changed timing/ })
  t.equal(await timing.count(), 0, 'changed timing requires an option')
  t.notMatch(counts, 'changed timing')
  await page.getByLabel('Show rows with much longer or shorter times').check()
  t.match(await timing.innerText(), /SAW-CREATE\/plain.*3\.0 s → 415 ms/s)
  await picture('compare-light')
  await page
    .getByRole('region', { name: /^newly failing/ })
    .getByRole('link')
    .click()
  const before = page.getByRole('region', { name: 'Before' })
  const now = page.getByRole('region', { name: 'Now' })
  // The page unpacks the details of a row when it shows the row.
  for (const side of [before, now]) await side.locator('.exchange').first().waitFor()
  t.match(await before.innerText(), /✓ pass.*→ 200/s)
  t.match(await now.innerText(), /✗ fail.*The status was 500 where 400 is expected\..*→ 500 ✗/s)
  await picture('compare-row-light')
  const timed = await openReport(record, { baseline: await earlier(), view: 'compare', times: true })
  t.match(await timed.page.getByRole('list', { name: 'Changes by kind' }).innerText(), /1\s+changed timing/)
  t.same(messages, [])
})

t.test('the reader can select a second run from disk; the page rejects other files with a message', async (t) => {
  const { page, requests } = await openReport(record, { hash: '#/compare' })
  const path = join(t.testdir(), 'run.ndjson')
  writeFileSync(path, '{"type":"header","format":7}\n')
  await page.getByLabel('Run record').setInputFiles(path)
  t.match(await page.getByRole('alert').innerText(), 'the record has format 7, but this version reads only format 2')
  const old = await earlier()
  await writeSample(path, old.rows, old.header)
  await page.getByLabel('Run record').setInputFiles(path)
  await page.getByRole('heading', { name: '1 regression' }).waitFor()
  t.equal(await page.locator('.note').count(), 0, 'the digest of the file is correct')
  await page.getByRole('button', { name: 'Compare with another run' }).click()
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 16).join('\n'))
  await page.getByLabel('Run record').setInputFiles(path)
  await page.locator('.note').first().waitFor()
  const defects = await page.locator('.note').allInnerTexts()
  t.match(defects, [/The plan has 11 rows, but the record contains 4\./, /The record has no footer/])
  t.same(requests, [], 'the page sends nothing')
})

t.test('the page of an incomplete record begins with its problems', async (t) => {
  const { footer: _, ...cutShort } = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport({ ...cutShort, defects: ['There is no footer: the run was stopped.'] })
  t.match(await page.locator('main').innerText(), /^! Problems of this run\s+There is no footer: the run/)
  t.match(await page.locator('.outcome').innerText(), /INCOMPLETE: .* \(profile canton-3\.5\)/)
  t.match(await page.locator('.facts').innerText(), 'unknown: the record has no footer')
  await picture('truncated-light')
  const target = { ...cutShort.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 3 } }
  const { rules } = sampleHeader()
  const own = rules.filter(({ id, untestable }) => id === 'SAW-1' || untestable !== undefined)
  const good = await openReport(await sampleRecord([sampleRow('SAW-CREATE/plain')], { target, rules: own }))
  t.match(await good.page.locator('.facts').innerText(), 'target.yaml; unreachable: prepare; 3 presigned transactions')
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
  await page.evaluate(axe)
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

/** The content of a QR code, drawn as a path of unit squares. */
function readCode(path: string): string | undefined {
  const [unit, size] = [4, 60]
  const width = unit * size
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let at = 0; at < unit * unit; at += 1) {
      const line = Number(y) * unit + Math.floor(at / unit)
      pixels.fill(
        0,
        (line * width + Number(x) * unit + (at % unit)) * 4,
        (line * width + Number(x) * unit + (at % unit)) * 4 + 3,
      )
    }
  }
  return jsQR.default(pixels, width, width)?.data
}

t.test('the first printed page has all facts for the signer, and the name or room for it', async (t) => {
  const healthy = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport(healthy)
  await page.emulateMedia({ media: 'print' })
  const first = page.locator('.signers-page')
  await first.waitFor()
  t.equal(await page.locator('main > *').first().getAttribute('class'), 'signers-page')
  const text = await first.innerText()
  for (const part of [
    /^Conformance: INCOMPLETE: .*\d mandatory rules not tested/,
    /! \d mandatory rules not tested \(CBI-1, .*\): not covered by a row of this run\./,
    /No row failed, but evidence is missing: see the 1 point above\./,
    /Target\s+http:\/\/127\.0\.0\.1:7575 \(the embedded simulator\), version 3\.5\.10/,
    /Profile\s+canton-3\.5\s+Interface text\s+The interface of a participant, version 1\.4 \(5feceb66ffc8\)/,
    /Scope\s+all operations; 1 of 1 rows of the suite, .*; permissions: not recorded/,
    /VET-9: .*It takes a second participant/,
    /No row failed\. No waiver excused a row\./,
    /Name\s+Date\s+Signature/,
  ])
    t.match(text, part)
  t.match(text, `Record digest (SHA-256): ${healthy.footer?.digest}`)
  const code = page.getByRole('img', { name: 'Record digest as a QR code' })
  t.ok(((await code.boundingBox())?.width ?? 0) > 80, 'the code is large enough for a camera')
  t.equal(readCode((await code.locator('path').getAttribute('d')) ?? ''), `sha256:${healthy.footer?.digest}`)
  await page.evaluate(axe)
  t.same(await violations(page), [])
  await picture('signers-page')
  t.equal(pagesOf(await page.pdf({ format: 'A4' })), 3)

  const signing = { name: 'A. Signer', issued: '2026-11-21T12:30:00.000Z' }
  const scoped = await sampleRecord([sampleRow('SAW-CREATE/plain')], {
    selection: { operations: ['submit-and-wait'] },
    rules: healthy.header.rules.map((rule) => ({ ...rule, operations: ['execute'] })),
  })
  const signed = await openReport(scoped, { signing })
  await signed.page.emulateMedia({ media: 'print' })
  await signed.page.locator('.signers-page').waitFor()
  const page1 = await signed.page.locator('.signers-page').innerText()
  t.match(page1, /Name\s+A\. Signer\s+Date\s+2026-11-21 12:30:00 UTC/)
  t.match(page1, /^Conformance: PASS \(submit-and-wait\): /)
  t.match(
    page1,
    /Conforming in the scope submit-and-wait: each operation accepted correct requests, and no row failed\./,
  )
  t.match(page1, /Scope\s+the operations submit-and-wait; 1 of 1 rows of the suite/)
})

t.test('the printed report has the summary, every failure in full and the rules, and no controls', async (t) => {
  const waivers = [{ row: 'SAW-WAIVED/*', reason: 'a fix is in progress', owner: 'Ann', until: '2027-01-31' }]
  const made = { parties: ['alice-7f3a::1220aa'], users: [], rights: [], contracts: [], packages: [] }
  const target = { ...record.header.target, embedded: false }
  const { page, picture } = await openReport(await sampleRecord(sampleRows(), { waivers, made, target }), {
    hash: '#/rows/SAW-COMMAND-ID/too-long',
  })
  await page.locator('#row .exchange').first().waitFor()
  await page.evaluate("location.hash = '#/rules'")
  await page.emulateMedia({ media: 'print' })
  await page.locator('main.print').waitFor()
  t.equal(await page.locator('nav:visible, button:visible, input:visible').count(), 0)
  const text = await page.locator('main').innerText()
  t.match(
    text,
    /Conformance: FAIL.*3 fail.*Not tested.*It takes a second participant.*Divergences.*Failures, warnings and waivers.*Name.*Date.*Test setup.*Failures.*GEN-9.*Rules/is,
  )
  for (const id of ['SAW-COMMAND-ID/blank', 'CBI-VISIBLE/hostile', 'VET-DRY-RUN/set-up']) t.match(text, id)
  t.match(text, '"INTERNAL"', 'with the exchanges')
  for (const part of [
    /Waivers\s+1 row excused\s+row SAW-WAIVED\/\*: a fix is in progress \(Ann, until 2027-01-31\)/,
    /Not tested\s+1 row: .*\d rules? of 8: no row of this run judges them\s/s,
    /Remains on the participant\s+1 party: alice-7f3a::1220aa/,
    /Warnings, excused rows, and rows following the text\s+(?:.*\n)*SAW-ERROR-BODY\/field warning: \S/,
    /Warnings, excused rows, and rows following the text\s+(?:.*\n)*SAW-WAIVED\/known excused: \S/,
  ])
    t.match(text, part)
  await picture('print')
  const pdf = await page.pdf({ format: 'A4' })
  t.ok(pagesOf(pdf) > 4, `${pagesOf(pdf)} pages`)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor()
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

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`axe finds no WCAG 2.1 A or AA violation in any view (${colorScheme})`, async (t) => {
    const broken = { ...record, defects: ['The plan has 20 rows, but the record contains 12.'] }
    const { page, goTo, picture, messages } = await openReport(broken, { colorScheme, baseline: await earlier() })
    await page.evaluate(axe)
    for (const view of views) {
      await goTo(`#/${view}`)
      await page.locator(`main.${view.split('/')[0]}`).waitFor()
      if (view.split('/').length > 1) await page.locator('.exchange').first().waitFor()
      t.ok(
        (await picture(`${view.split('/').slice(0, 2).join('-')}-${colorScheme}`)).length > 20_000,
        `${view}: a picture`,
      )
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
      t.same(await violations(page), [], view)
    }
    await page.getByRole('button', { name: 'Keys' }).click()
    t.same(await violations(page), [], 'help')
    await page.getByRole('button', { name: 'Close' }).click()
    await goTo('#/rows?q=verdict:fial')
    t.same(await violations(page), [], 'an empty search result')
    t.same(messages, [])
  })
}

async function violations(page: Page): Promise<object[]> {
  const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run({ runOnly: ${tags} })`)
  if (!passes.some(({ id }) => id === 'color-contrast')) return [{ id: 'axe did not check the contrast' }]
  return violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) }))
}

t.test('the page shows a record with the header of an older version', async (t) => {
  const profile = { name: 'interface', title: 'The text', divergences: [] }
  const { text: _, variables: __, ...header } = sampleHeader({ planned: 1, profile })
  const judgement = sampleJudgement({ met: false, situation: 'some-situation' })
  const row = sampleRow('OLD/row', { verdict: 'fail', judgements: [judgement] })
  const { page } = await openReport({ header, plan: [], rows: [row], defects: [] }, { hash: '#/rows/OLD/row' })
  await page.locator('.exchange').first().waitFor()
  t.match(await page.locator('#row').innerText(), 'Situation some-situation: not in the record.')
})
