/** The HTML page with hostile responses: it executes none of them, and its size is bounded. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { sampleRecord, sampleRows } from '../../support/records/sample-record.js'
import {
  said,
  sampleEvidence,
  sampleExpectation,
  sampleJudgement,
  sampleRow,
  sampleStep,
  withResolved,
} from '../../support/records/sample-row.js'
import { listedRows, openReport, viewOf } from './report-page.js'

const record = await sampleRecord()

t.test('every response is text: no script from a target runs, and nothing leaves the page', async (t) => {
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
  const judgement = { subject: poison, pointer: poison, wanted: [poison], found: [poison], met: false }
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
      reason: said(poison),
      verdict: 'fail',
      judgements: [sampleJudgement({ ...judgement, rules: [poison], situation: poison, divergence: poison })],
      evidence: [sampleEvidence({ request, response, problem }), sampleEvidence({ response: json })],
      variables: { [poison]: poison },
    },
    resolved,
  )
  // Short enough to keep the control characters.
  const controls = sampleJudgement({ rules: [poison], found: ['\u001b[2J\u0000\u202Egnp.exe'], met: false })
  const unexplained = { ...everywhere, judgements: [controls] }
  const rows = [
    everywhere,
    withResolved({ ...everywhere, id: poison, verdict: 'pass' }, { id: poison }),
    withResolved({ ...unexplained, id: 'A/unexplained' }, { id: 'A/unexplained' }),
  ]
  const hostileRecord = await sampleRecord(rows, {
    run: poison,
    seed: poison,
    only: poison,
    capabilities: { [poison]: true, __proto__: true },
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
  const { page, requests, messages, goTo } = await openReport(broken, {
    baseline: factsOf({ ...hostileRecord, rows: [everywhere] }),
  })
  for (const view of ['verdict', 'failures', 'text', 'rows', 'rules']) {
    await goTo(`#/${view}`)
    await viewOf(page, view).waitFor()
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    t.equal(
      await page.locator('img, link, iframe, base, main script, main style').count(),
      0,
      `${view}: no element from the target`,
    )
    const text = await page.locator('body').innerText()
    t.notOk(
      ['\u0000', '\u001b', '\u202e'].some((control) => text.includes(control)),
      `${view}: no control character`,
    )
  }
  await goTo('#/rows')
  await page.locator('.row-option').first().click()
  await page.locator('.exchange').first().waitFor()
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
  t.match(await page.locator('#row').innerText(), '<script>window.hostile = true</script>', 'the script is text')
  t.match(await page.locator('#row').innerText(), '‹U+001B›[2J‹U+0000›‹U+202E›gnp.exe‹U+D800›')
  await page.getByRole('searchbox').fill(poison.slice(0, 40))
  t.equal((await listedRows(page)).length, 3, 'the search treats hostile words as text')
  t.equal(await page.evaluate('window.hostile'), undefined, 'no script of the target ran')
  t.same(requests, [])
  t.same(messages, [])

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
  t.equal(await page.evaluate('window.hostile'), undefined, 'the policy blocks inserted elements')
  t.equal(hits, 0)
})

t.test('the page shortens binary, cut and 50 MB bodies, and states it', async (t) => {
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
  t.match(await text('binary'), /4 bytes\s+Not UTF-8, so in base64\./)
  t.equal(await page.getByRole('group', { name: 'Request body' }).innerText(), '/w8AJw==')
  t.match(await text('long'), /3000000 bytes\s+Cut to its first 20000 characters\./)
  const shown = await text('huge')
  t.match(shown, `${huge.length} bytes`)
  t.match(shown, '<script>window.hostile = true</script>xxx')
  t.ok(shown.length < 60_000)
  t.equal(await page.evaluate('window.hostile'), undefined)
})

t.test('without JavaScript the page shows the conclusion', async (t) => {
  const { page } = await openReport({ ...record, defects: ['Half of it is missing.'] }, { javaScriptEnabled: false })
  const text = await page.locator('body').innerText()
  t.match(text, /FAIL profile canton-3\.5\s+! Half of it is missing\.\s+FAIL: 3 of 12 rows passed, 3 failed, /)
  t.match(
    text,
    /3 ✗ fail\s+1 ! error\s+1 ■ blocked\s+1 \? unexpected-pass\s+1 ▲ warning\s+1 ~ excused\s+1 – not-applicable\s+3 ✓ pass/,
  )
})
