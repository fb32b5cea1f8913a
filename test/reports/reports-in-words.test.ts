/** What reports say in words: on the console, of one failure, at their head. */

import t from 'tap'
import { withCodes } from '../../lib/colors.js'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { compareRuns } from '../../reports/compare/compare-runs.js'
import { diffConsole } from '../../reports/compare/diff-console.js'
import { diffJson } from '../../reports/compare/diff-json.js'
import { diffMarkdown } from '../../reports/compare/diff-markdown.js'
import { badgeReport } from '../../reports/formats/badge.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { htmlReport } from '../../reports/formats/html.js'
import { junitReport } from '../../reports/formats/junit.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { tapReport } from '../../reports/formats/tap.js'
import { failureText } from '../../reports/wording/failure-text.js'
import { rerunCommand } from '../../reports/wording/shell.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import { sampleJudgement, sampleRow } from '../support/records/sample-row.js'
import { unpackReport } from '../support/records/unpack-report.js'

const record = await sampleRecord()

const reportsOf = async (one: RunRecord) => ({
  console: consoleSummary(one, { color: false }),
  markdown: markdownReport(one),
  junit: junitReport(one),
  tap: tapReport(one),
  ctrf: ctrfReport(one),
  html: unpackReport(await htmlReport(one)).page.replace(/<script>.*<\/script>/s, ''),
  badge: badgeReport(one),
})

t.test('the console summary fits its columns, names every divergence, and colours only when asked', async (t) => {
  const plain = consoleSummary(record, { color: false })
  const table = plain.split('\n').slice(3, 8)
  t.equal(new Set(table.map((line) => line.length)).size, 1, 'all lines of the table are equally long')
  t.match(plain, '\ndivergence D-3: 2 rows as canton-3.5\n')
  t.match(
    plain,
    /\nFAIL: 3 of 12 rows passed; 9 judged, 3 failed, 1 error, 1 blocked, .* \(2 min 5 s\): Not conforming: 5 of 12 rows failed \(3 fail, 1 error, 1 unexpected-pass\)\.\n$/,
  )
  const good = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  t.match(
    consoleSummary(good, { color: false }),
    /operation {8}pass {2}rows\n.*, 1 pass\n8 rules: 0 not met, 7 not judged\.\n! 5 mandatory rules not examined \(CBI-1, .*: no row of this run is about it\.\nINCOMPLETE: 1 of 1 row passed; 1 judged; 6 mandatory rules not examined \(.*No row failed/s,
  )
  const colored = withCodes(outgoing(consoleSummary(record, { color: true })))
  t.match(colored, '\u001b[31m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away
  t.equal(colored.replace(/\u001b\[\d+m/g, ''), plain)
})

t.test('a run that sent each row several times says so at its head', async (t) => {
  const once = await reportsOf(record)
  const often = await reportsOf(await sampleRecord(record.rows, { repeat: 3 }))
  for (const format of ['console', 'markdown', 'tap', 'html'] as const) {
    t.match(often[format], ', each row sent 3 times', format)
    t.notMatch(once[format], 'each row sent', format)
  }
  t.match(often.junit, '<property name="repeat" value="3"/>')
  t.match(often.ctrf, '"repeat": 3')
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

  submit (request under test): status; SAW-4, must, observed on a live participant
    expected  400
    actual    500

  submit (request under test): body /code; SAW-4, must, observed on a live participant
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
  t.match(strange, /actual {4}two\n {14}lines x+ … \[cut: 4510 more characters\]/)
  t.match(strange, "conform run --only 'it'\\''s $HOME/x'")
})

t.test('the command that runs a row again names target and profile where they are not the usual ones', async (t) => {
  const header = sampleHeader()
  const plain = { ...header, target: { ...header.target, authorization: 'none' } }
  t.equal(rerunCommand('A/b', plain), 'conform run --only A/b')
  const target = { ...plain.target, url: "https://it's.example", embedded: false }
  const elsewhere = { ...plain, concurrency: 8, target }
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
  const told = 'It proves nothing of the other rows. Only what matches "SAW-*" was run, 1 of the 280 rows of the suite.'
  t.match(consoleSummary(some, { color: false }), told)
  t.match(markdownReport(some), /Only what matches "SAW-\\\*" was run, 1 of the 280 rows/)
  const target = { ...some.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 0 } }
  const without = await sampleRecord([sampleRow('SAW-CREATE/plain')], { target })
  t.match(consoleSummary(without, { color: false }), 'It was done without prepare, as its settings say.')
})

t.test('every report begins with the result, its totals, and how many mandatory rules were not examined', async (t) => {
  const { rules } = sampleHeader()
  const all = rules.filter(({ strength, untestable }) => strength === 'must' && untestable === undefined)
  const rowOf = (ids: string[]) =>
    sampleRow('SAW-CREATE/plain', { judgements: ids.map((id) => sampleJudgement({ rules: [id] })) })
  const whole = all.map(({ id }) => id)
  const text = { name: 'interface', title: 'The text alone', basis: 'text' as const, divergences: [] }
  const some = [
    [
      await sampleRecord([rowOf(whole.slice(1))]),
      'INCOMPLETE: 1 of 1 row passed; 1 judged; 2 mandatory rules not examined',
    ],
    [await sampleRecord([rowOf(whole)]), 'PASS: 1 of 1 row passed; 1 judged; 1 mandatory rule not examined'],
    [
      await sampleRecord([rowOf(whole)], { rules: rules.filter(({ untestable }) => untestable === undefined) }),
      'PASS: 1 of 1 row passed; 1 judged; every mandatory rule examined',
    ],
    [
      await sampleRecord([rowOf(whole)], {
        rules: rules.map((rule) => ({ ...rule, factOf: 'canton-3.5' })),
        profile: text,
      }),
      'PASS: 1 of 1 row passed; 1 judged; every mandatory rule examined',
    ],
    [
      await sampleRecord([rowOf(whole.slice(3))], { only: 'SAW-*', suite: { version: '1', digest: 'ab', rows: 280 } }),
      'PASS (selection of 1 of 280 rows): 1 of 1 row passed; 1 judged',
    ],
    [
      await sampleRecord([rowOf(whole)], { suite: { version: '1', digest: 'ab', rows: 2 } }),
      'PASS (selection of 1 of 2 rows): 1 of 1 row passed; 1 judged',
    ],
  ] as const
  for (const [one, words] of some) {
    t.equal(one.footer?.conforming, true)
    t.same(one.defects, [])
    for (const [name, report] of Object.entries(await reportsOf(one))) {
      t.match(report, words, `${words}: ${name}`)
      // "conforming" is a member of the record, too, which JSON puts in quotation marks.
      const alone = /(?<!["\w])[Cc]onforming:/.test(report)
      t.equal(
        alone && !/^PASS: /.test(words),
        false,
        `${words}: ${name} says that it conforms only where it passed as a whole`,
      )
    }
  }
  const names = consoleSummary(some[1][0], { color: false })
  t.match(
    names,
    'Conforming: every operation accepted requests, and no row failed. 1 mandatory rule that no answer shows: VET-9.',
  )
  t.match(
    consoleSummary(some[0][0], { color: false }),
    `! 1 mandatory rule not examined (${whole[0]}): no row of this run is about it.`,
  )
})

t.test('every format says at its head by whom it was judged, against which text, and whether again', async (t) => {
  const again = await sampleRecord(undefined, { judgedAgain: { profile: 'interface' } })
  const outputs = async (one: RunRecord) => ({
    ...(await reportsOf(one)),
    diff: diffConsole(one, one, compareRuns(one, one), { color: false }),
    'diff, Markdown': diffMarkdown(one, one, compareRuns(one, one)),
    'diff, JSON': diffJson(one, one, compareRuns(one, one)),
  })
  const plain = await outputs(record)
  for (const [name, text] of Object.entries(await outputs(again))) {
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
    {
      name: 'profile',
      before: 'canton-3.5',
      after: 'canton-3.5 (judged again; the run was by interface)',
      decidesPlan: true,
    },
    {
      name: 'interface text',
      before: 'The interface of a participant, version 1.4 (5feceb66ffc8)',
      after: 'Another, version 2 (ab)',
      decidesPlan: false,
    },
  ])
})

t.test('nobody is told that a recommendation was not met where it was a fact that was only read', async (t) => {
  const judgement = sampleJudgement({ confidence: 'read', actual: '404', met: false })
  const read = await sampleRecord([sampleRow('SAW-READ/only', { verdict: 'warning', judgements: [judgement] })])
  const told = 'or the answer differs from what was only read in the source of the reference'
  const row = read.rows[0] ?? sampleRow('none')
  t.match(failureText(row, read.header, { color: false }), 'SAW-1, must, read in the source code of the reference')
  t.match(failureText(row, read.header, { color: false }), told)
  t.match(tapReport(read), 'obligation: must, read in the source code of the reference')
  t.match(tapReport(read), told)
})

t.test('the Markdown summary says what failed by cause, what was left out, and stays short', async (t) => {
  const text = markdownReport(record)
  t.match(
    text,
    /### server error 500: 2 rows\n\n> GEN-9: No request of a client is answered by a server error\. \(must, section 1\.5; Errors 1\.5\.1 \(server errors\); /,
  )
  t.match(
    text,
    /- 2× status: expected below 500, found 500 \(GEN-9 2, SAW-4 2\)\n {2}- fail: `conform run --only SAW-COMMAND-ID\/too-long/,
  )
  t.match(text, '- 1 row not judged: The target has one synchronizer.')
  const many = Array.from({ length: 3000 }, (_, index) =>
    sampleRow(`X-${index}/r`, {
      verdict: 'fail',
      judgements: [sampleJudgement({ rules: [`R-${index}`], actual: `answer ${index}`, met: false })],
    }),
  )
  const long = markdownReport(await sampleRecord(many))
  t.ok(long.length < 65_536, `${long.length} characters`)
  t.match(long, /… and \d+ more groups, all in the other reports\.\n$/)
})

t.test('what stays at the target is listed by name, whatever is known of it', async (t) => {
  const made = {
    ...{ parties: ['alice-r::1220', 'a<b>`c`::1220'], users: ['one', 'two'], contracts: ['ping'], packages: [] },
    rights: [{ user: 'app', rights: ['CanActAs alice'] }],
  }
  const { header, footer } = record
  const target = { ...header.target, embedded: false }
  const run: RunRecord = { ...record, header: { ...header, made, target } }
  if (footer) run.footer = { ...footer, withdrawn: ['one'], transactions: 3 }
  const line =
    'Stays at the target: 2 parties, 1 contract that rows needed, 1 deactivated user without rights, 1 user who may still be active, ' +
    '1 user who may still have rights that the run gave, what 3 accepted submissions committed.'
  t.ok(consoleSummary(run, { color: false }).includes(`\n${line}\n`))
  const text = markdownReport(run)
  t.ok(text.includes('\n- 1 user who may still be active: `two`\n'), text)
  t.ok(text.includes('`` a<b>`c`::1220 ``'), 'names are shown as they are')
  const { footer: _, ...killed } = run
  t.match(
    consoleSummary(killed, { color: false }),
    /2 users who may still be active, 1 user who may still have rights that/,
  )
  t.notMatch(
    consoleSummary({ ...run, header: { ...run.header, made: { ...made, parties: [] } } }, { color: false }),
    /0 part/,
  )
  const embedded = { ...run.header, target: { ...target, embedded: true } }
  t.notMatch(consoleSummary({ ...run, header: embedded }, { color: false }), /Stays/, 'the simulator is gone')
  t.notMatch(markdownReport(record), /Stays/)
})

t.test('what the run might not do is told with the words that would permit it', (t) => {
  const refusals: NonNullable<RunRecord['header']['refusals']> = [{ permissions: ['topology', 'upload'], rows: 7 }]
  const run = { ...record, header: { ...record.header, allowed: ['read' as const, 'write' as const], refusals } }
  t.match(consoleSummary(run, { color: false }), '\n7 rows could run with --allow write topology upload\n')
  t.match(markdownReport(run), '\n- 7 rows could run with `--allow write topology upload`\n')
  t.match(ctrfReport(run), '"permissions":')
  t.end()
})
