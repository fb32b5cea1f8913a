/** The printed report. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import t from 'tap'
import { encode } from 'uqr'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import { htmlReport } from '../../../reports/formats/html.js'
import { fileAddress, findChromium, textsOnPages } from '../../support/processes/browser.js'
import { sampleRecord, sampleRows } from '../../support/records/sample-record.js'
import { sampleEvidence, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { openReport } from './report-page.js'
import { violations } from './violations.js'

const record = await sampleRecord()

/** The QR code of a text, drawn as a path of unit squares. test/release/qr-code.test.ts reads such a code. */
const drawnCode = (text: string): string =>
  encode(text, { ecc: 'M', border: 2 })
    .data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')

/** What is printed, without hidden parts. */
async function printedText(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' })
  return page.locator('body').innerText()
}

t.test('the printed report begins with all facts for the signer, and the name or room for it', async (t) => {
  const healthy = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport(healthy)
  const text = await printedText(page)
  for (const part of [
    /! INCOMPLETE profile canton-3\.5\s+! \d mandatory rules not tested \(CBI-1, .*\): not covered by a row of this run\./,
    /INCOMPLETE: 1 of 1 rows passed, 0 failed; 6 mandatory rules not tested\./,
    /VET-9: .*It takes a second participant/,
    /Target\s+http:\/\/127\.0\.0\.1:7575 \(the embedded simulator\)\s+Target version\s+3\.5\.10/,
    /Interface text\s+The interface of a participant, version 1\.4/,
    /Scope\s+all operations/,
    /Name\s+Date\s+Signature.*No row failed\..*The text/s,
  ])
    t.match(text, part)
  t.match(text, `Record digest (SHA-256): ${healthy.footer?.digest}`)
  const code = page.getByRole('img', { name: 'Record digest as a QR code' })
  t.ok(((await code.boundingBox())?.width ?? 0) > 80, 'the code is large enough for a camera')
  t.equal(await code.locator('path').getAttribute('d'), drawnCode(`sha256:${healthy.footer?.digest}`))
  t.same(await violations(page), [])
  await picture('first-printed-page')

  const signing = { name: 'A. Signer', issued: '2026-11-21T12:30:00.000Z' }
  const scoped = await sampleRecord([sampleRow('SAW-CREATE/plain')], {
    selection: { operations: ['submit-and-wait'] },
    rules: healthy.header.rules.map((rule) => ({ ...rule, operations: ['execute'] })),
  })
  const signed = await printedText((await openReport(scoped, { signing })).page)
  t.match(signed, /Name\s+A\. Signer\s+Date\s+2026-11-21 12:30:00 UTC/)
  t.match(signed, /✓ PASS \(submit-and-wait\) profile/)
  t.match(signed, 'PASS (submit-and-wait): 1 of 1 rows passed, 0 failed; ')
  t.match(signed, /Scope\s+submit-and-wait/)
})

t.test(
  'the printed report has verdict, conditions, each cause with one row, and the text, from any view',
  async (t) => {
    const waivers = [{ row: 'SAW-WAIVED/*', reason: 'a fix is in progress', owner: 'Ann', until: '2027-01-31' }]
    const made = { parties: ['alice-7f3a::1220aa'], users: [], rights: [], contracts: [], packages: [] }
    const target = { ...record.header.target, embedded: false }
    const { page, picture } = await openReport(await sampleRecord(sampleRows(), { waivers, made, target }), {
      hash: '#/rows/SAW-COMMAND-ID/too-long',
    })
    await page.locator('#row .exchange').first().waitFor()
    const text = await printedText(page)
    t.equal(await page.locator('nav:visible, button:visible, input:visible').count(), 0)
    t.match(
      text,
      /FAIL.*3 ✗ fail.*Not tested.*It takes a second participant.*Conditions.*Divergences.*Name.*Date.*Failures.*The text/is,
    )
    for (const id of ['SAW-COMMAND-ID/blank', 'CBI-VISIBLE/hostile', 'VET-DRY-RUN/set-up']) t.match(text, id)
    t.match(text, /Received\s+status 500\s+\{\s+"code": "INTERNAL"/, 'a row in full, with its response')
    for (const part of [
      /Waivers\s+1 row excused\s+row SAW-WAIVED\/\*: a fix is in progress \(Ann, until 2027-01-31\)/,
      /Remains on the participant\s+1 party: alice-7f3a::1220aa/,
      /Warnings, excused rows, and rows following the text.*SAW-ERROR-BODY\/field warning: \S/s,
      /Warnings, excused rows, and rows following the text.*SAW-WAIVED\/known excused: \S/s,
    ])
      t.match(text, part)
    await picture('print')
  },
)

t.test('without a script, the page shows verdict, failures, text and rules', async (t) => {
  const { page, messages } = await openReport(record, { javaScriptEnabled: false })
  const text = await page.getByRole('main').innerText()
  t.match(text, /^✗ FAIL.*Conditions of the run.*Failures.*server error 500.*SAW-COMMAND-ID\/blank.*The text.*Rules/s)
  t.same(messages, [])
})

const inChromium = promisify(execFile)

/** As a user prints: `chromium --headless --print-to-pdf`. */
async function printedByCommand(rows: RunRow[], folder: string): Promise<number[]> {
  const [file, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')]
  await writeFile(file, await htmlReport(await sampleRecord(rows)))
  const { path, args } = await findChromium()
  await inChromium(path, [...args, '--headless', '--disable-gpu', `--print-to-pdf=${pdf}`, fileAddress(file)])
  return textsOnPages(await readFile(pdf))
}

/** In the open browser. */
async function printed(rows: RunRow[], header: Partial<RunHeader> = {}): Promise<number[]> {
  const { page } = await openReport(await sampleRecord(rows, header))
  return textsOnPages(await page.pdf({ preferCSSPageSize: true }))
}

t.test('Chromium prints a run without failures on at most 6 pages, and 183 failures on at most 25', async (t) => {
  const passed = await printedByCommand([sampleRow('SAW-CREATE/plain')], t.testdir())
  t.ok(passed.length <= 6 && passed.every((texts) => texts > 0), `pages ${passed}`)
  const statement = 'The participant rejects a request with this member and states the reason. '.repeat(2)
  const [rule] = record.header.rules
  const rules = rule
    ? Array.from({ length: 240 }, (_, index) => ({ ...rule, id: `SAW-OTHER-${index}`, statement }))
    : []
  t.equal(rules.length, 240)
  const selected = await printed([sampleRow('SAW-CREATE/plain')], { rules })
  t.ok(selected.length <= 6, `${selected.length} pages with 240 rules, none of them judged`)
  // One wrong member in 100 rows, and 83 rows with differences of their own.
  const failed = Array.from({ length: 183 }, (_, index): RunRow => {
    const [pointer, actual] = index < 100 ? ['/updateId', String(index)] : [`/member${index}`, `["${'x'.repeat(200)}"]`]
    const unmet = sampleJudgement({ subject: 'body', pointer, wanted: ['"1220ab"'], found: [actual], met: false })
    return sampleRow(`FAILED/row-${index}`, { verdict: 'fail', judgements: [unmet], evidence: [sampleEvidence()] })
  })
  const pages = await printed(failed)
  t.ok(pages.length > 3 && pages.length <= 25, `${pages.length} pages`)
  t.ok(
    pages.every((texts) => texts > 20),
    `texts on the pages: ${pages}`,
  )
})

t.test('all folded parts are printed, and afterwards only those that the reader had opened are open', async (t) => {
  const { page } = await openReport(record)
  const isOpen = () => page.locator('details').evaluateAll((folds) => folds.map((fold) => fold.hasAttribute('open')))
  const folded = await isOpen()
  t.ok(folded.length > 1)
  t.notOk(folded.includes(true))
  await page.getByText('Conditions of the run').click()
  const opened = await isOpen()
  t.ok(opened.includes(true))
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  t.notOk((await isOpen()).includes(false))
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  t.strictSame(await isOpen(), opened)
})
