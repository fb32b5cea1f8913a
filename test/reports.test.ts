import { readFileSync } from 'node:fs'
import { validate } from 'ctrf'
import { XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import { validateXML } from 'xmllint-wasm'
import type { RunRecord } from '../record/record.js'
import { type VerdictCounts, verdicts } from '../record/verdict.js'
import { badgeReport } from '../reports/badge.js'
import { consoleSummary } from '../reports/console.js'
import { ctrfReport } from '../reports/ctrf.js'
import { compareRuns } from '../reports/diff/compare-runs.js'
import { diffConsole } from '../reports/diff/diff-console.js'
import { diffJson } from '../reports/diff/diff-json.js'
import { diffMarkdown } from '../reports/diff/diff-markdown.js'
import { failureText } from '../reports/failure-text.js'
import { htmlReport } from '../reports/html.js'
import { junitReport } from '../reports/junit.js'
import { markdownReport } from '../reports/markdown.js'
import type { PageRun } from '../reports/page-data.js'
import { rerunCommand } from '../reports/shell.js'
import { tapReport } from '../reports/tap.js'
import { readJunit, readTap } from './read-formats.js'
import { sampleHeader, sampleRecord } from './sample-record.js'
import { sampleJudgement, sampleRow } from './sample-row.js'
import { unpackReport } from './unpack-report.js'

// What a terminal or a file must never get from a target.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const poison = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\ufffe]/

const record = await sampleRecord()
const counts = record.footer?.counts ?? ({} as VerdictCounts) // the first test fails where there is no footer
const whole = {
  ...record,
  rows: record.rows.filter(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable'),
}
const cutShort: RunRecord = {
  header: whole.header,
  plan: whole.plan,
  rows: whole.rows,
  defects: ['There is no footer.', 'Rows are missing.'],
}

/** Verdicts with their counts, in the order in which a text has them: `3 fail, 1 error`. */
const pairsIn = (text: string): [verdict: string, count: number][] =>
  [...text.matchAll(/(\d+) ([a-z-]+)/g)].map(([, number, verdict = '']) => [verdict, Number(number)])

/** The line of a text that counts verdicts. */
const lineIn = (text: string): string => /^.*\d+ fail, .* pass\b.*$/m.exec(text)?.[0] ?? 'there is none'

const sum = (lists: [string, number][][]): [string, number][] =>
  verdicts.map((verdict) => [
    verdict,
    lists.flat().reduce((total, [name, number]) => (name === verdict ? total + number : total), 0),
  ])

t.test('every format has the same words for the verdicts, the same counts and the same order', async (t) => {
  t.same(Object.values(counts), [3, 1, 1, 1, 1, 1, 1, 3])
  const wanted = Object.entries(counts)
  t.same(
    wanted.map(([verdict]) => verdict),
    verdicts,
  )
  const { summary } = JSON.parse(ctrfReport(record)).results
  const page: PageRun = JSON.parse(unpackReport(htmlReport(record)).data[0] ?? '')
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
  t.same(Object.entries(page.conclusion.counts), wanted, 'HTML, the data')
  t.same(pairsIn(lineIn(unpackReport(htmlReport(record)).page)), wanted, 'HTML without JavaScript')

  const tables = [markdownReport(record), consoleSummary(record, { color: false })]
  for (const text of tables) {
    const head = /^.*\boperation\b.*$/m.exec(text)?.[0] ?? ''
    t.same(head.match(/[a-z-]{4,}/g), ['operation', ...verdicts, 'rows'])
  }
})

t.test('every format lists the rows in the same order, each with the same verdict', async (t) => {
  const page: PageRun = JSON.parse(unpackReport(htmlReport(record)).data[0] ?? '')
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

t.test('what other tools count of a report adds up with its verdicts', async (t) => {
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
  t.match(badge, `not conforming: ${pass + warning} passed, ${failed} failed, ${left + excused} left out`)
})

t.test('no format lets a control character, a reordering one or unescaped markup of the target through', async (t) => {
  const failed = record.rows.find(({ id }) => id === 'CBI-VISIBLE/hostile') ?? sampleRow('none')
  const outputs = {
    html: unpackReport(htmlReport(record)).page.replace(/<script>.*<\/script>/s, ''),
    markdown: markdownReport(record),
    badge: badgeReport(record),
    junit: junitReport(record),
    tap: tapReport(record),
    ctrf: ctrfReport(record),
    console: consoleSummary(record, { color: false }),
    failure: failureText(failed, record.header, { color: false }),
  }
  for (const [name, text] of Object.entries(outputs)) {
    t.notMatch(text, poison, name)
    // The page shows rows by its script, which the browser tests look at, and a badge shows none.
    if (!['html', 'badge'].includes(name))
      t.match(text, /‹U\+001B›\\?\[2J/, `${name} shows the escape character instead`)
    t.equal(Buffer.from(text).toString() === text, true, `${name} has no lone surrogate`)
  }
  for (const name of ['html', 'junit', 'markdown'] as const) t.notMatch(outputs[name], '<img', name)
  t.notMatch(outputs.markdown, /<script|\]\(|!\[/, 'nothing in the summary is markup, a link or an image')
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
  t.same(
    testsuite[0]?.properties.property.map(({ name }) => name),
    ['target', 'profile', 'text', 'text digest', 'suite', 'digest', 'seed', 'verdicts', 'rules not met'],
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
      '#text': /SAW-4 \(must\): A command id/,
    },
  })
  t.match(named('SAW-WAIVED/mended')?.failure, { type: 'unexpected-pass' })
  t.match(named('VET-DRY-RUN/set-up')?.error, { type: 'blocked', message: /answered 403/ })
  t.match(named('VET-DRY-RUN/lost')?.error, { type: 'error', '#text': /no answer \(reset\): the peer closed/ })
  t.match(named('SAW-WAIVED/known')?.skipped, { message: 'excused: Waiver W-12 covers it until 2027-01-31.' })
  t.match(named('CBI-VISIBLE/two-synchronizers')?.skipped, {
    message: 'not-applicable: The target has one synchronizer.',
  })
  t.match(named('SAW-ERROR-BODY/field')?.['system-out'], /GEN-7 \(should\)/)
  const ids = cases.map(({ name }) => name.split(':')[0])
  t.same(ids.slice(4, 8), ['SAW-CREATE/plain', 'SAW-ERROR-BODY/field', 'SAW-WAIVED/known', 'SAW-WAIVED/mended'])
  t.same(ids.slice(8, 10), ['SAW-COMMAND-ID/too-long', 'SAW-COMMAND-ID/blank'])
})

t.test('JUnit fits the schema of what CI servers read, whole or cut short', async (t) => {
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
  t.equal(found.valid, false, 'the schema does find faults')
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
    again: 'conform run --only SAW-COMMAND-ID/too-long --authorization "hs256:$SECRET"',
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
  const nothing = await sampleRecord([sampleRow('SAW-CREATE/plain', { verdict: 'not-applicable' })])
  for (const [one, problems] of [
    [cutShort, 2],
    [nothing, 1],
  ] as const) {
    const rows = one.rows.length
    const { tests, errors, testsuite } = readJunit(junitReport(one))
    t.same([tests, errors], [String(rows + problems), String(problems)])
    t.equal(testsuite.at(-1)?.name, 'run record')
    t.match(await readTap(tapReport(one)), { ok: false, count: rows + problems, fail: problems })
    t.match(markdownReport(one), /^## ✗ Conformance: incomplete\n\n> \*\*! /)
    t.match(badgeReport(one), 'incomplete: ')
    t.match(JSON.parse(ctrfReport(one)).results.summary, { tests: rows + problems, failed: problems })
    t.match(consoleSummary(one, { color: false }), /\n! .*\nincomplete.*proves nothing\.\n$/)
    t.match(unpackReport(htmlReport(one)).page, /<h1>Conformance report: incomplete<\/h1>\n<p>! /)
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
  const table = plain.split('\n').slice(3, 8)
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
    /operation {8}pass {2}rows\n.*, 1 pass\n8 rules: 0 not met, 7 not judged\.\nconforming in .*The one planned row is accounted for/s,
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
  GEN-9 (must): No request of a client is answered by a server error. [Errors 1.5.1 (server errors); Errors 1.5.2 (mistakes of clients); and 1 more]
  SAW-4 (must): A command id outside its grammar is refused, and nothing is submitted.
  GEN-7 (should): An error body should name the field that was wrong.

  submit (request under test): status; GEN-9, must
    expected  below 500
    actual    500

  submit (request under test): status; SAW-4, must, seen of a live participant
    expected  400
    actual    500

  submit (request under test): body /code; SAW-4, must, seen of a live participant
    expected  "INVALID_FIELD"
    actual    "INTERNAL"

  submit (request under test): body /cause; GEN-7, should
    expected  contains "commandId"
    actual    "boom"

  curl -sS -i -X POST 'http://127.0.0.1:7575/v2/commands/submit-and-wait' \\
    -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer $TOKEN" \\
    --data-raw '{"commands":[{"CreateCommand":{"createArguments":{"owner":"alice"}}}],"commandId":"it'\\''s","actAs":["alice"]}'

  conform run --only SAW-COMMAND-ID/too-long --authorization "hs256:$SECRET"`,
  )
  const judgement = sampleJudgement({ rules: ['X-1'], actual: `two\nlines ${'x'.repeat(5000)}`, met: false })
  const strange = failureText(sampleRow("it's $HOME/x", { verdict: 'fail', judgements: [judgement] }), sampleHeader(), {
    color: false,
  })
  t.match(strange, 'X-1: the record does not say this rule.')
  t.match(strange, /actual {4}two\n {14}lines x+ … \[cut: 4010 more characters\]/)
  t.match(strange, "conform run --only 'it'\\''s $HOME/x'")
})

t.test('the command that runs a row again names target and profile where they are not the usual ones', async (t) => {
  const header = sampleHeader()
  const plain = { ...header, target: { ...header.target, authorization: 'none' } }
  t.equal(rerunCommand('A/b', plain), 'conform run --only A/b')
  const elsewhere = { ...plain, target: { ...plain.target, url: "https://it's.example", embedded: false } }
  t.equal(
    rerunCommand('A/b', { ...elsewhere, profile: { name: 'interface', title: '', divergences: [] } }),
    "conform run --only A/b --target 'https://it'\\''s.example' --profile interface",
  )
  const file = { name: 'my target.yaml', unreachable: [], presigned: 0 }
  t.equal(
    rerunCommand('A/b', { ...plain, target: { ...plain.target, file } }),
    "conform run --only A/b --config 'my target.yaml'",
  )
  const telling = { ...header, target: { ...header.target, file: { ...file, authorizes: true } } }
  t.equal(rerunCommand('A/b', telling), "conform run --only A/b --config 'my target.yaml'")
})

t.test('a run of chosen rows says so in its conclusion', async (t) => {
  const suite = { version: '1', digest: 'ab', rows: 280 }
  const some = await sampleRecord([sampleRow('SAW-CREATE/plain')], { only: 'SAW-*', suite })
  const told = 'none stands against it. Only what matches "SAW-*" was run, 1 of the 280 rows of the suite.'
  t.match(consoleSummary(some, { color: false }), told)
  t.match(markdownReport(some), /Only what matches "SAW-\\\*" was run, 1 of the 280 rows/)
  const target = { ...some.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 0 } }
  const without = await sampleRecord([sampleRow('SAW-CREATE/plain')], { target })
  t.match(
    consoleSummary(without, { color: false }),
    'stands against it. It was done without prepare, as its settings say.',
  )
})

t.test('every format says at its head by whom it was judged, against which text, and whether again', async (t) => {
  const again = await sampleRecord(undefined, { judgedAgain: { profile: 'interface' } })
  const outputs = (one: RunRecord) => ({
    console: consoleSummary(one, { color: false }),
    markdown: markdownReport(one),
    junit: junitReport(one),
    tap: tapReport(one),
    ctrf: ctrfReport(one),
    html: unpackReport(htmlReport(one)).page.replace(/<script>.*<\/script>/s, ''),
    badge: badgeReport(one),
    diff: diffConsole(one, one, compareRuns(one, one), { color: false }),
    'diff, Markdown': diffMarkdown(one, one, compareRuns(one, one)),
    'diff, JSON': diffJson(one, one, compareRuns(one, one)),
  })
  const plain = outputs(record)
  for (const [name, text] of Object.entries(outputs(again))) {
    t.match(text, /judged ?again/i, name)
    t.notMatch(Object(plain)[name], /judged ?again/i, `${name}, judged once`)
    if (name !== 'badge') t.match(text, /canton-3\.5/, `${name}: the profile`)
    if (name !== 'badge' && !name.startsWith('diff'))
      t.match(text, /The interface of a participant.*1\.4.*5feceb66ffc8/s, `${name}: the text`)
  }
  const { text, judgedAgain } = JSON.parse(ctrfReport(again)).results.environment.extra
  t.same([text, judgedAgain], [again.header.text, { profile: 'interface' }])
  const other = { ...again, header: { ...again.header, text: { title: 'Another', version: '2', digest: 'ab' } } }
  t.same(compareRuns(record, other).settings, [
    { name: 'profile', before: 'canton-3.5', after: 'canton-3.5 (judged again; the run was by interface)' },
    {
      name: 'interface text',
      before: 'The interface of a participant, version 1.4 (5feceb66ffc8)',
      after: 'Another, version 2 (ab)',
    },
  ])
})

t.test('nobody is told that a recommendation was not met where it was a fact that was only read', async (t) => {
  const judgement = sampleJudgement({ confidence: 'read', actual: '404', met: false })
  const read = await sampleRecord([sampleRow('SAW-READ/only', { verdict: 'warning', judgements: [judgement] })])
  const told = 'or the answer differs from what was only read in the source of the reference'
  const row = read.rows[0] ?? sampleRow('none')
  t.match(failureText(row, read.header, { color: false }), 'SAW-1, must, only read in the source of the reference')
  t.match(failureText(row, read.header, { color: false }), told)
  t.match(tapReport(read), 'obligation: must, only read in the source of the reference')
  t.match(tapReport(read), told)
})

t.test('the Markdown summary says what failed by cause, what was left out, and stays short', async (t) => {
  const text = markdownReport(record)
  t.match(
    text,
    /### GEN-9: 2 rows\n\n> No request of a client is answered by a server error\. \(must, section 1\.5; Errors 1\.5\.1 \(server errors\); /,
  )
  t.match(text, /- 2× status: expected below 500, found 500\n {2}- fail: `conform run --only SAW-COMMAND-ID\/too-long/)
  t.match(text, '- 1 row not judged: The target has one synchronizer.')
  const many = Array.from({ length: 3000 }, (_, index) =>
    sampleRow(`X-${index}/r`, {
      verdict: 'fail',
      judgements: [sampleJudgement({ rules: [`R-${index}`], met: false })],
    }),
  )
  const long = markdownReport(await sampleRecord(many))
  t.ok(long.length < 65_536, `${long.length} characters`)
  t.match(long, /… and \d+ more groups, all in the other reports\.\n$/)
})
