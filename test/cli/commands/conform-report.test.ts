/** The commands report and diff. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t, { type Test } from 'tap'
import { diffCommand } from '../../../cli/commands/diff-command.js'
import { reportCommand } from '../../../cli/commands/report-command.js'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { sampleRows, writeSample } from '../../support/records/sample-record.js'
import { sampleRow } from '../../support/records/sample-row.js'
import { unpackReport } from '../../support/records/unpack-report.js'

async function leaveRun(t: Test, rows: RunRow[] = sampleRows(), header: Partial<RunHeader> = {}): Promise<string> {
  const folder = t.testdir()
  await writeSample(join(folder, 'run.ndjson'), rows, header)
  return folder
}

const report = (run: string, out: string, format = ['all']) =>
  call(() => reportCommand(run, { format, out, color: false }))

const diff = (before: string, after: string, format = ['console'], out?: string) =>
  call(() => diffCommand(before, after, { format, color: false, ...(out !== undefined && { out }) }))

const allFiles = [
  'badge.svg',
  'ctrf.json',
  'junit.xml',
  'reason.schema.json',
  'report.html',
  'resolved-row.schema.json',
  'run-record.schema.json',
  'run.tap',
  'summary.md',
]

t.test('report writes every format from a record, by its folder or file', async (t) => {
  const folder = await leaveRun(t)
  const out = join(folder, 'deep', 'out')
  const { code, stdout } = await conform('report', folder, '--out', out)
  t.equal(code, 0, 'exits with 0 for a failed run')
  t.same((await readdir(out)).sort(), allFiles)
  for (const file of allFiles) t.match(stdout, join(out, file))
  t.match(stdout, /\nFAIL: 3 of 12 rows passed, 3 failed, .* \(2 min 5 s\)\.\n/)
  const some = join(folder, 'some')
  t.equal((await report(join(folder, 'run.ndjson'), some, ['tap,ctrf', 'badge'])).code, 0)
  t.same((await readdir(some)).sort(), ['badge.svg', 'ctrf.json', 'run.tap'])
})

t.test('reports that a certificate names are not replaced', async (t) => {
  const folder = await leaveRun(t)
  await writeFile(join(folder, 'certificate.json'), '{}')
  const { code, stderr } = await call(() => reportCommand(folder, { format: ['all'], color: false }))
  t.match({ code, stderr }, { code: 2, stderr: `out: the certificate in ${folder} names its reports; choose another` })
  t.equal((await report(folder, join(folder, 'out'))).code, 0)
})

t.test('record prints only lines that are JSON', async (t) => {
  const folder = await leaveRun(t)
  const path = join(folder, 'run.ndjson')
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  await writeFile(path, [...lines.slice(0, 2), '::error::forged', lines[2]?.slice(0, 40)].join('\n'))
  const { code, stdout, stderr } = await conform('record', folder)
  t.equal(code, 5)
  t.strictSame(stdout.trimEnd().split('\n'), lines.slice(0, 2))
  t.match(stderr, /line 3 is not JSON\.\n.*line 4 is not JSON\.\n$/)
})

t.test('each line of a record is valid by the schema of the report command', async (t) => {
  const folder = await leaveRun(t)
  t.equal((await report(folder, folder, ['schema'])).code, 0)
  const schema = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.schema.json`), 'utf8'))
  const ajv = new Ajv({ strictTuples: false }).addSchema([await schema('resolved-row'), await schema('reason')])
  const fits = ajv.compile(await schema('run-record'))
  const lines = (await readFile(join(folder, 'run.ndjson'), 'utf8')).trimEnd().split('\n')
  t.same(
    lines.filter((line) => !fits(JSON.parse(line))),
    [],
  )
  const types = lines.map((line) => JSON.parse(line).type)
  t.strictSame(
    ['header', 'row', 'footer'].map((type) => types.filter((one) => one === type).length),
    [1, 12, 1],
  )
  t.notOk(fits({ type: 'row' }))
})

t.test('reports of a truncated record state this first, and the exit code is 5', async (t) => {
  const folder = await leaveRun(t, sampleRows().slice(0, 1))
  const path = join(folder, 'run.ndjson')
  const whole = await readFile(path, 'utf8')
  await writeFile(path, whole.slice(0, whole.lastIndexOf('{"type":"footer"') - 40))
  const { code, stdout } = await report(folder, folder)
  t.equal(code, 5)
  t.match(stdout, /! Line 2 is incomplete.*! The record has no footer/s)
  const page = unpackReport(await readFile(join(folder, 'report.html'), 'utf8')).page
  t.match(
    page,
    /<\/span> INCOMPLETE <span [^\n]*<\/h2>\s*<div role="alert"><ul class="problems"><li>! Line 2 is incomplete/,
  )
  t.match(
    await readFile(join(folder, 'summary.md'), 'utf8'),
    /^## ✗ Conformance: INCOMPLETE: .*\n\n> \*\*! Line 2 is incomplete/,
  )

  await writeFile(path, whole.slice(0, 200))
  const headless = await report(folder, folder)
  t.equal(headless.code, 5, 'a record without a complete header')
  t.match(headless.stderr, /run\.ndjson: this is not a run record: its first line is incomplete/)
})

t.test('a file of another kind is not called a damaged record', async (t) => {
  const folder = t.testdir({ 'report.html': '<!doctype html>', 'target.yaml': 'target: http://127.0.0.1:7575\n' })
  for (const name of ['report.html', 'target.yaml'])
    t.match((await report(join(folder, name), folder)).stderr, 'its first line is neither JSON nor valid Brotli. Give')
})

t.test('invalid calls of report and diff exit with 2 and name the remedy', async (t) => {
  const folder = await leaveRun(t, [sampleRow('SAW-CREATE/plain')])
  const nothing = join(folder, 'nothing')
  const calls: [call: () => Promise<{ code: number | null; stderr: string }>, expected: string | RegExp][] = [
    [() => report(nothing, folder), /cannot be read \(ENOENT.*Give the record of a run/],
    [
      () => report(folder, folder, ['pdf']),
      'format: unknown format pdf; known: html, junit, tap, ctrf, markdown, badge, schema',
    ],
    [() => report(folder, join(folder, 'run.ndjson', 'x')), /out: .* cannot be written .*choose another folder/],
    [() => diff(folder, folder, ['html']), 'format: unknown format html; known: console, markdown, json'],
    [() => conform('diff', folder), /missing required argument 'after'/],
    [() => callRun(t, { redact: ['('] }), /redact: this is not a regular expression/],
    [() => conform('report', folder, '--baseline', nothing), /cannot be read/],
  ]
  for (const [run, expected] of calls) {
    const { code, stderr } = await run()
    t.equal(code, 2)
    t.match(stderr, expected)
  }
})

/** The sample run; one reason contains a party, a contract and a time, which differ in every run. */
const earlierRows = (): RunRow[] =>
  sampleRows().map((row) =>
    row.verdict === 'blocked'
      ? {
          ...row,
          reason: {
            code: 'request-failed',
            message: `alice-7f3a::1220aa has no contract ${'00ab'.repeat(20)} at 2026-11-21T12:00:00Z.`,
          },
        }
      : row,
  )

const later = { variables: { alice: '"alice-8e4b::1220cc"' } }

/** The sample run a day later, on another port and with other ids, with equal verdicts. */
const laterRows = (): RunRow[] =>
  earlierRows().map((row) => {
    const text = JSON.stringify(row)
      .replaceAll(':7575', ':4711')
      .replaceAll('2026-11-21T', '2026-11-22T')
      .replaceAll('alice-7f3a::1220aa', 'alice-8e4b::1220cc')
      .replaceAll('00ab'.repeat(20), '00cd'.repeat(20))
    const later: RunRow = JSON.parse(text)
    return later
  })

t.test('diff exits with 1 only for regressions', async (t) => {
  const before = await leaveRun(t, earlierRows())
  const runs: [what: string, rows: RunRow[], code: number, expected: RegExp][] = [
    ['equal verdicts', laterRows(), 0, /\nNo regression, .*12 rows unchanged/],
    [
      'a row that passed fails',
      laterRows().map((row) => (row.id === 'SAW-CREATE/plain' ? { ...row, verdict: 'fail' } : row)),
      1,
      /newly failing: 1\n {2}1× pass → fail {2}.*\n {6}SAW-CREATE\/plain\n/,
    ],
    [
      'a failed row passes, and a warned row is not judged',
      laterRows().map((row) => {
        if (row.id === 'SAW-COMMAND-ID/blank') return { ...row, verdict: 'pass' }
        return row.verdict === 'warning' ? { ...row, verdict: 'not-applicable' } : row
      }),
      1,
      /no longer judged: 1\n {2}1× warning → not-applicable.*newly passing: 1\n {2}1× fail → pass {2}.*\n {6}SAW-COMMAND-ID\/blank\n/s,
    ],
    [
      'another cause, an added, a removed and a slow row',
      [
        ...laterRows()
          .slice(1)
          .map((row): RunRow => {
            if (row.id === 'CBI-VISIBLE/long') return { ...row, milliseconds: 9000 }
            return row.verdict === 'blocked' ? { ...row, reason: { code: 'evidence-mismatch' } } : row
          }),
        sampleRow('NEW/row', { verdict: 'fail' }),
      ],
      1,
      /newly failing: 1\n {2}1× fail {2}.*\n {6}NEW\/row.*no longer judged: 1\n {2}1× pass\n {6}SAW-CREATE.*other cause: 1\n {2}1× blocked .*2 regressions/s,
    ],
  ]
  for (const [what, rows, wanted, expected] of runs) {
    await t.test(what, async (t) => {
      const { code, stdout } = await diff(before, await leaveRun(t, rows, later))
      t.equal(code, wanted)
      t.match(stdout, expected)
    })
  }
})

t.test('diff reports the same as Markdown, as JSON and in the page', async (t) => {
  const before = await leaveRun(t, earlierRows())
  await t.test('one regression', async (t) => {
    const rows = laterRows().map((row): RunRow => (row.id === 'SAW-CREATE/plain' ? { ...row, verdict: 'fail' } : row))
    const after = await leaveRun(t, rows, {
      ...later,
      profile: { name: 'interface', title: 'The text', divergences: [] },
    })
    const json = await conform('diff', before, after, '--format', 'json')
    t.equal(json.code, 1)
    t.match(JSON.parse(json.stdout), {
      summary: {
        regressions: 1,
        newlyFailing: 1,
        newlyPassing: 0,
        unchanged: 11,
        complete: { before: true, after: true },
      },
      settings: [{ name: 'profile', before: 'canton-3.5', after: 'interface' }],
      newlyFailing: [{ id: 'SAW-CREATE/plain', before: { verdict: 'pass' }, after: { verdict: 'fail' } }],
      changedCause: [],
    })
    const markdown = await diff(before, after, ['markdown'])
    t.match(
      markdown.stdout,
      /^## ✗ 1 regression, 6 known failures\n.*\*\*profile differs\*\*: `canton-3\.5` → `interface`/s,
    )
    t.match(markdown.stdout, /### newly failing: 1\n\n- 1× pass → fail: .*\n {2}- `SAW-CREATE\/plain`/)
    const files = await diff(before, after, ['markdown', 'json'], after)
    t.match(files.stdout, /1 regression, 6 known failures, 11 rows unchanged\n+.*diff\.md\n.*diff\.json/)
  })
})

t.test('a comparison with a truncated run exits with 5', async (t) => {
  const before = await leaveRun(t, earlierRows())
  await t.test('truncated', async (t) => {
    const after = await leaveRun(t, laterRows(), later)
    const path = join(after, 'run.ndjson')
    await writeFile(path, (await readFile(path, 'utf8')).split('\n').slice(0, 6).join('\n'))
    const { code, stdout, stderr } = await diff(before, after)
    t.equal(code, 5)
    t.match(stdout, 'removed rows: 7')
    t.match(stderr, /run\.ndjson|: The plan has 12 rows, but the record contains 5\./)
  })
})
