import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { verdicts } from '../record/verdict.js'
import { listedRows, openReport, searchOf } from './report-page.js'
import { sampleRecord, sampleRows } from './sample-record.js'
import {
  sampleEvidence,
  sampleExpectation,
  sampleJudgement,
  sampleRow,
  sampleStep,
  withResolved,
} from './sample-row.js'

const record = await sampleRecord()
const tooLong = '#/rows/SAW-COMMAND-ID/too-long'

t.test('the report opens from disk, asks for nothing, and begins with the conclusion and every verdict', async (t) => {
  const { page, asked, said } = await openReport(record)
  t.match(
    await page.locator('.outcome').innerText(),
    /✗\s+Not conforming by profile canton-3\.5\s+6 of 12 planned rows/i,
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
  const facts = await page.locator('.facts').innerText()
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
  const silent = await page.getByRole('region', { name: 'What this run does not say' }).innerText()
  t.match(silent, /1 row: The target has one synchronizer\..*2 rules of 8: no row of this run judges them/s)
  t.same(asked, [], 'nothing was asked for')
  t.same(said, [], 'and the page breaks none of its own policy')
})

t.test('a tile, a chart and a cause lead to the rows that they speak of', async (t) => {
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
  const chart = page.getByRole('img', { name: /^Time to answer\. 9 answers: half within 413 ms/ })
  t.equal(await chart.count(), 1, 'the chart says in words what it shows')
  await page.getByRole('region', { name: 'Time to answer' }).getByText('The numbers').click()
  t.match(
    await page.getByRole('region', { name: 'Time to answer' }).locator('table').innerText(),
    /200 ms to 500 ms\s+9/,
  )
})

t.test('failures are grouped by rule and cause before any list, each row a link', async (t) => {
  const { page } = await openReport(record, { hash: '#/failures' })
  t.match(
    await page.locator('main').innerText(),
    /6 rows in 6 groups, 6 causes in all\. A row that fails several rules is in the group of each\./,
  )
  const group = page.getByRole('region', { name: 'GEN-9' })
  t.match(
    await group.innerText(),
    /GEN-9\s+must, section 1\.5\s+2 rows\s+No request of a client .*2×\s+status expected below 500 found 500/s,
  )
  await group.getByRole('link', { name: /SAW-COMMAND-ID\/blank/ }).click()
  await page.waitForURL(/#\/rows\/SAW-COMMAND-ID\/blank$/)
  t.match(await page.locator('#row h2').innerText(), 'SAW-COMMAND-ID/blank')
})

t.test('a row shows everything that is needed to act on it', async (t) => {
  const { page } = await openReport(record, { hash: tooLong })
  const row = page.locator('#row')
  await row.locator('.exchange').first().waitFor()
  const text = await row.innerText()
  for (const part of [
    'suites/cases/submit-and-wait/identifiers.yaml:30',
    'The status was 500 where 400 is expected.',
    'A command id outside its grammar is refused, and nothing is submitted.',
    'A text is no LedgerString.',
    '→ field: status 400, code INVALID_FIELD (compared with this one)',
    'argument: status 400, code INVALID_ARGUMENT',
    'conform run --only SAW-COMMAND-ID/too-long --authorization "hs256:$SECRET"',
  ]) {
    t.match(text, part)
  }
  const difference = page.getByRole('region', { name: 'submit: body /code' })
  const [expected, actual] = await difference.locator('pre').all()
  t.equal(await expected?.innerText(), '"INVALID_FIELD"')
  t.equal(await actual?.innerText(), '"INTERNAL"')
  const [left, right] = await Promise.all([expected?.boundingBox(), actual?.boundingBox()])
  t.equal(left?.y, right?.y, 'expected and actual stand side by side')

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
  const answer = page.getByRole('region', { name: 'Answer to submit' })
  t.match(
    await answer.getByRole('group', { name: 'Answer body' }).innerText(),
    '{\n  "code": "INTERNAL",\n  "cause": "boom"',
  )
  await answer.getByRole('button', { name: 'Raw' }).click()
  t.equal(
    await answer.getByRole('group', { name: 'Answer body' }).innerText(),
    '{"code":"INTERNAL","cause":"boom","context":{}}',
  )
  await row.getByText('All 5 judgements, 1 of them met').click()
  t.match(
    await row.locator('tr.unmet').nth(1).innerText(),
    /✗ no\s+status\s+submit \(request under test\)\s+400\s+500\s+SAW-4\s+must, seen of a live participant\s+situation bad-ledger-string \(field\), basis: refusals of 3\.5\.10\s+suites\/cases\/submit-and-wait\/create\.yaml:17/,
  )
  await row.getByText('3 names that requests and expectations are made of').click()
  t.match(await row.locator('.variables').innerText(), /row\s+"7f3a-000003"\s+alice\s+"alice-7f3a::1220aa"/)
  t.match(await page.getByRole('img', { name: /^5 exchanges in/ }).count(), 1)
})

t.test('what was expected and not looked at is there as well, with the reason', async (t) => {
  const { page, goTo } = await openReport(record, { hash: tooLong })
  const fold = page.locator('#row .fold', { hasText: 'expectations not judged' })
  await fold.locator('summary').click()
  const text = await fold.innerText()
  t.match(text, /read \(probe after\)\s+sent, and not judged\s+accepted: status 200\s+SAW-4/)
  t.match(
    text,
    /find \(probe after\)\s+not sent: it is where the request under test is accepted\s+a body that mentions the marker\s+SAW-1/,
  )
  await goTo('#/rows/VET-DRY-RUN/set-up')
  await page.getByText('1 expectation not judged').click()
  t.match(
    await page.locator('#row').innerText(),
    /submit \(request under test\)\s+not sent\s+accepted: status 200\s+VET-2 must/,
  )
})

t.test('in a race each attempt is told by its number, and has what was not met of it', async (t) => {
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
          expected: 'refused',
          actual: 'accepted',
          met: false,
        }),
      ],
      evidence: [sampleEvidence({ attempt: 1 }), sampleEvidence({ attempt: 2 }), sampleEvidence(restored)],
    },
    { steps: [sampleStep({ race }), sampleStep({ name: 'put back', role: 'restore', expectations: [] })] },
  )
  const { page } = await openReport(await sampleRecord([row]), { hash: '#/rows/RACE/two' })
  await page.locator('.exchange').first().waitFor()
  const told = await page.locator('.exchange summary').allInnerTexts()
  t.match(told, [
    /^request under test submit, attempt 1 .*→ 200 \d/,
    /^request under test submit, attempt 2 .*→ 200 ✗/,
    /^restore put back/,
  ])
  t.match(
    await page.locator('.exchange[open] summary').innerText(),
    'attempt 2',
    'the one that shows the failure is open',
  )
  await page.getByText('1 expectation not judged').click()
  t.match(await page.locator('#row').innerText(), /submit \(request under test\)\s+sent, and not judged/)
})

t.test('the search has its text in the address, so that a filtered view can be sent and gone back to', async (t) => {
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
  t.same(await listedRows(page), found, 'the same after a reload')
  t.equal(await box.inputValue(), 'rule:CBI-1 -verdict:pass')
  t.equal(await page.locator('[aria-selected=true] code').innerText(), 'CBI-VISIBLE/hostile')

  await box.fill('verdict:fial')
  t.match(
    await page.getByRole('status').filter({ hasText: 'no verdict' }).innerText(),
    'There is no verdict fial; there are fail,',
  )
  t.match(await page.locator('.master').innerText(), 'No row is like that.')
  await page.getByRole('button', { name: 'Show all' }).click()
  t.equal((await listedRows(page)).length, 12)
  await page.getByRole('button', { name: 'Failures' }).click()
  t.equal((await listedRows(page)).length, 6)
  t.match(file, /\.html$/)
})

t.test('every row has a link that opens it, and a link to no row says so', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await openReport(record, { hash: tooLong, permissions })
  await page.getByRole('button', { name: 'Copy: link to this row' }).click()
  await page.getByText('Copied').waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), page.url())
  await page.getByRole('button', { name: 'Copy: Command that runs this row again' }).click()
  t.match(await page.evaluate('navigator.clipboard.readText()'), /^conform run --only SAW-COMMAND-ID\/too-long/)
  const nowhere = await openReport(record, { hash: '#/rows/NO/such%ZZ' })
  t.match(await nowhere.page.getByRole('alert').innerText(), 'This run has no row NO/such%ZZ.')

  const twice = [...sampleRows(), ...sampleRows().slice(0, 1)]
  const doubled = await openReport(await sampleRecord(twice), { hash: '#/rows/SAW-CREATE/plain~2' })
  t.equal(await doubled.page.locator('#row h2').innerText(), 'SAW-CREATE/plain', 'a row id that occurs twice has two')
})

t.test('the keyboard does everything: skip link, views, search, list, row, failures, help', async (t) => {
  const { page } = await openReport(record)
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
  await page.keyboard.press('Tab')
  t.equal(await focused(), 'Skip to the content')
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
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
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

  await page.keyboard.press('n')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile\?/)
  await page.keyboard.press('n')
  await page.keyboard.press('p')
  await page.waitForURL(/#\/rows\/CBI-VISIBLE\/hostile\?/)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.getByRole('checkbox', { name: /Single keys/ }).uncheck()
  await page.getByRole('button', { name: 'Close' }).press('Enter')
  await page.keyboard.press('1')
  await page.waitForURL(/#\/rows/)
})

t.test('the matrix shows every rule with its sentence, and what no row judges', async (t) => {
  const { page } = await openReport(record, { hash: '#/rules' })
  const line = (id: string) => page.locator('tbody tr', { hasText: id })
  t.same(
    (await page.locator('thead th').allInnerTexts()).map((text) => text.replace(/^\W+/, '')),
    ['Rule', ...verdicts],
  )
  t.match(
    await line('GEN-7').innerText(),
    /should, section 1\.5\s+An error body should name .*\s0\s+0\s+0\s+0\s+3\s+0\s+0\s+0/s,
  )
  t.match(await line('VET-9').innerText(), 'Not testable from outside: It takes a second participant.')
  t.match(await line('CBI-2').innerText(), 'No row of this run judges it.')
  await page.getByRole('radio', { name: /Not judged/ }).check()
  t.same(await page.locator('tbody th code').allTextContents(), ['CBI-2', 'VET-2', 'VET-9'])
  t.equal(searchOf(page), 'gap')
  await page.getByRole('radio', { name: /Not met/ }).check()
  await page.getByRole('link', { name: '2 rows fail for GEN-9' }).click()
  t.same(await listedRows(page), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
  await page.goBack()
  t.match(await page.getByRole('region', { name: /Where the profile differs/ }).innerText(), /D-3 \(GEN-9\): A wrong/)
})

t.test('of thousands of rows only what can be seen is in the page, and the last one is one key away', async (t) => {
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
  t.ok(list && option && option.y + option.height <= list.y + list.height + 1, 'it has been scrolled to')
})

t.test('whatever a target answers is text: no script of it runs, and nothing leaves the page', async (t) => {
  let hits = 0
  const server = createServer((_, response) => {
    hits += 1
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // an address object, as it listens on TCP
  const poison = [
    '<script>window.hostile = true</script><img src=x onerror="window.hostile = true">',
    `<img src="${address}a"><link rel=stylesheet href="${address}b"><iframe src="${address}c"></iframe>`,
    `"' autofocus onfocus="window.hostile = true" x="</pre></details></script></noscript><script src="${address}d"></script>`,
    `<meta http-equiv=refresh content="0;url=${address}e"><base href="${address}"><style>*{display:none}</style>`,
    '\u001b[2J\u0000\u202Egnp.exe\ud800 javascript:alert(1)',
  ].join('')
  const judgement = { subject: poison, pointer: poison, expected: poison, actual: poison, met: false }
  const response = { status: 200, headers: [[poison, poison]] as [string, string][], body: { text: poison, bytes: 9 } }
  const request = { method: poison, url: poison, headers: response.headers, body: response.body }
  const problem = { code: 'malformed' as const, message: poison }
  const json = { ...response, body: { text: JSON.stringify({ [poison]: [poison] }), bytes: 9 } }
  const source = { file: poison, line: 1 }
  const checks = [{ on: 'text' as const, mentions: poison }]
  const expectation = sampleExpectation([poison], {
    situation: poison,
    basis: poison,
    source,
    anyOf: [{ name: poison, checks }],
  })
  const steps = [sampleStep({ name: poison, expectations: [expectation, expectation] })]
  const resolved = { title: poison, operation: poison, source, steps }
  const everywhere = sampleRow(
    `${poison}/row`,
    {
      ...{ reason: poison, verdict: 'fail' },
      judgements: [sampleJudgement({ ...judgement, rules: [poison], situation: poison, divergence: poison })],
      evidence: [sampleEvidence({ request, response, problem }), sampleEvidence({ response: json })],
      variables: { [poison]: poison },
    },
    resolved,
  )
  const rows = [everywhere, withResolved({ ...everywhere, id: poison, verdict: 'pass' }, { id: poison })]
  const hostileRecord = await sampleRecord(rows, {
    ...{ run: poison, seed: poison, only: poison, capabilities: { [poison]: true, __proto__: true } },
    target: { url: poison, version: poison, authorization: poison, embedded: false },
    rules: [
      { id: poison, statement: poison, strength: 'must', section: poison, passages: [poison], untestable: poison },
    ],
    text: { title: poison, version: poison, digest: poison },
    judgedAgain: { profile: poison },
    profile: {
      name: poison,
      title: poison,
      situations: [
        {
          name: poison,
          meaning: poison,
          outcome: 'either',
          alternatives: [poison],
          confidence: 'read',
          source: poison,
        },
      ],
      divergences: [{ id: poison, rule: poison, statement: poison, source: poison }],
    },
    variables: { [poison]: poison },
  })
  const broken = { ...hostileRecord, defects: [poison] }
  const { page, asked, said, goTo } = await openReport(broken, { baseline: { ...hostileRecord, rows: [everywhere] } })
  for (const view of ['summary', 'failures', 'rows', 'rules', 'compare']) {
    await goTo(`#/${view}`)
    await page.locator(`main.${view}`).waitFor()
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    t.equal(
      await page.locator('img, link, iframe, base, main script, main style').count(),
      0,
      `${view}: no element of it`,
    )
    const text = await page.locator('body').innerText()
    t.notOk(
      ['\u0000', '\u001b', '\u202e'].some((acting) => text.includes(acting)),
      `${view}: no character that acts`,
    )
  }
  await goTo('#/rows')
  await page.locator('.row-option').first().click()
  await page.locator('.exchange').first().waitFor()
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
  t.match(await page.locator('#row').innerText(), '<script>window.hostile = true</script>', 'it is shown, as text')
  t.match(await page.locator('#row').innerText(), '‹U+001B›[2J‹U+0000›‹U+202E›gnp.exe‹U+D800›')
  await page.getByRole('searchbox').fill(poison.slice(0, 40))
  t.equal((await listedRows(page)).length, 2, 'the search takes hostile words as words')
  t.equal(await page.evaluate('window.hostile'), undefined, 'no script of the target ran')
  t.same(asked, [])
  t.same(said, [])

  const blocked = `new Promise((resolve) => {
    const seen = new Set()
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.add(event.effectiveDirective)
      if (seen.size === 3) resolve([...seen].sort())
    })
    document.body.append(Object.assign(document.createElement('img'), { src: '${address}' }))
    try { document.body.innerHTML = '<b>markup</b>' } catch {}
    const script = document.createElement('script')
    script.append('window.hostile = true')
    try { document.body.append(script) } catch {}
    const style = document.createElement('style')
    style.append('* { display: none }')
    document.body.append(style)
  })`
  t.same(await page.evaluate(blocked), ['img-src', 'require-trusted-types-for', 'style-src-elem'])
  t.equal(await page.evaluate('window.hostile'), undefined, 'what slipped through would be stopped all the same')
  t.equal(hits, 0)
})

t.test('bodies that are no text, cut, or as long as 50 MB are shown shortened, and say so', async (t) => {
  const huge = `<script>window.hostile = true</script>${'x'.repeat(50_000_000)}`
  const response = { status: 200, headers: [], body: { text: huge, bytes: huge.length } }
  const row = sampleRow('CBI-VISIBLE/huge', { evidence: [sampleEvidence({ response })] })
  const { page } = await openReport(await sampleRecord([...sampleRows(), row]), { hash: '#/rows/CBI-VISIBLE/binary' })
  const text = async (id: string) => {
    await page.evaluate(`location.hash = '#/rows/CBI-VISIBLE/${id}'`)
    await page.locator('#row h2', { hasText: id }).waitFor()
    await page.locator('.exchange').first().waitFor()
    return page.locator('#row').innerText()
  }
  t.match(await text('binary'), /4 bytes\s+Text\s+Base64\s+Not UTF-8: bytes that are no text show as �\./)
  await page.getByRole('button', { name: 'Base64' }).click()
  t.equal(await page.getByRole('group', { name: 'Request body' }).innerText(), '/w8AJw==')
  t.match(await text('long'), 'Cut: 20000 characters of 3000000 bytes are shown here.')
  const shown = await text('huge')
  t.match(shown, `Cut: 20000 characters of ${huge.length} bytes are shown here.`)
  t.match(shown, '<script>window.hostile = true</script>xxx')
  t.ok(shown.length < 60_000)
  t.equal(await page.evaluate('window.hostile'), undefined)
})

t.test('without JavaScript the conclusion can be read', async (t) => {
  const { page } = await openReport({ ...record, defects: ['Half of it is missing.'] }, { javaScriptEnabled: false })
  const text = await page.locator('body').innerText()
  t.match(text, /Conformance report: not conforming\s+! Half of it is missing\.\s+6 of 12 planned rows/)
  t.match(text, '3 fail, 1 error, 1 blocked, 1 unexpected-pass, 1 warning, 1 excused, 1 not-applicable, 3 pass')
})
