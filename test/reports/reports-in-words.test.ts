/** The texts of the reports. */
import t from 'tap'
import { withCodes } from '../../lib/colors.js'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import type { CheckName } from '../../record/types/resolved-row.js'
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
import { compareRuns } from '../../reports/summary/compare-runs.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { wantedText } from '../../reports/wording/fact-text.js'
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

t.test('the console summary is aligned, names every divergence, and has colors only with the option', async (t) => {
  const plain = consoleSummary(record, { color: false })
  const table = plain.split('\n').slice(3, 8)
  t.equal(new Set(table.map((line) => line.length)).size, 1, 'all lines of the table are equally long')
  t.match(
    plain,
    /^target http:\/\/127\.0\.0\.1:7575, profile canton-3\.5, seed 20261121\ninterface text The interface /,
  )
  t.notMatch(plain, '429', 'a connection that ended is no 429')
  const busy = record.rows.map((row) => ({
    ...row,
    evidence: row.evidence.map((one) => (one.earlier ? { ...one, earlier: { ...one.earlier, status: 429 } } : one)),
  }))
  t.match(consoleSummary({ ...record, rows: busy }, { color: false }), /\n2 requests repeated after the answer 429\n/)
  t.match(
    plain,
    /\n\d+ of \d+ judged rows pass by the text alone\n1 recorded divergence of canton-3\.5 from the text: the target shares 1 \(summary\.md lists/,
  )
  t.ok(
    plain.endsWith(
      '\nFAIL: 3 of 12 rows passed, 3 failed, 1 error, 1 blocked, 1 unexpected pass, 1 warning, 1 excused, 1 not applicable; ' +
        '3 mandatory rules not tested (2 min 5 s).\n',
    ),
    plain,
  )
  const good = await sampleRecord([sampleRow('SAW-CREATE/plain')])
  t.match(
    consoleSummary(good, { color: false }),
    /operation {8}pass {2}rows\n.*, 1 pass\n8 rules: 0 not met, 7 not judged\.\n! 5 mandatory rules not tested \(CBI-1, .*: not covered by a row of this run\.\nINCOMPLETE: 1 of 1 rows passed, 0 failed; 6 mandatory rules not tested \(2 min 5 s\)\.\n$/s,
  )
  const colored = withCodes(outgoing(consoleSummary(record, { color: true })))
  t.match(colored, '\u001b[31m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches color codes
  t.equal(colored.replace(/\u001b\[\d+m/g, ''), plain)
})

t.test('every report states the number of repetitions', async (t) => {
  const once = await reportsOf(record)
  const often = await reportsOf(await sampleRecord(record.rows, { repeat: 3 }))
  for (const format of ['console', 'markdown', 'tap', 'html'] as const) {
    t.match(often[format], 'each row sent 3 times', format)
    t.notMatch(once[format], 'each row sent', format)
  }
  t.match(often.junit, '<property name="repeat" value="3"/>')
  t.match(often.ctrf, '"repeat": 3')
})

t.test('the text of a failure has the rules, the unmet judgements and the commands', async (t) => {
  const row = record.rows.find(({ id }) => id === 'SAW-COMMAND-ID/too-long') ?? sampleRow('none')
  t.equal(
    failureText(row, record.header),
    `✗ fail  SAW-COMMAND-ID/too-long
  Rejects a command id that is not a LedgerString
  suites/cases/submit-and-wait/identifiers.yaml:30

  The status was 500 where 400 is expected.
  GEN-9 (mandatory): No request of a client is answered by a server error. [Errors 1.5.1 (server errors); Errors 1.5.2 (mistakes of clients); and 1 more]
  SAW-4 (expectation of the profile, observed on a live participant): A command id outside its grammar is rejected, and nothing is submitted.
  GEN-7 (recommended): An error body should name the invalid field.

  submit (request under test): status; GEN-9, mandatory
    expected  below 500
    actual    500

  submit (request under test): status; SAW-4, expectation of the profile, observed on a live participant
    expected  400
    actual    500

  submit (request under test): body /code; SAW-4, expectation of the profile, observed on a live participant
    expected  "INVALID_FIELD"
    actual    "INTERNAL"

  submit (request under test): body /cause; GEN-7, recommended
    expected  contains "commandId"
    actual    "boom"

  1. upload (arrange): POST /v2/commands/submit-and-wait returned 200: {"updateId":"1220ab","completionOffset":9007199254740993}
  2. ledger-end (probe before): GET /v2/state/ledger-end returned 200: {"updateId":"1220ab","completionOffset":9007199254740993}
  3. submit (request under test): POST /v2/commands/submit-and-wait returned 500: {"code":"INTERNAL","cause":"boom","context":{}}
  4. read (probe after): GET /v2/updates returned 200: {"updateId":"1220ab","completionOffset":9007199254740993}
  5. remove (restore): GET /v2/packages returned 200: {"updateId":"1220ab","completionOffset":9007199254740993}

  # actor alice
  curl -sS -i -X POST 'http://127.0.0.1:7575/v2/commands/submit-and-wait' \\
    -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer $TOKEN" \\
    --data-raw '{"commands":[{"CreateCommand":{"createArguments":{"owner":"alice"}}}],"commandId":"it'\\''s","actAs":["alice"]}'

  conform run --only SAW-COMMAND-ID/too-long`,
  )
  const judgement = sampleJudgement({ rules: ['X-1'], found: [`two\nlines ${'x'.repeat(5000)}`], met: false })
  const hostile = failureText(sampleRow("it's $HOME/x", { verdict: 'fail', judgements: [judgement] }), sampleHeader())
  t.match(hostile, 'X-1: the record does not contain this rule.')
  t.match(hostile, /actual {4}two\n {14}lines x+ … \[cut: 4510 more characters\]/)
  t.match(hostile, "conform run --only 'it'\\''s $HOME/x'")
})

t.test('a failure states the verdict by the interface text', (t) => {
  const text = (more: Partial<RunRow>): string =>
    failureText(sampleRow('A/b', { verdict: 'fail', ...more }), sampleHeader())
  t.match(text({ verdictByText: 'pass' }), '\n  By the interface text alone: pass.\n')
  t.notMatch(text({}), 'By the interface text')
  t.end()
})

t.test('the command that repeats a row names target and profile unless they are the defaults', async (t) => {
  const header = sampleHeader()
  const plain = { ...header, target: { ...header.target, authorization: 'none' } }
  t.equal(rerunCommand({ id: 'A/b' }, plain), 'conform run --only A/b')
  const target = { ...plain.target, url: "https://it's.example", embedded: false }
  const elsewhere = { ...plain, concurrency: 8, target }
  t.equal(
    rerunCommand({ id: 'A/b' }, { ...elsewhere, profile: { name: 'interface', title: '', divergences: [] } }),
    "conform run --only A/b --target 'https://it'\\''s.example' --profile interface",
  )
  const file = { name: 'my target.yaml', unreachable: [], presigned: 0 }
  t.equal(
    rerunCommand({ id: 'A/b' }, { ...plain, target: { ...plain.target, file } }),
    "conform run --only A/b --config 'my target.yaml'",
  )
  const options = { settingsFile: 'results/a b.settings.yaml' }
  t.equal(
    rerunCommand({ id: 'A/b' }, { ...elsewhere, options }),
    "conform run --only A/b --settings 'results/a b.settings.yaml' --profile canton-3.5",
  )
  t.equal(
    rerunCommand({ id: 'A/b' }, { ...plain, options: { settingsFile: '.../a.settings.yaml' } }),
    `conform run --only A/b --settings "\${SETTINGS:?set it to the path of a.settings.yaml}" --profile canton-3.5`,
  )
})

t.test('the command for a row of the second configuration of the simulator has tokens', (t) => {
  const settled = { run: 'a', seed: 's', url: 'http://x', synchronizers: 'one' as const, capabilities: {}, judged: 1 }
  const configurations = ['none', 'hs256'].map((authorization) => ({ ...settled, authorization, digest: '' }))
  const run = { ...sampleHeader(), configurations }
  t.equal(rerunCommand({ id: 'A/b' }, run), 'conform run --only A/b')
  t.equal(
    rerunCommand({ id: 'A/b', configuration: 2 }, run),
    'conform run --only A/b --authorization hs256:secret-of-the-simulator',
  )
  t.end()
})

t.test('the conclusion states the selection of rows and the excluded operations', async (t) => {
  const suite = { version: '1', digest: 'ab', rows: 280 }
  const some = await sampleRecord([sampleRow('SAW-CREATE/plain')], { only: 'SAW-*', suite })
  t.match(
    consoleSummary(some, { color: false }),
    '. The result proves nothing about the other rows. The run was limited to "SAW-*", 1 of the 280 rows of the suite.',
  )
  t.match(markdownReport(some), /The run was limited to "SAW-\\\*", 1 of the 280 rows/)
  const target = { ...some.header.target, file: { name: 'target.yaml', unreachable: ['prepare'], presigned: 0 } }
  const without = await sampleRecord([sampleRow('SAW-CREATE/plain')], { target })
  t.match(consoleSummary(without, { color: false }), 'The settings exclude prepare: the run sent no such request.')
})

t.test('every report has the same first line: result, rows by verdict, and untested mandatory rules', async (t) => {
  const { rules } = sampleHeader()
  const all = rules.filter(({ strength, untestable }) => strength === 'must' && untestable === undefined)
  const rowOf = (ids: string[]) =>
    sampleRow('SAW-CREATE/plain', { judgements: ids.map((id) => sampleJudgement({ rules: [id] })) })
  const whole = all.map(({ id }) => id)
  const text = { name: 'interface', title: 'The text alone', basis: 'text' as const, divergences: [] }
  const some = [
    [
      await sampleRecord([rowOf(whole.slice(1))]),
      'INCOMPLETE: 1 of 1 rows passed, 0 failed; 2 mandatory rules not tested',
    ],
    [await sampleRecord([rowOf(whole)]), 'PASS: 1 of 1 rows passed, 0 failed; 1 mandatory rule not tested'],
    [
      await sampleRecord([rowOf(whole)], { rules: rules.filter(({ untestable }) => untestable === undefined) }),
      'PASS: 1 of 1 rows passed, 0 failed; every mandatory rule tested',
    ],
    [
      await sampleRecord([rowOf(whole)], {
        rules: rules.map((rule) => ({ ...rule, factOf: 'canton-3.5' })),
        profile: text,
      }),
      'PASS: 1 of 1 rows passed, 0 failed; every mandatory rule tested',
    ],
    [
      await sampleRecord([rowOf(whole.slice(3))], { only: 'SAW-*', suite: { version: '1', digest: 'ab', rows: 280 } }),
      'PASS (selection of 1 of 280 rows): 1 of 1 rows passed, 0 failed',
    ],
    [
      await sampleRecord([rowOf(whole)], { suite: { version: '1', digest: 'ab', rows: 2 } }),
      'PASS (selection of 1 of 2 rows): 1 of 1 rows passed, 0 failed',
    ],
  ] as const
  for (const [one, words] of some) {
    t.equal(one.footer?.conforming, true)
    t.same(one.defects, [])
    for (const [name, report] of Object.entries(await reportsOf(one))) {
      t.match(report, words, `${words}: ${name}`)
      // The record has a member "conforming", in quotation marks.
      const alone = /(?<!["\w])[Cc]onforming:/.test(report)
      t.equal(alone && !/^PASS: /.test(words), false, `${words}: ${name} states "conforming" only for a complete pass`)
    }
  }
  t.match(
    consoleSummary(some[1][0], { color: false }),
    '(2 min 5 s). 1 mandatory rule not tested (VET-9): not observable in any response.',
  )
  t.match(
    consoleSummary(some[0][0], { color: false }),
    `! 1 mandatory rule not tested (${whole[0]}): not covered by a row of this run.`,
  )
  const { footer: _, ...cut } = await sampleRecord()
  t.match(
    consoleSummary({ ...cut, rows: cut.rows.slice(0, 1) }, { color: false }),
    /\nINCOMPLETE: 1 of 12 rows passed, 0 failed, 11 without a result; /,
  )
})

t.test('every format states the profile, the interface text, and a second judgement', async (t) => {
  const again = await sampleRecord(undefined, { judgedAgain: { profile: 'interface' } })
  const differences = (one: RunFacts) => ({
    diff: diffConsole(one, one, compareRuns(one, one), { color: false }),
    'diff, Markdown': diffMarkdown(one, one, compareRuns(one, one)),
    'diff, JSON': diffJson(one, one, compareRuns(one, one)),
  })
  const outputs = async (one: RunRecord) => ({
    ...(await reportsOf(one)),
    ...differences(factsOf(one)),
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
  t.same(compareRuns(factsOf(record), factsOf(other)).settings, [
    {
      name: 'profile',
      before: 'canton-3.5',
      after: 'canton-3.5 (judged again; profile of the run: interface)',
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

t.test('a warning about a fact from a source is no unmet recommendation', async (t) => {
  const judgement = sampleJudgement({ confidence: 'read', found: ['404'], met: false })
  const read = await sampleRecord([sampleRow('SAW-READ/only', { verdict: 'warning', judgements: [judgement] })])
  const row = read.rows[0] ?? sampleRow('none')
  t.match(failureText(row, read.header), 'SAW-1, expectation of the profile, read in the source code of the reference')
  const meaning = 'or the response differs from a fact read in the source code of the reference.'
  t.match(failureText(row, read.header), meaning)
  t.match(tapReport(read), 'obligation: expectation of the profile, read in the source code of the reference')
  t.match(tapReport(read), meaning)
})

t.test('the Markdown summary has the failures by cause and the unjudged rows, in limited length', async (t) => {
  const text = markdownReport(record)
  t.match(
    text,
    /### 2 rows: server error 500\n\n> GEN-9, SAW-4, GEN-7\n\n- 2× POST \/v2\/commands\/submit-and-wait\n- fail: `conform run --only SAW-COMMAND-ID\/too-long/,
  )
  t.match(text, '- 1 row not judged: The target has one synchronizer.')
  const many = Array.from({ length: 3000 }, (_, index) =>
    sampleRow(`X-${index}/r`, {
      verdict: 'fail',
      judgements: [sampleJudgement({ rules: [`R-${index}`], found: [`answer ${index}`], met: false })],
    }),
  )
  const long = markdownReport(await sampleRecord(many))
  t.ok(long.length < 65_536, `${long.length} characters`)
  t.match(long, /… cut: the report is too long; see the other reports\.\n$/)
})

t.test('reports list the state that remains on the participant by name', async (t) => {
  const made = {
    parties: ['alice-r::1220', 'a<b>`c`::1220'],
    users: ['one', 'two'],
    contracts: ['ping'],
    packages: [],
    rights: [{ user: 'app', rights: ['CanActAs alice'] }],
  }
  const { header, footer } = record
  const target = { ...header.target, embedded: false }
  const run: RunRecord = { ...record, header: { ...header, made, target } }
  if (footer) run.footer = { ...footer, withdrawn: ['one'], transactions: 3 }
  const line =
    'Remains on the participant: 2 parties, 1 fixture contract, 1 deactivated user without rights, 1 user that may still be active, ' +
    '1 user that may still have rights from the run, the transactions of 3 accepted submissions.'
  t.ok(consoleSummary(run, { color: false }).includes(`\n${line}\n`))
  const text = markdownReport(run)
  t.ok(text.includes('\n- 1 user that may still be active: `two`\n'), text)
  t.ok(text.includes('`` a<b>`c`::1220 ``'), 'names are code')
  const { footer: _, ...killed } = run
  t.match(
    consoleSummary(killed, { color: false }),
    /2 users that may still be active, 1 user that may still have rights from/,
  )
  t.notMatch(
    consoleSummary({ ...run, header: { ...run.header, made: { ...made, parties: [] } } }, { color: false }),
    /0 part/,
  )
  const effects = (id: string, ...found: string[]) =>
    sampleRow(id, { verdict: 'fail', judgements: [sampleJudgement({ check: 'effects', found, met: false })] })
  const oracles = {
    type: 'oracles' as const,
    reads: [],
    findings: [
      { code: 'rejected-but-committed' as const, rows: ['A/1', 'A/2'], updates: ['12cc', '12aa'] },
      { code: 'updates-unexplained' as const, update: '12dd', offset: 7, more: 2 },
    ].map((reason) => ({ kind: 'contradicted' as const, oracle: 'updates', reason, rules: [], rows: [] })),
  }
  const unreported = { ...run, rows: [...run.rows, effects('A/1', '400', '12aa', '12bb'), effects('A/2')], oracles }
  t.match(
    consoleSummary(unreported, { color: false }),
    /the transactions of 3 accepted submissions, 6 transactions that no answer reported\.\n/,
    'two of a row, one of several rows, three without a row',
  )
  const embedded = { ...run.header, target: { ...target, embedded: true } }
  t.notMatch(consoleSummary({ ...run, header: embedded }, { color: false }), /Remains/, 'the simulator has ended')
  t.notMatch(markdownReport(record), /Remains/)
})

t.test('reports name the option that permits the rows that were not run', (t) => {
  const refusals: NonNullable<RunRecord['header']['refusals']> = [{ permissions: ['topology', 'upload'], rows: 7 }]
  const run = { ...record, header: { ...record.header, allowed: ['read' as const, 'write' as const], refusals } }
  t.match(consoleSummary(run, { color: false }), '\n7 rows could run with --allow write topology upload\n')
  t.match(markdownReport(run), '\n- 7 rows could run with `--allow write topology upload`\n')
  t.match(ctrfReport(run), '"permissions":')
  t.end()
})

// A record of any origin may name it.
t.test('an unknown check is its own text, also a name of JavaScript', (t) => {
  for (const check of ['x', '', 'constructor', 'valueOf', '__proto__'])
    t.equal(wantedText({ ...sampleJudgement({}), check: check as CheckName, wanted: ['1'] }), check) // of any name
  t.end()
})
