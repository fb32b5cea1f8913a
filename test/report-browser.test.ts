import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright'
import t from 'tap'
import type { RunRecord } from '../record/record.js'
import { verdicts } from '../record/verdict.js'
import { htmlReport } from '../reports/html.js'
import { fileAddress, launchBrowser } from './browser.js'
import { sampleEvidence, sampleJudgement, sampleRecord, sampleRow, sampleRows } from './sample-record.js'

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const browser = await launchBrowser()
t.teardown(() => browser.close())
const folder = t.testdir()

interface Opened {
  page: Page
  /** Addresses that the page asked for, its own apart, and whatever its console had to say. */
  asked: string[]
  said: string[]
}

async function open(record: RunRecord, options: BrowserContextOptions = {}): Promise<Opened> {
  const file = join(folder, `report-${Math.random().toString(36).slice(2)}.html`)
  writeFileSync(file, htmlReport(record))
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const asked: string[] = []
  const said: string[] = []
  const own = fileAddress(file)
  page.on('request', (request) => request.url() === own || asked.push(request.url()))
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('dialog', (dialog) => said.push(dialog.message()))
  await page.goto(own)
  return { page, asked, said }
}

/** The ids of the listed rows that the filter leaves, in page order. */
async function listedRows(page: Page): Promise<string[]> {
  return page.locator('details.operation details.row:not([hidden]) > summary > code').allTextContents()
}

const record = await sampleRecord()

t.test('the summary says the conclusion in words, and every verdict with its count in the fixed order', async (t) => {
  const { page } = await open(record)
  t.match(await page.locator('.outcome').innerText(), /✗\s+Not conforming\s+6 of 12 planned rows/i)
  const counts = await page.locator('[data-count]').all()
  const found = await Promise.all(
    counts.map(async (item) => [await item.getAttribute('data-count'), await item.locator('.number').innerText()]),
  )
  t.same(
    found,
    verdicts.map((verdict) => [verdict, String(record.footer?.counts[verdict])]),
  )
  const facts = await page.locator('.facts').innerText()
  for (const fact of [
    'http://127.0.0.1:7575',
    'canton-3.5',
    '2026.11',
    '9f86d0',
    '20261121',
    '2026-11-21 12:00:00 UTC',
    '2 min 5 s',
  ]) {
    t.match(facts, fact, `the facts name ${fact}`)
  }
  t.match(await page.locator('.yes-no').innerText(), /✓ external-parties: yes.*– several-synchronizers: no/s)
  t.equal(await page.locator('.banner').count(), 0, 'a whole record has no banner')
})

t.test(
  'failures are grouped by the rule that was not met and stand open, with all that is needed to act',
  async (t) => {
    const { page } = await open(record)
    const group = page.locator('#failures .group', { hasText: 'No request of a client is answered by a server error.' })
    t.match(await group.locator('h3').innerText(), /GEN-9.*must, section 1\.5.*2 rows/s)
    t.equal(await group.locator('details.row[open]').count(), 2)
    const row = page.locator('[id="row-SAW-COMMAND-ID/too-long"]')
    t.match(await row.innerText(), 'suites/cases/submit-and-wait/identifiers.yaml:30')
    t.match(
      await row.locator('tr.unmet').nth(2).innerText(),
      /✗ no\s+body \/code\s+submit\s+"INVALID_FIELD"\s+"INTERNAL"/,
    )
    t.match(await row.innerText(), /curl -sS -i -X POST/)
    t.match(await row.innerText(), 'conform run --only SAW-COMMAND-ID/too-long')
    t.match(await row.innerText(), '"code": "INTERNAL",\n  "cause": "boom"', 'a JSON body is laid out')
    t.match(await page.locator('#failures').innerText(), /blocked.*The package could not be uploaded/s)
  },
)

t.test('the filter takes words and verdicts, opens what it finds, and can be reset', async (t) => {
  const { page } = await open(record)
  t.equal(await page.locator('details.operation[open]').count(), 0, 'operations start closed')
  await page.getByRole('searchbox').fill('CBI-1')
  const lookUps = ['CBI-VISIBLE/hostile', 'CBI-VISIBLE/binary', 'CBI-VISIBLE/long', 'CBI-VISIBLE/two-synchronizers']
  t.same(await listedRows(page), lookUps, 'a rule id finds its rows whatever the case')
  t.equal(await page.locator('details.operation[open]').count(), 1)
  t.equal(await page.locator('#filter output').innerText(), '4 of 12 rows')
  await page.getByRole('checkbox', { name: 'pass', exact: true }).uncheck()
  t.same(await listedRows(page), ['CBI-VISIBLE/hostile', 'CBI-VISIBLE/two-synchronizers'])
  await page.getByRole('searchbox').fill('nowhere to be found')
  t.equal(await page.locator('#filter output').innerText(), '0 of 12 rows')
  await page.getByRole('button', { name: 'Show all' }).click()
  t.equal(await page.locator('#filter output').innerText(), '12 of 12 rows')
  t.equal((await listedRows(page)).length, 12)
  t.equal(await page.locator('details.operation[open]').count(), 0, 'and all is closed again')
})

t.test('the keyboard reaches everything: the skip link comes first, and Enter opens a list', async (t) => {
  const { page } = await open(record)
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the summary')
  await page.locator('input[value=pass]').focus()
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  t.equal(await page.locator('details.operation').first().getAttribute('open'), '', 'the list after the filter is open')
})

t.test('a command can be copied with one click', async (t) => {
  const { page } = await open(record, { permissions: ['clipboard-read', 'clipboard-write'] })
  const row = page.locator('[id="row-SAW-COMMAND-ID/too-long"]')
  await row.getByRole('button', { name: 'Copy: Command that runs this row again' }).click()
  await row.getByText('Copied').waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), 'conform run --only SAW-COMMAND-ID/too-long')
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
    `"' autofocus onfocus="window.hostile = true" x="</pre></details></script><script src="${address}d"></script>`,
    `<meta http-equiv=refresh content="0;url=${address}e"><base href="${address}"><style>*{display:none}</style>`,
  ].join('')
  const judgement = { subject: poison, pointer: poison, expected: poison, actual: poison, step: poison, met: false }
  const response = { status: 200, headers: [[poison, poison]] as [string, string][], body: { text: poison, bytes: 9 } }
  const request = { method: poison, url: poison, headers: response.headers, body: response.body }
  const problem = { code: 'malformed' as const, message: poison }
  const everywhere = sampleRow(`${poison}/row`, {
    ...{ title: poison, operation: poison, rules: [poison], reason: poison, verdict: 'fail' },
    source: { file: poison, line: 1 },
    judgements: [sampleJudgement({ ...judgement, rules: [poison], condition: poison, divergence: poison })],
    evidence: [sampleEvidence({ step: poison, request, response, problem })],
  })
  const hostileRecord = await sampleRecord([everywhere, { ...everywhere, id: poison, verdict: 'pass' }], {
    ...{ run: poison, seed: poison, capabilities: { [poison]: true, __proto__: true } },
    target: { url: poison, version: poison, authorization: 'none', embedded: false },
    rules: [{ id: poison, statement: poison, strength: 'must', section: poison }],
    divergences: [{ id: poison, rule: poison, statement: poison, source: poison }],
  })
  const { page, asked, said } = await open({ ...hostileRecord, defects: [poison] })
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
  await page.getByRole('searchbox').fill(poison)
  t.equal((await listedRows(page)).length, 2, 'the filter takes hostile words as words')
  t.equal(await page.evaluate('window.hostile'), undefined, 'no script of the target ran')
  t.equal(
    await page.locator('img, link, iframe, base, main script, main style').count(),
    0,
    'and none of its elements exists',
  )
  t.same(asked, [])
  t.same(said, [], 'and the page itself breaks none of its own policy')
  t.equal(hits, 0)

  const blocked = `new Promise((resolve) => {
    const seen = []
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.push(event.effectiveDirective)
      if (seen.length === 2) resolve(seen.sort())
    })
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hostile = true' }))
    document.body.append(Object.assign(document.createElement('img'), { src: '${address}' }))
  })`
  t.same(await page.evaluate(blocked), ['img-src', 'script-src-elem'], 'what slipped through escaping would be stopped')
  t.equal(await page.evaluate('window.hostile'), undefined)
  t.equal(hits, 0)
})

t.test('bodies that are binary, cut by the run or too long for the page say so', async (t) => {
  const { page } = await open(record)
  await page.getByRole('searchbox').fill('CBI-VISIBLE')
  const binary = page.locator('[id="row-CBI-VISIBLE/binary"]')
  await binary.locator('summary').click()
  t.match(await binary.innerText(), /Not UTF-8; shown as base64\.\s+\/w8AJw==/)
  const long = page.locator('[id="row-CBI-VISIBLE/long"]')
  await long.locator('summary').click()
  const text = await long.innerText()
  t.match(text, 'The run kept only the beginning of 3000000 bytes.')
  t.match(text, 'Cut here: the record has 20001 characters.')
  t.match(text, '[cut: 12001 more characters]')
})

t.test('a record without footer or with defects has a banner above everything, and is no proof', async (t) => {
  const { footer: _, ...headless } = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  const { page } = await open({ ...headless, defects: ['There is no footer: the run was stopped.'] })
  t.match(await page.getByRole('alert').innerText(), /must not be taken as whole\s+There is no footer/)
  t.match(await page.locator('.outcome').innerText(), /^!\s+Incomplete/i)
})

t.test('a conforming run says so, and has no failures', async (t) => {
  const { page } = await open(await sampleRecord([sampleRow('SAW-CREATE/plain')]))
  t.match(await page.locator('.outcome').innerText(), /^✓\s+Conforming/i)
  t.match(await page.locator('#failures').innerText(), 'No row keeps this run from conforming.')
})

t.test(
  'light and dark follow the system, a phone needs no sideways scrolling, and paper gets no controls',
  async (t) => {
    const background = "getComputedStyle(document.querySelector('.card')).backgroundColor"
    const light = await open(record, { colorScheme: 'light' })
    const dark = await open(record, { colorScheme: 'dark' })
    t.equal(await light.page.evaluate(background), 'rgb(255, 255, 255)')
    t.equal(await dark.page.evaluate(background), 'rgb(26, 32, 42)')
    const phone = await open(record, { viewport: { width: 360, height: 700 } })
    t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 360)
    await light.page.emulateMedia({ media: 'print' })
    t.equal(await light.page.locator('nav:visible, form:visible, button:visible').count(), 0)
  },
)

t.test('without JavaScript everything can be read, and no dead control shows', async (t) => {
  const { page } = await open(record, { javaScriptEnabled: false })
  t.equal(await page.locator('form:visible, button:visible').count(), 0)
  await page.locator('details.operation > summary').first().click()
  await page.locator('[id="row-CBI-VISIBLE/long"] > summary').click()
  t.match(await page.locator('[id="row-CBI-VISIBLE/long"]').innerText(), 'A long answer is cut')
})

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`axe finds no WCAG 2.1 A or AA violation (${colorScheme})`, async (t) => {
    const broken = { ...(await sampleRecord(sampleRows())), defects: ['The plan has 20 rows, and 12 are recorded.'] }
    const { page } = await open(broken, { colorScheme })
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    await page.evaluate(axe)
    const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    const found = await page.evaluate<AxeResults>(`axe.run({ runOnly: ${tags} })`)
    t.same(
      found.violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) })),
      [],
    )
    t.ok(
      found.passes.some(({ id }) => id === 'color-contrast'),
      'contrast was looked at',
    )
  })
}

t.test(
  'the script that sees to the test tools is quiet with them, and says what is missing where it cannot get it',
  async (t) => {
    const run = (env: NodeJS.ProcessEnv) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/ensure-test-tools.mjs'], {
        env,
        encoding: 'utf8',
      })
      return { status, output: stdout + stderr }
    }
    t.same(run(process.env), { status: 0, output: '' })
    t.same(
      run({ ...process.env, CONFORMANCE_BROWSER: process.execPath }),
      { status: 0, output: '' },
      'a file is believed',
    )
    const wrong = run({ ...process.env, CONFORMANCE_BROWSER: folder })
    t.match(wrong, { status: 1, output: /CONFORMANCE_BROWSER is .*, which is no executable file\./ })
    const nowhere = run({ PATH: folder })
    t.match(nowhere, { status: 1, output: /a Chromium, .*Debian has it as chromium-headless-shell or chromium\./ })
  },
)
