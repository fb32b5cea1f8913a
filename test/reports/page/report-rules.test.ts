/** The views of rules and of the interface text in a browser. */
import t from 'tap'
import { sampleRecord } from '../../support/records/sample-record.js'
import { listedRows, openReport } from './report-page.js'

const record = await sampleRecord()

t.test('each rule has one line with a bar, and chips select rules by state', async (t) => {
  const { page } = await openReport(record, { hash: '#/rules' })
  const line = (id: string) => page.locator('.rule', { hasText: id })
  t.match(await line('GEN-7').innerText(), /not met\s+GEN-7 An error body should name .* recommended\s+3 warning/s)
  t.match(await line('VET-9').innerText(), /not tested\s+VET-9 .*not observable in any response: It takes a second/s)
  t.match(await line('CBI-2').innerText(), 'not covered by a row of this run')
  t.equal(await page.locator('svg.bar:not([aria-hidden=true])').count(), 0, 'screen readers read the numbers only')
  await page.getByRole('radio', { name: /not tested/ }).check()
  t.same(await page.locator('.rule:visible code').allTextContents(), ['CBI-2', 'VET-2', 'VET-9'])
  await page.getByRole('radio', { name: /not met/ }).check()
  await line('GEN-9').getByRole('link', { name: '2 fail' }).click()
  t.same(await listedRows(page), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
})

t.test('the text has each passage with its state, in the order of the text', async (t) => {
  const { header } = record
  const text = {
    title: 'The interface',
    version: '1.4',
    digest: 'ab',
    unruled: [{ passage: 'Errors 1.3 (codes)', because: 'Which code?', open: true as const }],
  }
  const rules = header.rules.map((rule) => {
    const passages = {
      'GEN-9': ['Errors 1.2 (server): "No request is answered by 5xx."'],
      'CBI-1': ['Access 2.1 (who)'],
    }
    return { ...rule, passages: passages[rule.id as keyof typeof passages] ?? [] } // another rule has no passage
  })
  const { page } = await openReport({ ...record, header: { ...header, text, rules } }, { hash: '#/text' })
  t.match(await page.locator('.view-text').innerText(), /3 passages: /)
  const passages = await page.locator('.passages li').allInnerTexts()
  t.match(passages, [
    /^✗\s*not met\s+No request is answered by 5xx\. GEN-9/,
    /^○\s*open\s+codes open: Which code\?/,
    /^\S\s*(?:not )?met\s+who CBI-1/,
  ])
})
