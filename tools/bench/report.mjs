/**
 * `npm run bench:report -- [ROWS]`: measures size, first view and search of an HTML report (default: 5,000 rows). The rows are copies of one
 * run of the suite with different ids, so that they compress like real rows.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '../../dist/record/file/read-record.js'
import { htmlReport } from '../../dist/reports/formats/html.js'
import { launchBrowser } from '../../dist/test/support/processes/browser.js'

const wanted = Number(process.argv[2] ?? 5000)
const rounds = 5
const folder = mkdtempSync(join(tmpdir(), 'bench-report-'))

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Replaces each long hexadecimal id by a random one, consistently. */
function withOtherIds(/** @type {string} */ line) {
  /** @type {Map<string, string>} */
  const others = new Map()
  return line.replace(/\b[0-9a-f]{32,}\b/g, (id) => {
    const other = others.get(id) ?? randomBytes(id.length / 2).toString('hex')
    others.set(id, other)
    return other
  })
}

async function manyRows() {
  const run = spawnSync(process.execPath, ['dist/cli/conform.js', 'run', '--out', folder], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`the run exited with ${run.status}\n${run.stderr}`)
  const { header, rows } = await readRecord(join(folder, 'latest', 'run.ndjson.br'))
  const copies = Array.from({ length: wanted }, (_, index) => {
    const row = JSON.parse(withOtherIds(JSON.stringify(rows[index % rows.length])))
    // Every twentieth row fails, so that the report has groups, causes and marks.
    const failed = index % 20 === 0 && row.judgements.length > 0
    if (failed) Object.assign(row.judgements[0], { met: false, expected: '400' })
    const id = `${row.id}-${index}`
    return {
      ...row,
      id,
      resolved: { ...row.resolved, id },
      ...(failed && { verdict: 'fail', reason: 'status: expected 400' }),
    }
  })
  return { header: { ...header, plan: copies.map(({ id }) => id) }, rows: copies, defects: [] }
}

/** Milliseconds from the request of the file to the first contentful paint, by the clock of the browser. */
async function firstView(/** @type {import('playwright').Page} */ page, /** @type {string} */ url) {
  await page.goto('about:blank')
  await page.goto(url)
  return page.evaluate(`new Promise((done) => {
    const seen = (list) => {
      const paint = list.getEntriesByName('first-contentful-paint')[0]
      if (paint) done(paint.startTime)
    }
    new PerformanceObserver(seen).observe({ type: 'paint', buffered: true })
  })`)
}

/** Milliseconds from each keystroke of a search to the updated frame. */
async function keystrokes(/** @type {import('playwright').Page} */ page) {
  await page.evaluate("location.hash = '#/rows'")
  const box = page.locator('#search')
  await box.focus()
  await page.evaluate(`
    window.times = []
    document.querySelector('#search').addEventListener('input', () => {
      const begin = performance.now()
      requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - begin)))
    }, { capture: true })
  `)
  for (const letter of 'verdict:fail operation:submit* -id:x')
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
  const results = await page.locator('.search-box output').innerText()
  return { times: await page.evaluate('window.times'), results }
}

const record = await manyRows()
const file = join(folder, 'many.html')
const begin = performance.now()
writeFileSync(file, await htmlReport(record))
const written = performance.now() - begin
const raw = record.rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0)

const browser = await launchBrowser()
const page = await browser.newPage()
const views = []
for (let round = 0; round < rounds; round += 1) views.push(await firstView(page, `file://${file}`))
const { times, results } = await keystrokes(page)
await browser.close()

const inMegabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(2)} MB`
const inMilliseconds = (/** @type {number} */ time) => `${Math.round(time)} ms`
console.log(`${wanted} rows with evidence, ${inMegabytes(raw)} of record, on ${cpus().length} cores`)
console.log(`size of the report      ${inMegabytes(statSync(file).size)}   (goal: under 10 MB)`)
console.log(`time to write           ${inMilliseconds(written)}`)
console.log(
  `first view              ${inMilliseconds(median(views))}, slowest of ${rounds}: ${inMilliseconds(Math.max(...views))}   (goal: under 1 s)`,
)
console.log(
  `keystroke in the search ${inMilliseconds(median(times))}, slowest of ${times.length}: ${inMilliseconds(Math.max(...times))}   (goal: under 100 ms; ${results})`,
)
rmSync(folder, { recursive: true })
