/** Annotations of a GitHub workflow, read as the runner reads them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { RunRow } from '../../record/types/record.js'
import { githubAnnotations } from '../../reports/formats/github.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { conformIn } from '../support/processes/conform-process.js'
import { poisoned } from '../support/records/poisoned-record.js'
import { sampleRecord, sampleRows, writeSample } from '../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../support/records/sample-row.js'

interface Annotation {
  kind: string
  title: string
  message: string
}

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')

/** As ActionCommand.TryParseV2 of the runner. Throws for any other line. */
function read(output: string): Annotation[] {
  const lines = output === '' ? [] : output.replace(/\n$/, '').split(/\r\n|[\n\r\u0085\u2028\u2029]/)
  return lines.map((line) => {
    const [, kind = '', properties = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? []
    const [[name, title = ''] = [''], ...others] = properties.split(',').map((one) => one.split(/=(.*)/s))
    if (name !== 'title' || others.length > 0) throw new Error(`no annotation with a title: ${line}`)
    return { kind, title: unescaped(title), message: unescaped(message) }
  })
}

const failed = (id: string, actual: string, ...rules: string[]): RunRow =>
  sampleRow(id, {
    verdict: 'fail',
    reason: said('no'),
    judgements: [sampleJudgement({ met: false, found: [actual], ...(rules.length > 0 && { rules }) })],
  })

t.test('each cause of failures is one error with its rows and a command', async (t) => {
  const rows = [
    failed('SAW-A/one', '404'),
    failed('SAW-A/two', '404'),
    failed('SAW-B/x', '201', 'X-1'),
    sampleRow('SAW-C/y'),
  ]
  t.strictSame(read(githubAnnotations(await sampleRecord(rows))), [
    {
      kind: 'error',
      title: '2 rows: The answer carries the id of the resulting transaction.',
      message:
        'The answer carries the id of the resulting transaction. (SAW-1, mandatory, section 3.2)\n2× status: expected 200, found 404\nrows: SAW-A/one (fail), SAW-A/two (fail)\nconform run --only SAW-A/one',
    },
    {
      kind: 'error',
      title: '1 row: status: expected 200, found 201',
      message:
        'status: expected 200, found 201 (X-1, not in the record)\nrows: SAW-B/x (fail)\nconform run --only SAW-B/x',
    },
  ])
  t.equal(githubAnnotations(await sampleRecord([sampleRow('SAW-C/y')])), '', 'none without failures')
})

t.test('colons, commas and percent signs are unchanged after the escapes of GitHub', async (t) => {
  const text = '::x,title=y%3A%0A'
  const rows = [failed('SAW-A/one', text), failed('SAW-B/one', text, 'X-1')]
  const [known, unknown] = read(githubAnnotations(await sampleRecord(rows)))
  t.equal(known?.message.split('\n')[1], `1× status: expected 200, found ${text}`)
  t.equal(unknown?.title, `1 row: status: expected 200, found ${text}`)
})

t.test('a cause with only blocked rows is a warning', async (t) => {
  const blocked = (id: string) =>
    sampleRow(id, { verdict: 'blocked', reason: { code: 'operation-missing', operation: 'updates', status: 404 } })
  const found = read(
    githubAnnotations(await sampleRecord([failed('SAW-A/1', 'a'), blocked('SAW-B/1'), blocked('SAW-B/2')])),
  )
  t.strictSame(
    found.map(({ kind }) => kind),
    ['error', 'warning'],
  )
  t.match(found[1]?.message, '404 without the member code')
})

t.test('at most ten errors, and one notice with the number of the rest', async (t) => {
  const words = Array.from({ length: 12 }, (_, at) => String.fromCharCode(97 + at).repeat(5))
  const rows = words.flatMap((word) => [1, 2].map((row) => failed(`SAW-${word}/${row}`, word, `X-${word}`)))
  const found = read(githubAnnotations(await sampleRecord(rows)))
  t.strictSame(
    found.map(({ kind }) => kind),
    [...Array.from({ length: 10 }, () => 'error'), 'notice'],
  )
  t.equal(found.at(-1)?.message, '2 more causes with 4 failed rows: see the summary')
  const long = await sampleRecord(
    words.map((word) => failed(`SAW-${'x'.repeat(5000)}/${word}`, word.repeat(5000), word)),
  )
  t.ok(githubAnnotations(long).length < 40_000)
})

t.test('rows that failed in the baseline are only counted', async (t) => {
  const [old, added] = [failed('SAW-A/one', '404'), failed('SAW-B/x', '404')]
  const found = read(githubAnnotations(await sampleRecord([old, added]), factsOf(await sampleRecord([old]))))
  t.match(found, [
    { kind: 'error', title: /^1 row: / },
    { kind: 'notice', message: /^1 regression, 1 known failure: see/ },
  ])
})

t.test('no text of a target starts a workflow command or a line', async (t) => {
  const record = await sampleRecord()
  const plain = read(githubAnnotations(record)).length
  const ends = ['\n', '\r', '\r\n', '\u0085', '\u2028', '%0A', '%250A', ',', '::', '=x,title=y::']
  for (const end of ends) {
    const hostile = `${end}::stop-commands::x${end}##[add-mask]x${end}::error::`
    for (const place of [(text: string) => text + hostile, (text: string) => hostile + text]) {
      const found = read(githubAnnotations(poisoned(record, place)))
      t.ok(found.length >= plain && found.length <= 11, encodeURIComponent(end))
      t.ok(
        found.every(({ kind }) => kind === 'error' || kind === 'warning' || kind === 'notice'),
        'only errors, warnings and notices',
      )
      t.ok(
        found.every(({ message }) => !/%25/.test(message) || end.startsWith('%')),
        'escaped once',
      )
    }
  }
})

t.test('report --format github prints only annotations, and appends the summary of the step', async (t) => {
  const folder = t.testdir({ summary: 'before\n' })
  await writeSample(join(folder, 'run.ndjson'), sampleRows())
  const environment = { GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  const report = (...more: string[]) =>
    conformIn({ environment }, 'report', folder, '--out', join(folder, 'out'), '--format', ...more)
  const { code, stdout, stderr } = await report('github', 'badge')
  t.equal(code, 0)
  t.ok(read(stdout).length > 1, stdout)
  t.equal(stderr, `${join(folder, 'out', 'badge.svg')}\n`)
  t.match(await readFile(join(folder, 'summary'), 'utf8'), /^before\n## ✗ Conformance: FAIL/)
  t.match(await report('github', '--suggest-waivers'), { code: 2, stdout: '', stderr: /^format: github and --suggest/ })

  environment.GITHUB_STEP_SUMMARY = join(folder, 'summary', 'x')
  t.match(await report('github'), { code: 0, stdout, stderr: /^GITHUB_STEP_SUMMARY: .*; the step has no summary\n$/ })
  environment.GITHUB_STEP_SUMMARY = join(folder, 'run.ndjson')
  const before = await readFile(join(folder, 'run.ndjson'), 'utf8')
  t.match(await report('github'), {
    code: 0,
    stdout,
    stderr: /^GITHUB_STEP_SUMMARY: .*it is the run record; name another file\); the step/,
  })
  t.equal(await readFile(join(folder, 'run.ndjson'), 'utf8'), before)
  await writeFile(join(folder, 'summary'), '')
  environment.GITHUB_STEP_SUMMARY = ''
  t.match(await report('github'), { code: 0, stdout, stderr: '' })
})
