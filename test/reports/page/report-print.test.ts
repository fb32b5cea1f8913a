/** The printed report. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

t.test('the first printed page has all facts for the signer, and the name or room for it', async (t) => {
  const healthy = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page, picture } = await openReport(healthy)
  await page.emulateMedia({ media: 'print' })
  const first = page.locator('.signers-page')
  await first.waitFor()
  t.equal(await page.locator('.printed > *').first().getAttribute('class'), 'signers-page')
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
  t.equal(await code.locator('path').getAttribute('d'), drawnCode(`sha256:${healthy.footer?.digest}`))
  t.same(await violations(page), [])
  await picture('signers-page')
  t.equal(textsOnPages(await page.pdf({ format: 'A4' })).length, 3)

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

t.test(
  'the printed report has the summary, each cause with one row in full and the rules, and no controls',
  async (t) => {
    const waivers = [{ row: 'SAW-WAIVED/*', reason: 'a fix is in progress', owner: 'Ann', until: '2027-01-31' }]
    const made = { parties: ['alice-7f3a::1220aa'], users: [], rights: [], contracts: [], packages: [] }
    const target = { ...record.header.target, embedded: false }
    const { page, picture } = await openReport(await sampleRecord(sampleRows(), { waivers, made, target }), {
      hash: '#/rows/SAW-COMMAND-ID/too-long',
    })
    await page.locator('#row .exchange').first().waitFor()
    await page.evaluate("location.hash = '#/rules'")
    await page.emulateMedia({ media: 'print' })
    t.equal(await page.locator('nav:visible, button:visible, input:visible').count(), 0)
    const text = await page.locator('.printed').innerText()
    t.match(
      text,
      /Conformance: FAIL.*3 fail.*Not tested.*It takes a second participant.*Divergences.*Failures, warnings and waivers.*Name.*Date.*Test setup.*Failures.*GEN-9.*Rules/is,
    )
    for (const id of ['SAW-COMMAND-ID/blank', 'CBI-VISIBLE/hostile', 'VET-DRY-RUN/set-up']) t.match(text, id)
    t.match(text, /actual\s+"INTERNAL".*response: 500\s+\{"code":"INTERNAL"/s, 'a row in full, with its response')
    for (const part of [
      /Waivers\s+1 row excused\s+row SAW-WAIVED\/\*: a fix is in progress \(Ann, until 2027-01-31\)/,
      /Not tested\s+1 row: .*\d rules? of 8: no row of this run judges them\s/s,
      /Remains on the participant\s+1 party: alice-7f3a::1220aa/,
      /Warnings, excused rows, and rows following the text\s+(?:.*\n)*SAW-ERROR-BODY\/field warning: \S/,
      /Warnings, excused rows, and rows following the text\s+(?:.*\n)*SAW-WAIVED\/known excused: \S/,
    ])
      t.match(text, part)
    await picture('print')
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor()
  },
)

t.test('without a script, the page shows signer, failures and rules', async (t) => {
  const { page, messages } = await openReport(record, { javaScriptEnabled: false })
  const text = await page.getByRole('main').innerText()
  t.match(text, /^Conformance: FAIL.*Test setup.*Failures.*server error 500.*SAW-COMMAND-ID\/blank.*Rules/s)
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

t.test('Chromium prints a run without failures on 4 pages, and 183 failures on at most 25', async (t) => {
  const passed = await printedByCommand([sampleRow('SAW-CREATE/plain')], t.testdir())
  t.ok(passed.length <= 4 && passed.every((texts) => texts > 0), `pages ${passed}`)
  const statement = 'The participant rejects a request with this member and states the reason. '.repeat(2)
  const [rule] = record.header.rules
  const rules = rule
    ? Array.from({ length: 240 }, (_, index) => ({ ...rule, id: `SAW-OTHER-${index}`, statement }))
    : []
  t.equal(rules.length, 240)
  const selected = await printed([sampleRow('SAW-CREATE/plain')], { rules })
  t.ok(selected.length <= 4, `${selected.length} pages with 240 rules, none of them judged`)
  // One wrong member in 100 rows, and 83 rows with differences of their own.
  const failed = Array.from({ length: 183 }, (_, index): RunRow => {
    const [pointer, actual] = index < 100 ? ['/updateId', String(index)] : [`/member${index}`, `["${'x'.repeat(200)}"]`]
    const unmet = sampleJudgement({ subject: 'body', pointer, wanted: ['"1220ab"'], found: [actual], met: false })
    return sampleRow(`FAILED/row-${index}`, { verdict: 'fail', judgements: [unmet], evidence: [sampleEvidence()] })
  })
  const pages = await printed(failed)
  t.ok(pages.length > 4 && pages.length <= 25, `${pages.length} pages`)
  t.ok(
    pages.every((texts) => texts > 20),
    `texts on the pages: ${pages}`,
  )
})
