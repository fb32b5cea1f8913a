/** The views of the HTML page in a browser. */
import t from 'tap'
import { verdicts } from '../../../record/types/verdict.js'
import { sampleRecord, sampleRows } from '../../support/records/sample-record.js'
import {
  sampleEvidence,
  sampleExpectation,
  sampleJudgement,
  sampleRow,
  sampleStep,
} from '../../support/records/sample-row.js'
import { listedRows, openReport, searchOf } from './report-page.js'

const record = await sampleRecord()
const tooLong = '#/rows/SAW-COMMAND-ID/too-long'

t.test('the report opens from disk, loads nothing, and begins with the conclusion and every verdict', async (t) => {
  const { page, requests, messages } = await openReport(record)
  t.match(
    await page.locator('.outcome').innerText(),
    /✗\s+FAIL: 3 of 12 rows passed, .* \(profile canton-3\.5\)\s+Not conforming: 5 of 12 rows failed/,
  )
  const found = await Promise.all(
    (await page.locator('[data-count]').all()).map(async (tile) => [
      await tile.getAttribute('data-count'),
      Number(await tile.locator('.number').innerText()),
    ]),
  )
  t.same(
    found,
    verdicts.map((verdict) => [verdict, record.footer?.counts[verdict]]),
  )
  const facts = await page.locator('main .facts').innerText()
  const known = [
    'http://127.0.0.1:7575',
    '3.5.10',
    'canton-3.5',
    '2026.11',
    '9f86d0',
    '20261121',
    '2026-11-21 12:00:00 UTC',
  ]
  for (const fact of [...known, '2 min 5 s', '12 planned, 12 recorded, 10 executed', '– several-synchronizers: no']) {
    t.match(facts, fact)
  }
  const untested = await page.getByRole('region', { name: 'Not tested', exact: true }).innerText()
  t.match(untested, /1 row: The target has one synchronizer\..*2 rules of 8: no row of this run judges them/s)
  t.same(requests, [], 'the page loads nothing')
  t.same(messages, [], 'the page violates no policy')
})

t.test('the summary names the state that remains on the participant', async (t) => {
  const { header } = record
  const made = { parties: ['alice::1220', '<b>bob</b>::1220'], users: ['one'], rights: [], contracts: [], packages: [] }
  const { page } = await openReport({
    ...record,
    header: { ...header, made, target: { ...header.target, embedded: false } },
  })
  const remaining = await page.getByRole('region', { name: 'Remains on the participant' }).innerText()
  t.match(remaining, /2 parties: alice::1220, <b>bob<\/b>::1220\s+1 user that may still be active: one/)
})

t.test('tiles and charts link to their rows', async (t) => {
  const { page } = await openReport(record)
  await page
    .getByRole('link', { name: /blocked/ })
    .first()
    .click()
  t.same(await listedRows(page), ['VET-DRY-RUN/set-up'])
  await page.goBack()
  await page.getByRole('link', { name: 'contract-by-id' }).click()
  t.equal((await listedRows(page)).length, 4)
  await page.goBack()
  const chart = page.getByRole('img', { name: /^Response times\. 9 responses: 50 % within 413 ms/ })
  t.equal(await chart.count(), 1, 'the chart has a description')
  await page.getByRole('region', { name: 'Response times' }).getByText('Numbers').click()
  t.match(
    await page.getByRole('region', { name: 'Response times' }).locator('table').innerText(),
    /200 ms to 500 ms\s+9/,
  )
})

t.test('failures are grouped by cause, by rule or by operation, and each row is a link', async (t) => {
  const { page } = await openReport(record, { hash: '#/failures' })
  const groups = (): Promise<(string | null)[]> => page.locator('section.group h3').allInnerTexts()
  t.match(await page.locator('main').innerText(), /6 rows in 5 groups: 3 fail, 1 error, 1 blocked, 1 unexpected-pass\./)
  t.match(await groups(), [/^server error 500\s.*2 rows/s], 'a server error is one cause')
  await page.getByRole('radio', { name: 'operation' }).check()
  await page.waitForURL(/#\/failures\?by=operation$/)
  t.match(await groups(), [/^submit-and-wait\s/, /^update-vetting\s/, /^contract-by-id\s/])
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('contract-by-id')
  await page.waitForURL(/by=operation&operation=contract-by-id$/)
  t.match(await groups(), [/^contract-by-id\s/])
  t.equal((await groups()).length, 1)
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('all')
  await page.getByRole('radio', { name: 'rule' }).check()
  t.match(
    await page.locator('main').innerText(),
    /6 rows in 6 groups: .*\. A row that fails several rules is in the group of each\./,
  )
  const group = page.getByRole('region', { name: 'GEN-9' })
  t.match(
    await group.innerText(),
    /GEN-9\s+mandatory, section 1\.5\s+2 rows\s+No request of a client .*2×\s+status: expected below 500, found 500/s,
  )
  await group.getByRole('link', { name: /SAW-COMMAND-ID\/blank/ }).click()
  await page.waitForURL(/#\/rows\/SAW-COMMAND-ID\/blank$/)
  t.match(await page.locator('#row h2').innerText(), 'SAW-COMMAND-ID/blank')
})

t.test('a row shows reason, rules, differences, exchanges, judgements and variables', async (t) => {
  const { page } = await openReport(record, { hash: tooLong })
  const row = page.locator('#row')
  await row.locator('.exchange').first().waitFor()
  const text = await row.innerText()
  for (const part of [
    'suites/cases/submit-and-wait/identifiers.yaml:30',
    'The status was 500 where 400 is expected.',
    'A command id outside its grammar is rejected, and nothing is submitted.',
    'A string is not a LedgerString.',
    '→ field: status 400, code INVALID_FIELD (compared)',
    'argument: status 400, code INVALID_ARGUMENT',
    'conform run --only SAW-COMMAND-ID/too-long --authorization hs256:"$SECRET"',
  ]) {
    t.match(text, part)
  }
  const difference = page.getByRole('article', { name: 'submit: body /code' })
  const [expected, actual] = await difference.locator('pre').all()
  t.equal(await expected?.innerText(), '"INVALID_FIELD"')
  t.equal(await actual?.innerText(), '"INTERNAL"')
  const [left, right] = await Promise.all([expected?.boundingBox(), actual?.boundingBox()])
  t.equal(left?.y, right?.y, 'expected and actual are side by side')

  const exchanges = await row.locator('.exchange summary').allInnerTexts()
  t.match(exchanges, [
    /arrange\s+upload/,
    /probe before\s+ledger-end/,
    /request under test\s+submit.*→ 500 ✗.*413 ms/,
    /probe after\s+read/,
    /restore\s+remove/,
  ])
  const tested = row.locator('.exchange', { hasText: 'request under test' })
  t.same(await tested.locator('mark.line').allInnerTexts(), ['  "code": "INTERNAL",', '  "cause": "boom",'])
  t.match(
    await tested.innerText(),
    /Authorization: Bearer \[redacted\].*content-type: application\/json.*curl -sS -i -X POST/s,
  )
  t.match(await tested.locator('.note').allInnerTexts(), [
    /^Sent twice\. First attempt, .*12:00:00.*: the connection ended\. This is the second attempt\.$/,
  ])
  const response = page.getByRole('article', { name: 'Response to submit' })
  t.match(
    await response.getByRole('group', { name: 'Response body' }).innerText(),
    '{\n  "code": "INTERNAL",\n  "cause": "boom"',
  )
  await response.getByRole('button', { name: 'Raw' }).click()
  t.equal(
    await response.getByRole('group', { name: 'Response body' }).innerText(),
    '{"code":"INTERNAL","cause":"boom","context":{}}',
  )
  await row.getByText('All 5 judgements, 1 met').click()
  t.match(
    await row.locator('tr.unmet').nth(1).innerText(),
    /✗ no\s+status\s+submit \(request under test\)\s+400\s+500\s+SAW-4\s+expectation of the profile, observed on a live participant\s+situation bad-ledger-string \(field\), basis: refusals of 3\.5\.10\s+suites\/cases\/submit-and-wait\/create\.yaml:17/,
  )
  await row.getByText('3 variables in requests and expectations').click()
  t.match(await row.locator('.variables').innerText(), /row\s+"7f3a-000003"\s+alice\s+"alice-7f3a::1220aa"/)
  t.match(await page.getByRole('img', { name: /^5 exchanges in/ }).count(), 1)
})

t.test('a row lists its unjudged expectations, with the reasons', async (t) => {
  const { page, goTo } = await openReport(record, { hash: tooLong })
  const fold = page.locator('#row .fold', { hasText: 'expectations not judged' })
  await fold.locator('summary').click()
  const text = await fold.innerText()
  t.match(text, /read \(probe after\)\s+sent, but not judged\s+accepted: status 200\s+SAW-4/)
  t.match(
    text,
    /find \(probe after\)\s+not sent: only if the request under test is accepted\s+a body that contains the marker\s+SAW-1/,
  )
  await goTo('#/rows/VET-DRY-RUN/set-up')
  await page.getByText('1 expectation not judged').click()
  t.match(
    await page.locator('#row').innerText(),
    /submit \(request under test\)\s+not sent\s+accepted: status 200\s+VET-2 mandatory/,
  )
})

t.test('each concurrent request has its number and its unmet judgements', async (t) => {
  const refused = sampleExpectation(['SAW-4'], { anyOf: [{ outcome: 'refused', checks: [] }] })
  const race = { times: 2, others: [refused] }
  const restored = { step: 1, role: 'restore' as const }
  const row = sampleRow(
    'RACE/two',
    {
      verdict: 'fail',
      judgements: [
        sampleJudgement({ attempt: 1 }),
        sampleJudgement({
          attempt: 2,
          expectation: 2,
          rules: ['SAW-4'],
          wanted: ['rejected'],
          found: ['accepted'],
          met: false,
        }),
      ],
      evidence: [sampleEvidence({ attempt: 1 }), sampleEvidence({ attempt: 2 }), sampleEvidence(restored)],
    },
    { steps: [sampleStep({ race }), sampleStep({ name: 'revert', role: 'restore', expectations: [] })] },
  )
  const { page } = await openReport(await sampleRecord([row]), { hash: '#/rows/RACE/two' })
  await page.locator('.exchange').first().waitFor()
  const exchanges = await page.locator('.exchange summary').allInnerTexts()
  t.match(exchanges, [
    /^request under test submit, attempt 1 .*→ 200 \d/,
    /^request under test submit, attempt 2 .*→ 200 ✗/,
    /^restore revert/,
  ])
  t.match(await page.locator('.exchange[open] summary').innerText(), 'attempt 2', 'the failed exchange is open')
  await page.getByText('1 expectation not judged').click()
  t.match(await page.locator('#row').innerText(), /submit \(request under test\)\s+sent, but not judged/)
})

t.test('the address contains the search', async (t) => {
  const { page, file } = await openReport(record, { hash: '#/rows' })
  t.equal((await listedRows(page)).length, 12)
  const box = page.getByRole('searchbox')
  await box.pressSequentially('rule:CBI-1 -verdict:pass')
  const found = ['CBI-VISIBLE/hostile', 'CBI-VISIBLE/two-synchronizers']
  t.same(await listedRows(page), found)
  t.equal(await page.locator('.search-box output').innerText(), '2 of 12 rows')
  t.equal(searchOf(page), 'rule:CBI-1 -verdict:pass')
  await page.locator('.row-option').first().click()
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile\?q=/)
  await page.reload()
  t.same(await listedRows(page), found, 'a reload keeps the rows')
  t.equal(await box.inputValue(), 'rule:CBI-1 -verdict:pass')
  t.equal(await page.locator('[aria-selected=true] code').innerText(), 'CBI-VISIBLE/hostile')

  await box.fill('verdict:fial')
  t.match(
    await page.getByRole('status').filter({ hasText: 'Unknown verdict' }).innerText(),
    'Unknown verdict: fial. Use one of fail,',
  )
  t.match(await page.locator('.master').innerText(), 'No row matches the search.')
  const unknown = page.getByRole('status').filter({ hasText: 'Unknown field' })
  await box.fill('verdct:fail')
  t.match(
    await unknown.innerText(),
    /^Unknown field: verdct, searched as text; did you mean "verdict"\? allowed: verdict, rule,/,
  )
  await box.fill('http://127.0.0.1 alice-7f3a::1220 "verdct:fail"')
  t.equal(await unknown.count(), 0, 'addresses, parties and quoted words are text')
  await page.getByRole('button', { name: 'Show all' }).click()
  t.equal((await listedRows(page)).length, 12)
  await page.getByRole('button', { name: 'Failures' }).click()
  t.equal((await listedRows(page)).length, 6)
  t.match(file, /\.html$/)
})

t.test('every row has a link, and a link to an unknown row opens a message', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await openReport(record, { hash: tooLong, permissions })
  await page.getByRole('button', { name: 'Copy: link to this row' }).click()
  await page.getByText('Copied').waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), page.url())
  await page.getByRole('button', { name: 'Copy: Command that runs this row again' }).click()
  t.match(await page.evaluate('navigator.clipboard.readText()'), /^conform run --only SAW-COMMAND-ID\/too-long/)
  const nowhere = await openReport(record, { hash: '#/rows/NO/such%ZZ' })
  t.match(await nowhere.page.getByRole('alert').innerText(), 'This run does not contain the row NO/such%ZZ.')

  const twice = [...sampleRows(), ...sampleRows().slice(0, 1)]
  const doubled = await openReport(await sampleRecord(twice), { hash: '#/rows/SAW-CREATE/plain~2' })
  t.equal(await doubled.page.locator('#row h2').innerText(), 'SAW-CREATE/plain', 'a repeated row id has two links')
})

t.test('the keyboard reaches skip link, views, search, list, row, failures and help', async (t) => {
  const { page } = await openReport(record)
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
  await page.keyboard.press('Tab')
  t.equal(await focused(), 'Skip to content')
  await page.keyboard.press('Enter')
  t.equal(await focused(), 'main')
  await page.keyboard.press('4')
  await page.waitForURL(/#\/rules$/)
  await page.keyboard.press('/')
  await page.locator('#search:focus').waitFor()
  await page.keyboard.type('verdict:pass 1')
  await page.waitForURL(/q=verdict%3Apass\+1$/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('verdict:pass')
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/binary\?/)
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/long\?/)
  await page.keyboard.press('End')
  await page.waitForURL(/#\/rows\/SAW-CREATE\/plain\?/)
  await page.keyboard.press('Home')
  t.equal(await page.locator('.row-list').getAttribute('aria-activedescendant'), 'row-0')
  await page.keyboard.press('Enter')
  t.equal(await focused(), 'row')
  await page.keyboard.press('Escape')
  await page.locator('.row-list:focus').waitFor()
  await page.waitForURL(/#\/rows\?q=verdict%3Apass$/)

  await page.getByRole('button', { name: 'Show all' }).click()
  await page.keyboard.press('n')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile$/)
  await page.keyboard.press('n')
  await page.keyboard.press('p')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile$/)
  await page.locator('#search').fill('operation:update-vetting')
  await page.locator('#page h1').click()
  await page.keyboard.press('n')
  await page.waitForURL(/#\/rows\/VET-DRY-RUN\/(?:set-up|lost)\?q=operation/)
  await page.keyboard.press('p')
  await page.keyboard.press('p')
  await page.waitForURL(/#\/rows\/VET-DRY-RUN\//)
  await page.evaluate("location.hash = '#/rows'")
  await page.getByText('Select a row to see its details.').waitFor()
  await page.locator('#page h1').click()
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile$/)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  await page.getByRole('button', { name: 'Close' }).press('Enter')
  await page.keyboard.press('1')
  await page.waitForURL(/#\/rows/)
})

t.test('the matrix shows every rule with its statement, and the unjudged rules', async (t) => {
  const { page } = await openReport(record, { hash: '#/rules' })
  const line = (id: string) => page.locator('main tbody tr', { hasText: id })
  t.same(
    (await page.locator('main thead th').allInnerTexts()).map((text) => text.replace(/^\W+/, '')),
    ['Rule', ...verdicts],
  )
  t.match(
    await line('GEN-7').innerText(),
    /recommended, section 1\.5\s+An error body should name .*\s0\s+0\s+0\s+0\s+3\s+0\s+0\s+0/s,
  )
  t.match(await line('VET-9').innerText(), 'Cannot be tested: It takes a second participant.')
  t.match(await line('CBI-2').innerText(), 'No row of this run judges this rule.')
  await page.getByRole('radio', { name: /Not judged/ }).check()
  t.same(await page.locator('main tbody th code').allTextContents(), ['CBI-2', 'VET-2', 'VET-9'])
  t.equal(searchOf(page), 'gap')
  await page.getByRole('radio', { name: /Not met/ }).check()
  await page.getByRole('link', { name: '2 rows fail for GEN-9' }).click()
  t.same(await listedRows(page), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
  await page.goBack()
  t.match(
    await page.getByRole('region', { name: 'Divergences of the profile from the interface text' }).innerText(),
    /D-3 \(GEN-9\): A wrong/,
  )
})

t.test('the page contains only the visible rows of thousands, and one key selects the last row', async (t) => {
  const rows = Array.from({ length: 3000 }, (_, index) => sampleRow(`MANY/row-${String(index).padStart(4, '0')}`))
  const { page } = await openReport(await sampleRecord(rows), { hash: '#/rows' })
  t.equal(await page.locator('.search-box output').innerText(), '3000 of 3000 rows')
  t.ok((await page.locator('.row-option').count()) < 60)
  await page.locator('.row-list').focus()
  await page.keyboard.press('End')
  await page.locator('#row h2', { hasText: 'MANY/row-2999' }).waitFor()
  const chosen = page.locator('[aria-selected=true]')
  t.equal(await chosen.getAttribute('aria-posinset'), '3000')
  t.equal(await chosen.getAttribute('aria-setsize'), '3000')
  const [list, option] = await Promise.all([page.locator('.row-list').boundingBox(), chosen.boundingBox()])
  t.ok(list && option && option.y + option.height <= list.y + list.height + 1, 'the list scrolls to the row')
})
