/** Known failures and regressions, compared with a baseline. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { reportRun } from '../../../cli/output/report-run.js'
import type { RunRow } from '../../../record/types/record.js'
import { githubAnnotations } from '../../../reports/formats/github.js'
import { markdownReport } from '../../../reports/formats/markdown.js'
import { factsOf } from '../../../reports/summary/run-facts.js'
import { call } from '../../support/processes/called-command.js'
import { sampleRecord } from '../../support/records/sample-record.js'
import { sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { openReport } from '../page/report-page.js'

const failing = (id: string, actual: string): RunRow =>
  sampleRow(id, { verdict: 'fail', judgements: [sampleJudgement({ found: [actual], met: false })] })

/** 179 known failures, and 3 rows that fail in the later run only, one of them new in the suite. */
async function night() {
  const known = Array.from({ length: 179 }, (_, index) =>
    failing(`KNOWN/${String(index).padStart(3, '0')}`, index % 2 === 0 ? '404' : '409'),
  )
  const before = await sampleRecord([...known, sampleRow('NEW/1'), sampleRow('NEW/2')], { run: 'last-good' })
  const after = await sampleRecord([...known, ...['NEW/1', 'NEW/2', 'NEW/3'].map((id) => failing(id, '201'))])
  return { before, after }
}

t.test('of 182 failures, the three new ones are the first lines and decide the exit code', async (t) => {
  const { before, after } = await night()
  const out = t.testdir()
  const { code, stdout } = await call(() =>
    reportRun(after, join(out, 'run.ndjson'), out, false, { baseline: factsOf(before) }),
  )
  t.equal(code, 1)
  const lines = stdout.split('\n')
  t.match(lines[0], /^3 regressions, 179 known failures, compared with last-good \(2026-11-21T12:00:00\.000Z\)$/)
  t.match(lines[2], /^✗ 3 rows {2}The answer carries the id of the resulting transaction\. {2}SAW-1, mandatory/)
  t.notMatch(stdout, /KNOWN\//)
  const same = await call(() => reportRun(before, join(out, 'run.ndjson'), out, false, { baseline: factsOf(before) }))
  t.equal(same.code, 0)
  t.match(same.stdout, /^No regression, 179 known failures, compared with last-good/)

  const summary = await readFile(join(out, 'summary.md'), 'utf8')
  t.match(summary, /\n\*\*No regression, 179 known failures\*\*, compared with `last-good`/)
  const markdown = markdownReport(after, factsOf(before))
  t.match(
    markdown,
    /\n\*\*3 regressions, 179 known failures\*\*, .*\n\n### 3 rows: The answer carries .*\n- 3× status: expected 200, found 201\n/s,
  )
  t.match(markdown, /\n179 known failures in 1 cause: see the other reports\.\n/)
  const annotations = githubAnnotations(after, factsOf(before)).split('\n')
  t.match(annotations, [
    /^::error title=3 rows%3A The answer/,
    /^::notice .*::3 regressions, 179 known failures: see the summary$/,
  ])
  t.equal(annotations.length, 2)
  const lost = { ...after, rows: after.rows.slice(1), header: { ...after.header, plan: after.header.plan.slice(1) } }
  t.match(githubAnnotations(lost, factsOf(before)), /^::error title=1 row is no longer judged::rows: KNOWN\/000\n/)
})

t.test('the HTML summary counts the regressions, and shows new failures before known ones', async (t) => {
  const { before, after } = await night()
  const { page } = await openReport(after, { baseline: factsOf(before) })
  t.match(
    await page.locator('.outcome').innerText(),
    /3 regressions, 179 known failures, compared with last-good \(2026-11-21 12:00:00 UTC\)\./,
  )
  const causes = page.getByRole('region', { name: 'Largest new causes' })
  const text = await causes.innerText()
  t.match(text, /3 rows.*status: expected 200, found 201/s)
  t.notMatch(text, '404')
  await causes.getByRole('link', { name: 'All 1 cause' }).click()
  t.match(
    await page.locator('.view-failures').innerText(),
    /182 rows with 2 causes.*New failures.*found 201.*Known failures.*found 404.*found 409/s,
  )
})
