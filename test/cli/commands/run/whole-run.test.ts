/** One run of the whole suite on the embedded simulator. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { compareRun } from '../../../../certificate/verify/compare-run.js'
import { readParts } from '../../../../cli/output/read-run.js'
import { examineRules } from '../../../../record/judgements/examination.js'
import { combineRecords } from '../../../../record/merge/combine-records.js'
import type { RunRecord, RunRow } from '../../../../record/types/record.js'
import { deriveRun } from '../../../../runner/derive/derive-run.js'
import { judgeBy } from '../../../../runner/run/expectations-by.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { fileAddress, launchBrowser, pagesOf } from '../../../support/processes/browser.js'
import { conform } from '../../../support/processes/conform-process.js'
import { derivedFrom } from '../../../support/records/derived-from.js'
import { profileNamed, suiteFolder, wholeSuite } from '../../../support/suites/whole-suite.js'
import { inWords } from '../../../support/words/in-words.js'

/** By default only the second configuration is derived again; with WHOLE_RUN=whole also the first one, with ten times as many rows. */
const isComplete = process.env['WHOLE_RUN'] === 'whole'

const reports = ['badge.svg', 'ctrf.json', 'junit.xml', 'report.html', 'summary.json', 'summary.md']

t.test('a run performs every row on the embedded simulator, in two configurations', async (t) => {
  const out = t.testdir()
  const latest = join(out, 'latest')
  const ended = await conform('run', '--out', out)
  t.equal(ended.code, 0, ended.stdout + ended.stderr)
  const parts = await readParts(out)
  const [first] = parts
  if (!first) throw new Error('the run has no record')

  await t.test('it conforms, and examines each rule that a run can test', async (t) => {
    const record = combineRecords(parts)
    t.equal(parts.length, 2)
    t.match(record.footer, { complete: true, conforming: true })
    t.strictSame(record.defects, [])
    t.strictSame(record.rows.map(({ id }) => id).sort(), record.header.plan.toSorted())
    const verdicts = new Set(record.rows.map(({ verdict }) => verdict))
    t.strictSame([...verdicts].sort(), ['not-applicable', 'pass'])
    const open = examineRules(record.header, record.rows).filter(({ state }) => state !== 'examined')
    t.strictSame([...new Set(open.map(({ state }) => state))], ['untestable'])
  })

  await t.test('it writes eight files and prints their paths', async (t) => {
    const files = await readdir(latest)
    t.strictSame(files.sort(), [...reports, 'run-2.ndjson.br', 'run.ndjson.br', 'run.tap'].sort())
    for (const file of files.filter((name) => name !== 'summary.json')) t.match(ended.stdout, `/${file}\n`, file)
  })

  await t.test('the requests of each row follow from the suite, byte by byte, and so does the record', async (t) => {
    t.ok(first.rows.filter(({ evidence }) => evidence.length > 0).length >= first.rows.length / 2)
    for (const part of isComplete ? parts : parts.slice(1)) {
      const derived = await deriveRun(part, await derivedFrom(suiteFolder, part))
      t.strictSame(derived && compareRun(part, derived, true), [])
    }
  })

  await t.test('its report has a page for the signer and prints on six pages', async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const page = await browser.newPage()
    await page.goto(fileAddress(join(latest, 'report.html')))
    await page.emulateMedia({ media: 'print' })
    await page.locator('.signature').waitFor()
    const pages = pagesOf(await page.pdf({ format: 'A4' }))
    t.ok(pages <= 6, `${pages} pages`)
  })

  const byText = judgeBy(first, profileNamed('interface'), wholeSuite).rows
  await t.test('by the profile interface, it fails exactly the rows with a recorded divergence', (t) => {
    const failed = byText.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    // The text does not state the limit of this row.
    const known = first.rows.filter((row) => isDiverging(row) && row.id !== 'SAW-TAPS/largest-int32')
    t.strictSame(failed.sort(), known.map(({ id }) => id).sort())
    t.ok(failed.length > 0)
    t.strictSame(
      byText.filter(({ verdict }) => verdict === 'blocked').map(({ id, reason }) => `${id}: ${inWords(reason)}`),
      [],
      'every row can be judged again',
    )
    t.end()
  })

  await t.test('a simulator that follows the text passes the rows with other verdicts by the text', async (t) => {
    const only = differing(first, byText)
    t.ok(only.length > 40, `${only.length} rows`)
    const simulator = await startSimulator({ behaviour: 'interface' })
    t.teardown(() => simulator.close())
    const target = ['--target', simulator.url, '--profile', 'interface', '--out', join(out, 'text')]
    const { code, stdout } = await conform('run', ...target, '--only', ...only)
    t.equal(code, 0, stdout)
  })
})

const isDiverging = ({ judgements }: RunRow): boolean => judgements.some(({ divergence }) => divergence !== undefined)

/** `npm run test:variants` performs all rows. */
function differing({ rows }: RunRecord, others: readonly RunRow[]): string[] {
  const before = new Map(rows.map(({ id, verdict }) => [id, verdict]))
  return others.filter(({ id, verdict }) => verdict !== before.get(id)).map(({ id }) => id)
}
