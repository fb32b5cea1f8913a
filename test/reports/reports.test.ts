/** The structure of the reports: verdicts, counts, order, and validity in each format. */
import { readFileSync } from 'node:fs'
import { validate } from 'ctrf'
import { XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import { validateXML } from 'xmllint-wasm'
import type { RunRecord } from '../../record/types/record.js'
import { type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { badgeReport } from '../../reports/formats/badge.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { htmlReport } from '../../reports/formats/html.js'
import { junitReport } from '../../reports/formats/junit.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import type { PageRun } from '../../reports/formats/page-row.js'
import { tapReport } from '../../reports/formats/tap.js'
import { failureText } from '../../reports/wording/failure-text.js'
import { readJunit, readTap } from '../support/records/read-formats.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { sampleRow } from '../support/records/sample-row.js'
import { unpackReport } from '../support/records/unpack-report.js'

// Characters that no output may contain.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const poison = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\ufffe]/

const record = await sampleRecord()
const counts = record.footer?.counts ?? ({} as VerdictCounts) // the first test fails without a footer
const whole = {
  ...record,
  rows: record.rows.filter(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable'),
}
const cutShort: RunRecord = {
  header: whole.header,
  rows: whole.rows,
  defects: ['There is no footer.', 'Rows are missing.'],
}

/** In the order of the text: `3 fail, 1 error`. */
const pairsIn = (text: string): [verdict: string, count: number][] =>
  [...text.matchAll(/(\d+) ([a-z-]+)/g)].map(([, number, verdict = '']) => [verdict, Number(number)])

const lineIn = (text: string): string => /^.*\d+ fail, .* pass\b.*$/m.exec(text)?.[0] ?? 'no such line'

const sum = (lists: [string, number][][]): [string, number][] =>
  verdicts.map((verdict) => [
    verdict,
    lists.flat().reduce((total, [name, number]) => (name === verdict ? total + number : total), 0),
  ])

t.test('every format has the same verdicts, counts and order', async (t) => {
  t.same(Object.values(counts), [3, 1, 1, 1, 1, 1, 0, 1, 3])
  const wanted = Object.entries(counts)
  t.same(
    wanted.map(([verdict]) => verdict),
    verdicts,
  )
  const { summary } = JSON.parse(ctrfReport(record)).results
  const page: PageRun = JSON.parse(unpackReport(await htmlReport(record)).data[0] ?? '')
  const suites = readJunit(junitReport(record)).testsuite.map(({ properties }) => properties.property)
  const perSuite = suites.map((list) => pairsIn(list.find(({ name }) => name === 'verdicts')?.value ?? ''))
  t.same(pairsIn(lineIn(consoleSummary(record, { color: false }))), wanted, 'console')
  t.same(pairsIn(lineIn(markdownReport(record))), wanted, 'Markdown')
  t.same(pairsIn(lineIn(tapReport(record))), wanted, 'TAP')
  t.same(sum(perSuite), wanted, 'JUnit, all suites together')
  for (const list of perSuite)
    t.same(
      list.map(([verdict]) => verdict),
      verdicts,
    )
  t.same(Object.entries(summary.extra.counts), wanted, 'CTRF')
  t.same(
    wanted.map(([verdict]) => [verdict, page.rows.filter((row) => row.verdict === verdict).length]),
    wanted,
    'HTML, the data',
  )
  const tiles = [...unpackReport(await htmlReport(record)).page.matchAll(/data-count="([a-z-]+)".*?>(\d+)<\/span>/gs)]
  t.same(
    tiles.map(([, verdict, number]) => [verdict, Number(number)]),
    wanted.filter(([, number]) => number > 0),
    'HTML without JavaScript',
  )

  const tables = [markdownReport(record), consoleSummary(record, { color: false })]
  for (const text of tables) {
    const head = /^.*\boperation\b.*$/m.exec(text)?.[0] ?? ''
    const shown = verdicts.filter((verdict) => text.startsWith('##') || counts[verdict] > 0)
    t.same(head.match(/[a-z-]{4,}/g), ['operation', ...shown, 'rows'])
  }
})

t.test('every format lists the rows in the same order, with the same verdicts', async (t) => {
  const page: PageRun = JSON.parse(unpackReport(await htmlReport(record)).data[0] ?? '')
  const wanted = page.rows.map(({ id }) => id)
  t.same(wanted.slice(0, 2), ['CBI-VISIBLE/hostile', 'CBI-VISIBLE/binary'], 'by operation, file and line')
  const { tests } = JSON.parse(ctrfReport(record)).results
  t.same(
    tests.map(({ testId, rawStatus }: Record<string, string>) => [testId, rawStatus]),
    page.rows.map(({ id, verdict }) => [id, verdict]),
  )
  const cases = readJunit(junitReport(record)).testsuite.flatMap(({ testcase }) => testcase)
  t.same(
    cases.map(({ name }) => name.split(':')[0]),
    wanted,
  )
  const points = [...tapReport(record).matchAll(/^(?:not )?ok \d+ - ([^:]+):/gm)]
  t.same(
    points.map(([, id]) => id),
    wanted,
  )
})

t.test('the counts of other tools agree with the verdicts', async (t) => {
  const { fail, error, blocked, 'unexpected-pass': unexpected, warning, excused, 'not-applicable': left, pass } = counts
  const { tests, failures, errors, skipped } = readJunit(junitReport(record))
  t.same([tests, failures, errors, skipped], [12, fail + unexpected, error + blocked, excused + left].map(String))
  const tap = await readTap(tapReport(record))
  t.match(tap, {
    count: 12,
    plan: { end: 12 },
    fail: fail + error + blocked + unexpected + excused,
    todo: excused,
    skip: left,
  })
  const { summary } = JSON.parse(ctrfReport(record)).results
  const failed = fail + error + blocked + unexpected
  t.match(summary, { tests: 12, passed: pass + warning, failed, skipped: left, other: excused, pending: 0 })
  const badge = badgeReport(record)
  t.equal(XMLValidator.validate(badge), true)
  t.match(badge, `FAIL: ${pass} of 12 rows passed, ${fail} failed, `)
})

t.test('no format contains control characters, bidirectional controls or markup of the target', async (t) => {
  const failed = record.rows.find(({ id }) => id === 'CBI-VISIBLE/hostile') ?? sampleRow('none')
  const outputs = {
    html: unpackReport(await htmlReport(record)).page.replace(/<script>.*<\/script>/s, ''),
    markdown: markdownReport(record),
    badge: badgeReport(record),
    junit: junitReport(record),
    tap: tapReport(record),
    ctrf: ctrfReport(record),
    console: consoleSummary(record, { color: false }),
    failures: consoleFailures(record, { color: false }),
    failure: failureText(failed, record.header),
  }
  for (const [name, text] of Object.entries(outputs)) {
    t.notMatch(text, poison, name)
    // Browser tests check the rows of the page.
    if (!['html', 'badge', 'console'].includes(name)) t.match(text, /‹U\+001B›\\?\[2J/, `${name} has the code point`)
    t.equal(Buffer.from(text).toString() === text, true, `${name} has no lone surrogate`)
  }
  for (const name of ['html', 'junit', 'markdown'] as const) t.notMatch(outputs[name], '<img', name)
  t.notMatch(outputs.markdown, /<script|\]\(|!\[/, 'the summary has no markup, link or image')
})

t.test('JUnit has a suite for each operation, in the order of the suite files, with reasons', async (t) => {
  const text = junitReport(record)
  t.equal(XMLValidator.validate(text), true)
  const { testsuite } = readJunit(text)
  t.same(
    testsuite.map(({ name, tests }) => [name, tests]),
    [
      ['contract-by-id', '4'],
      ['submit-and-wait', '6'],
      ['update-vetting', '2'],
    ],
  )
  t.same(
    testsuite[0]?.properties.property.map(({ name }) => name),
    [
      'target',
      'profile',
      'text',
      'text digest',
      'suite',
      'digest',
      'seed',
      'conclusion',
      'planned',
      'judged',
      'passed',
      'verdicts',
      'rules not met',
    ],
  )
  const cases = testsuite.flatMap(({ testcase }) => testcase)
  const named = (id: string) => cases.find(({ name }) => name.startsWith(`${id}:`))
  t.match(named('SAW-COMMAND-ID/too-long'), {
    classname: 'submit-and-wait.SAW-COMMAND-ID',
    file: 'suites/cases/submit-and-wait/identifiers.yaml',
    line: '30',
    time: '0.415',
    failure: {
      message: 'The status was 500 where 400 is expected.',
      type: 'fail',
      '#text': /SAW-4 \(expectation of the profile, observed on a live participant\): A command id/,
    },
  })
  t.match(named('SAW-WAIVED/fixed')?.failure, { type: 'unexpected-pass' })
  t.match(named('VET-DRY-RUN/set-up')?.error, { type: 'blocked', message: /answered 403/ })
  t.match(named('VET-DRY-RUN/lost')?.error, { type: 'error', '#text': /no response \(reset\): the peer closed/ })
  t.match(named('SAW-WAIVED/known')?.skipped, {
    message: 'excused (expectations-invalid): Waiver W-12 covers it until 2027-01-31.',
  })
  t.match(named('CBI-VISIBLE/two-synchronizers')?.skipped, {
    message: 'not-applicable (expectations-invalid): The target has one synchronizer.',
  })
  t.match(named('SAW-ERROR-BODY/field')?.['system-out'], /GEN-7 \(recommended\)/)
  const ids = cases.map(({ name }) => name.split(':')[0])
  t.same(ids.slice(4, 8), ['SAW-CREATE/plain', 'SAW-ERROR-BODY/field', 'SAW-WAIVED/fixed', 'SAW-WAIVED/known'])
  t.same(ids.slice(8, 10), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
})

t.test('JUnit matches the schema of CI servers, for complete and incomplete records', async (t) => {
  const schema = readFileSync('test/junit.xsd', 'utf8')
  const nothing = { ...cutShort, rows: [] }
  for (const one of [record, cutShort, nothing]) {
    const contents = junitReport(one)
    const { valid, errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [schema] })
    t.same(errors, [])
    t.equal(valid, true)
  }
  const wrong = junitReport(record).replace('<skipped', '<omitted')
  const found = await validateXML({ xml: [{ fileName: 'junit.xml', contents: wrong }], schema: [schema] })
  t.equal(found.valid, false, 'the schema detects errors')
})

t.test("TAP passes tap's strict parser, with directives and YAML diagnostics", async (t) => {
  const text = tapReport(record)
  t.match(text, /^TAP version 14\n1\.\.12\n# participant-conformance 0\.1\.0, http:\/\/127\.0\.0\.1:7575/)
  const { failures, skips, todos } = await readTap(text)
  t.match(skips, [{ name: /^CBI-VISIBLE\/two-synchronizers/, skip: 'The target has one synchronizer.', ok: true }])
  t.match(todos, [{ name: /^SAW-WAIVED\/known/, todo: 'Waiver W-12 covers it until 2027-01-31.', ok: false }])
  const failure = failures.find(({ name }) => name.startsWith('SAW-COMMAND-ID/too-long'))
  t.match(failure?.diag, {
    verdict: 'fail',
    at: { fileName: 'suites/cases/submit-and-wait/identifiers.yaml', lineNumber: 30 },
    rules: [
      { id: 'GEN-9', statement: 'No request of a client is answered by a server error.' },
      { id: 'SAW-4' },
      { id: 'GEN-7' },
    ],
    unmet: [{}, {}, { subject: 'body /code', expected: '"INVALID_FIELD"', actual: '"INTERNAL"' }, {}],
    curl: /--data-raw/,
    again: 'conform run --only SAW-COMMAND-ID/too-long',
  })
  const foreign = failures.find(({ name }) => name.startsWith('CBI-VISIBLE/hostile'))
  t.match(foreign, { todo: false, skip: false }, 'a # in a title is no directive')
  t.match(foreign?.name, '#TODO')
  t.equal(failures.length, 6)
})

t.test('CTRF matches its schema and has the verdict of each row', async (t) => {
  for (const one of [record, cutShort, { ...cutShort, rows: [] }]) {
    const result = validate(JSON.parse(ctrfReport(one)))
    t.same(result.errors ?? [], [])
    t.equal(result.valid, true)
  }
  const report = JSON.parse(ctrfReport(record))
  t.match(report, { runId: record.header.run, timestamp: '2026-11-21T12:02:05.000Z' })
  t.match(report.results.summary, {
    start: Date.parse('2026-11-21T12:00:00Z'),
    extra: {
      outcome: 'not conforming',
      conclusion: /^FAIL: 3 of 12 rows passed, 3 failed, /,
      planned: 12,
      judged: 9,
      passed: 3,
      unexamined: ['CBI-2', 'VET-2', 'VET-9'],
      executed: 10,
    },
  })
  const blocked = report.results.tests.find(({ testId }: { testId: string }) => testId === 'VET-DRY-RUN/set-up')
  t.match(blocked, {
    status: 'failed',
    rawStatus: 'blocked',
    suite: ['update-vetting', 'VET-DRY-RUN'],
    tags: ['VET-2'],
  })
})

t.test('an incomplete record, or one without judged rows, fails in every format', async (t) => {
  const nothing = await sampleRecord([sampleRow('SAW-CREATE/plain', { verdict: 'not-applicable' })])
  for (const [one, problems] of [
    [cutShort, 2],
    [nothing, 3],
  ] as const) {
    const rows = one.rows.length
    const { tests, errors, testsuite } = readJunit(junitReport(one))
    t.same([tests, errors], [String(rows + problems), String(problems)])
    t.equal(testsuite.at(-1)?.name, 'run record')
    t.match(await readTap(tapReport(one)), { ok: false, count: rows + problems, fail: problems })
    t.match(markdownReport(one), /^## ✗ Conformance: INCOMPLETE: .*\n\n> \*\*! /)
    t.match(badgeReport(one), 'INCOMPLETE: ')
    t.match(JSON.parse(ctrfReport(one)).results.summary, { tests: rows + problems, failed: problems })
    t.match(consoleSummary(one, { color: false }), /\n! .*\nINCOMPLETE: .*\.\n$/)
    t.match(
      unpackReport(await htmlReport(one)).page,
      /<\/span> INCOMPLETE <span .*<\/h2>\n<div role="alert"><ul class="problems"><li>! /,
    )
  }
  const { footer: _, ...headless } = nothing
  t.match(
    consoleSummary({ ...headless, rows: [sampleRow('SAW-CREATE/plain')] }, { color: false }),
    '! The record has no footer.',
  )
  t.match(consoleSummary(cutShort, { color: false }), /\nINCOMPLETE: [^()]*\.\n$/, 'without a footer no duration')
})
