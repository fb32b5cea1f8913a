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
  t.match(await page.title(), /^FAIL: 3 of 12 rows passed, /)
  t.match(
    await page.locator('.outcome').innerText(),
    /^✗ FAIL profile canton-3\.5\s+FAIL: 3 of 12 rows passed, 3 failed, 1 error, /,
  )
  const found = await Promise.all(
    (await page.locator('[data-count]').all()).map(async (tile) => [
      await tile.getAttribute('data-count'),
      Number(await tile.locator('.number').innerText()),
    ]),
  )
  t.same(
    found,
    verdicts
      .filter((verdict) => record.footer?.counts[verdict] !== 0)
      .map((verdict) => [verdict, record.footer?.counts[verdict]]),
    'verdicts without a row do not appear',
  )
  t.match(await page.locator('.tiles').innerText(), /\d+\s+mandatory rules not tested/)
  await page.getByText('Conditions of the run').click()
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
  for (const fact of [...known, '2 min 5 s', '12 planned, 12 recorded, 10 executed', 'several-synchronizers: no']) {
    t.match(facts, fact)
  }
  const untested = await page.getByRole('region', { name: 'Not tested', exact: true }).innerText()
  t.match(untested, /VET-9: not observable .*1 row not judged: The target has one synchronizer\./s)
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

t.test('numbers, operations and causes link to their rows', async (t) => {
  const { page } = await openReport(record)
  await page.locator('[data-count=blocked] a').click()
  t.same(await listedRows(page), ['VET-DRY-RUN/set-up'])
  await page.goBack()
  await page.getByRole('link', { name: 'contract-by-id' }).click()
  t.equal((await listedRows(page)).length, 4)
  await page.goBack()
  const causes = page.getByRole('region', { name: 'Largest causes' })
  t.match(await causes.innerText(), /^Largest causes\s+(?:.*\s+)*All 5 causes$/)
  await causes.getByRole('link', { name: 'server error 500' }).click()
  await page.waitForURL(/#\/failures\/cause-1$/)
})

t.test('failures are grouped by cause, a row is titled by its change, and a blocked cause is marked', async (t) => {
  const steps = [
    sampleStep({ name: 'first', role: 'arrange', expectations: [], capture: { first: '/updateId' } }),
    sampleStep({
      changes: [{ at: '/tapsMaxPasses', set: true }],
      expectations: [
        sampleExpectation(['SAW-4'], {
          anyOf: [{ checks: [{ on: 'body', pointer: '/updateId', matcher: { equals: `${'$'}{first}` } }] }],
        }),
      ],
    }),
  ]
  const judgement = sampleJudgement({
    step: 1,
    rules: ['SAW-4'],
    subject: 'body',
    pointer: '/updateId',
    wanted: ['"1220ab"'],
    found: ['"1220cd"'],
    met: false,
  })
  const body = { text: '{"updateId":"1220cd"}', bytes: 21 }
  const evidence = [
    sampleEvidence({ role: 'arrange' }),
    sampleEvidence({ step: 1, response: { status: 200, headers: [], body } }),
  ]
  const again = sampleRow('SAW-TWICE/same', { verdict: 'fail', judgements: [judgement], evidence }, { steps })
  const { page } = await openReport(await sampleRecord([...sampleRows(), again]), { hash: '#/failures' })
  t.match(await page.locator('.view-failures').innerText(), /7 rows with 6 causes/)
  const titles = await page.locator('article.cause h3').allInnerTexts()
  t.match(titles[0], /^server error 500 2 rows$/, 'a server error is one cause')
  t.match(titles.at(-1), /1 row ■ blocked$/, 'blocked rows come after failed ones')
  const cause = page.locator('article.cause', { hasText: 'SAW-TWICE/same' })
  const text = await cause.innerText()
  t.match(
    text,
    /^A command id outside its grammar is rejected, and nothing is submitted\. 1 row\s/,
    'the broken sentence',
  )
  t.match(text, /SAW-4, mandatory, section 3\.4/)
  t.match(text, /tapsMaxPasses: true SAW-TWICE\/same\s+first \(arrange\) POST .* → 200/, 'all requests of the row')
  t.match(
    text,
    /Expected\s+body \/updateId: \/updateId in the answer of step first, "1220ab", found "1220cd"\s+Received\s+status 200/,
  )
  t.same(await cause.locator('mark').allInnerTexts(), ['  "updateId": "1220cd"'])
  await page.getByRole('link', { name: 'SAW-COMMAND-ID/blank' }).click()
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
    'conform run --only SAW-COMMAND-ID/too-long',
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
  await row.getByText('All 5 judgements, 1 met').click()
  t.match(
    await row.locator('tr.unmet').nth(1).innerText(),
    /✗ no\s+status\s+submit \(request under test\)\s+400\s+500\s+SAW-4\s+expectation of the profile, observed on a live participant\s+situation bad-ledger-string \(field\), basis: refusals of 3\.5\.10\s+suites\/cases\/submit-and-wait\/create\.yaml:17/,
  )
  await row.getByText('3 variables in requests and expectations').click()
  t.match(await row.locator('.variables').innerText(), /row\s+"7f3a-000003"\s+alice\s+"alice-7f3a::1220aa"/)
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
  await page.getByRole('button', { name: 'fail (3)' }).click()
  t.equal(searchOf(page), 'verdict:fail')
  t.equal((await listedRows(page)).length, 3)
  await page.getByRole('button', { name: /^contract-by-id/ }).click()
  t.equal(searchOf(page), 'verdict:fail operation:contract-by-id')
  await box.fill('context')
  await page.locator('.search-box output', { hasText: '2 of 12 rows' }).waitFor()
  t.match(file, /\.html$/)
})

t.test('every row has a link, and a link to an unknown row opens a message', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await openReport(record, { hash: tooLong, permissions })
  await page.getByRole('button', { name: 'Copy: Command that runs this row again' }).click()
  await page.getByText('Copied').waitFor()
  t.match(await page.evaluate('navigator.clipboard.readText()'), /^conform run --only SAW-COMMAND-ID\/too-long/)
  const nowhere = await openReport(record, { hash: '#/rows/NO/such%ZZ' })
  t.match(await nowhere.page.getByRole('alert').innerText(), 'This run does not contain the row NO/such%ZZ.')

  const twice = [...sampleRows(), ...sampleRows().slice(0, 1)]
  const doubled = await openReport(await sampleRecord(twice), { hash: '#/rows/SAW-CREATE/plain~2' })
  t.equal(await doubled.page.locator('#row h2').innerText(), 'SAW-CREATE/plain', 'a repeated row id has two links')
})

t.test('the keyboard reaches skip link, views, search, list and row', async (t) => {
  const { page } = await openReport(record)
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
  await page.keyboard.press('Tab')
  t.equal(await focused(), 'Skip to content')
  await page.keyboard.press('Enter')
  t.equal(await focused(), 'main')
  await page.getByRole('link', { name: 'Rows' }).press('Enter')
  await page.waitForURL(/#\/rows$/)
  await page.locator('#row h2', { hasText: 'CBI-VISIBLE/hostile' }).waitFor()
  t.equal(await page.locator('[aria-selected=true]').count(), 1, 'the first failure is open')
  await page.locator('#search').focus()
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
