import { validate } from 'ctrf'
import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import { type FinalResults, Parser } from 'tap-parser'
import type { RunRecord } from '../record/record.js'
import { type VerdictCounts, verdicts } from '../record/verdict.js'
import { consoleSummary } from '../reports/console.js'
import { ctrfReport } from '../reports/ctrf.js'
import { failureText } from '../reports/failure-text.js'
import { htmlReport } from '../reports/html.js'
import { prettyJson } from '../reports/json-lines.js'
import { junitReport } from '../reports/junit.js'
import { tapReport } from '../reports/tap.js'
import { sampleHeader, sampleJudgement, sampleRecord, sampleRow } from './sample-record.js'

// What a terminal or a file must never get from a target.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const poison = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\ufffe]/

const record = await sampleRecord()
const counts = record.footer?.counts ?? ({} as VerdictCounts) // the first test fails where there is no footer
const whole = { ...record, rows: record.rows.filter(({ verdict }) => verdict === 'pass' || verdict === 'inapplicable') }
const cutShort: RunRecord = {
  header: whole.header,
  rows: whole.rows,
  defects: ['There is no footer.', 'Rows are missing.'],
}

function readTap(text: string): Promise<FinalResults> {
  return new Promise((resolve) => {
    const parser = new Parser({ strict: true, passes: true }, resolve)
    parser.end(text)
  })
}

interface JunitCase {
  name: string
  classname: string
  file: string
  line: string
  time: string
  failure?: { message: string; '#text': string }
  error?: { message: string }
  skipped?: { message: string }
  'system-out'?: string
}

interface Junit {
  testsuites: { tests: string; failures: string; errors: string; skipped: string; testsuite: JunitSuite[] }
}

interface JunitSuite {
  name: string
  tests: string
  properties: { property: { name: string; value: string }[] }
  testcase: JunitCase[]
}

function readJunit(text: string): Junit['testsuites'] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  })
  const { testsuites }: Junit = parser.parse(text)
  return testsuites
}

t.test('all formats give the same counts, and those that list verdicts list them in the same order', async (t) => {
  const { fail, error, blocked, 'unexpected-pass': unexpected, warning, excused, inapplicable, pass } = counts
  t.same(counts, {
    fail: 3,
    error: 1,
    blocked: 1,
    'unexpected-pass': 1,
    warning: 1,
    excused: 1,
    inapplicable: 1,
    pass: 3,
  })

  const junit = readJunit(junitReport(record))
  const { tests, failures, errors, skipped } = junit
  t.same(
    [tests, failures, errors, skipped],
    [12, fail + unexpected, error + blocked, excused + inapplicable].map(String),
  )

  const tap = await readTap(tapReport(record))
  t.match(tap, {
    count: 12,
    plan: { end: 12 },
    fail: fail + error + blocked + unexpected + excused,
    todo: excused,
    skip: inapplicable,
  })

  const { summary } = JSON.parse(ctrfReport(record)).results
  const failed = fail + error + blocked + unexpected
  t.match(summary, { tests: 12, passed: pass + warning, failed, skipped: inapplicable, other: excused, pending: 0 })
  t.strictSame(Object.entries(summary.extra.counts), Object.entries(counts))

  const [head = '', ...lines] = consoleSummary(record, { color: false }).split('\n').slice(2)
  t.same(head.trim().split(/\s+/), ['operation', ...verdicts, 'rows'])
  const total = lines.find((line) => line.startsWith('total'))
  t.same(total?.trim().split(/\s+/).slice(1), [...verdicts.map((verdict) => String(counts[verdict])), '12'])

  const shown = [...htmlReport(record).matchAll(/data-count="([^"]+)"><span class="number">(\d+)/g)]
  t.same(
    shown.map(([, verdict, number]) => [verdict, Number(number)]),
    Object.entries(counts),
  )
})

t.test('no format lets a control character, a reordering one or unescaped markup of the target through', async (t) => {
  const failed = record.rows.find(({ id }) => id === 'CBI-VISIBLE/hostile') ?? sampleRow('none')
  const outputs = {
    html: htmlReport(record),
    junit: junitReport(record),
    tap: tapReport(record),
    ctrf: ctrfReport(record),
    console: consoleSummary(record, { color: false }),
    failure: failureText(failed, record.header, { color: false }),
  }
  for (const [name, text] of Object.entries(outputs)) {
    t.notMatch(text, poison, name)
    t.match(text, '‹U+001B›[2J', `${name} shows the escape character instead`)
    t.equal(Buffer.from(text).toString() === text, true, `${name} has no lone surrogate`)
  }
  t.notMatch(outputs.html, '<img src="http://hostile')
  t.notMatch(outputs.junit, '<img')
})

t.test('JUnit has a suite per operation, in the order of the suite files, and says why', async (t) => {
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
  t.match(testsuite[0]?.properties.property, [
    { name: 'target', value: 'http://127.0.0.1:7575' },
    {},
    {},
    { name: 'seed' },
  ])
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
      '#text': /SAW-4 \(must\): A command id/,
    },
  })
  t.match(named('SAW-WAIVED/mended')?.failure, { type: 'unexpected-pass' })
  t.match(named('VET-DRY-RUN/set-up')?.error, { type: 'blocked', message: /answered 403/ })
  t.match(named('VET-DRY-RUN/lost')?.error, { type: 'error', '#text': /no answer \(reset\): the peer closed/ })
  t.match(named('SAW-WAIVED/known')?.skipped, { message: 'excused: Waiver W-12 covers it until 2027-01-31.' })
  t.match(named('CBI-VISIBLE/two-synchronizers')?.skipped, {
    message: 'inapplicable: The target has one synchronizer.',
  })
  t.match(named('SAW-ERROR-BODY/field')?.['system-out'], /GEN-7 \(should\)/)
  const ids = cases.map(({ name }) => name.split(':')[0])
  t.same(ids.slice(4, 8), ['SAW-CREATE/plain', 'SAW-ERROR-BODY/field', 'SAW-WAIVED/known', 'SAW-WAIVED/mended'])
  t.same(ids.slice(8, 10), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
})

t.test("TAP passes tap's own strict parser, with directives and YAML diagnostics", async (t) => {
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
  t.match(foreign, { todo: false, skip: false }, 'a # in a title starts no directive')
  t.match(foreign?.name, '#TODO')
  t.equal(failures.length, 6)
})

t.test("CTRF is valid by its own schema and keeps each row's verdict", async (t) => {
  for (const one of [record, cutShort, { ...cutShort, rows: [] }]) {
    const result = validate(JSON.parse(ctrfReport(one)))
    t.same(result.errors ?? [], [])
    t.equal(result.valid, true)
  }
  const report = JSON.parse(ctrfReport(record))
  t.match(report, { runId: record.header.run, timestamp: '2026-11-21T12:02:05.000Z' })
  t.match(report.results.summary, {
    start: Date.parse('2026-11-21T12:00:00Z'),
    extra: { outcome: 'not conforming', executed: 10 },
  })
  const blocked = report.results.tests.find(({ testId }: { testId: string }) => testId === 'VET-DRY-RUN/set-up')
  t.match(blocked, {
    status: 'failed',
    rawStatus: 'blocked',
    suite: ['update-vetting', 'VET-DRY-RUN'],
    tags: ['VET-2'],
  })
})

t.test('a record that is not whole, or that judged nothing, is red in every format', async (t) => {
  const nothing = await sampleRecord([sampleRow('SAW-CREATE/plain', { verdict: 'inapplicable' })])
  for (const [one, problems] of [
    [cutShort, 2],
    [nothing, 1],
  ] as const) {
    const rows = one.rows.length
    const { tests, errors, testsuite } = readJunit(junitReport(one))
    t.same([tests, errors], [String(rows + problems), String(problems)])
    t.equal(testsuite.at(-1)?.name, 'run record')
    t.match(await readTap(tapReport(one)), { ok: false, count: rows + problems, fail: problems })
    t.match(JSON.parse(ctrfReport(one)).results.summary, { tests: rows + problems, failed: problems })
    t.match(consoleSummary(one, { color: false }), /\n! .*\nincomplete.*proves nothing\.\n$/)
    t.match(htmlReport(one), 'role="alert"')
  }
  const { footer: _, ...headless } = nothing
  t.match(
    consoleSummary({ ...headless, rows: [sampleRow('SAW-CREATE/plain')] }, { color: false }),
    '! There is no footer.',
  )
  t.match(consoleSummary(cutShort, { color: false }), /^http/, 'no duration is made up')
})

t.test('the console summary fits its columns, lists what failed, and colours only when asked', async (t) => {
  const plain = consoleSummary(record, { color: false })
  const table = plain.split('\n').slice(2, 7)
  t.equal(new Set(table.map((line) => line.length)).size, 1, 'all lines of the table are equally long')
  t.match(
    plain,
    '✗ fail  SAW-COMMAND-ID/blank  suites/cases/submit-and-wait/identifiers.yaml:31\n    The status was 500',
  )
  t.match(
    plain,
    /\nnot conforming in 2 min 5 s: 6 of 12 planned rows keep .*: 3 fail, 1 error, 1 blocked, 1 unexpected-pass\.\n$/,
  )
  const good = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  t.match(
    consoleSummary(good, { color: false }),
    /operation {8}pass {2}rows\n.*\n\nconforming in .*All 1 planned row are/s,
  )
  const colored = consoleSummary(record, { color: true })
  t.match(colored, '\u001b[31m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away
  t.equal(colored.replace(/\u001b\[\d+m/g, ''), plain)
})

t.test('a failure reads from the rule to the command that repeats it', async (t) => {
  const row = record.rows.find(({ id }) => id === 'SAW-COMMAND-ID/too-long') ?? sampleRow('none')
  t.equal(
    failureText(row, record.header, { color: false }),
    `✗ fail  SAW-COMMAND-ID/too-long
  A command id that is no LedgerString is refused, and nothing is submitted
  suites/cases/submit-and-wait/identifiers.yaml:30

  The status was 500 where 400 is expected.
  GEN-9 (must): No request of a client is answered by a server error.
  SAW-4 (must): A command id outside its grammar is refused, and nothing is submitted.
  GEN-7 (should): An error body should name the field that was wrong.

  submit: status
    expected  below 500
    actual    500

  submit: status
    expected  400
    actual    500

  submit: body /code
    expected  "INVALID_FIELD"
    actual    "INTERNAL"

  submit: body /cause
    expected  contains "commandId"
    actual    "boom"

  curl -sS -i -X POST 'http://127.0.0.1:7575/v2/commands/submit-and-wait' \\
    -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer $TOKEN" \\
    --data-raw '{"commands":[{"CreateCommand":{"createArguments":{"owner":"alice"}}}],"commandId":"it'\\''s","actAs":["alice"]}'

  conform run --only SAW-COMMAND-ID/too-long`,
  )
  const judgement = sampleJudgement({ rules: ['X-1'], actual: `two\nlines ${'x'.repeat(5000)}`, met: false })
  const strange = failureText(sampleRow("it's $HOME/x", { verdict: 'fail', judgements: [judgement] }), sampleHeader(), {
    color: false,
  })
  t.match(strange, 'X-1: the record does not say this rule.')
  t.match(strange, /actual {4}two\n {14}lines x+ … \[cut: 4010 more characters\]/)
  t.match(strange, "conform run --only 'it'\\''s $HOME/x'")
})

t.test('laid-out JSON is the same JSON, token by token', async (t) => {
  t.equal(
    prettyJson('{"a":[1,{}],"big":9007199254740993,"a":1.50}'),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "big": 9007199254740993,\n  "a": 1.50\n}',
  )
  fc.assert(
    fc.property(fc.json(), (text) => JSON.stringify(JSON.parse(prettyJson(text))) === JSON.stringify(JSON.parse(text))),
  )
  t.equal(prettyJson('{"half":'), '{"half":', 'what is no JSON stays as it is')
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  t.ok(prettyJson(deep).length < 1_000_000, 'deep nesting does not blow up')
})
