/** Run records: writing and reading. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { RecordError, type RecordErrorCode } from '../../record/file/record-error.js'
import { openRecord } from '../../record/file/write-record.js'
import type { RunHeader, RunRow } from '../../record/types/record.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'
import { planOf, sampleEnd, sampleHeader, sampleRows, writeSample } from '../support/records/sample-record.js'
import { said, sampleEvidence, sampleJudgement, sampleRow, sampleStep } from '../support/records/sample-row.js'

let files = 0

/** Its folders do not exist. */
function freshPath(): string {
  files += 1
  return join(t.testdirName, 'made', 'on-the-way', `run-${files}.ndjson`)
}

async function write(rows: RunRow[], header: Partial<RunHeader> = {}): Promise<string> {
  const path = freshPath()
  await writeSample(path, rows, header)
  return path
}

async function defectsAfter(change: (lines: string[]) => string[]): Promise<string[]> {
  const path = await write(sampleRows())
  writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')).join('\n'))
  return (await readRecord(path)).defects
}

async function codeOf(promise: Promise<unknown>): Promise<{ code: RecordErrorCode; message: string } | undefined> {
  try {
    await promise
  } catch (error) {
    if (error instanceof RecordError) return { code: error.code, message: error.message }
    throw error
  }
  return undefined
}

t.testdir()

type LineType = 'row' | 'footer'

/** Index of a line among all lines; `number` counts lines of the type, from the end if negative. */
function indexOf(lines: readonly string[], type: LineType, number = 0): number {
  const indexes = lines.flatMap((line, index) => (line.startsWith(`{"type":"${type}"`) ? [index] : []))
  return indexes.at(number) ?? -1
}

const lineOfType = (lines: readonly string[], type: LineType, number = 0): string =>
  lines[indexOf(lines, type, number)] ?? ''

async function lineNumber(type: LineType, number = 0): Promise<number> {
  return indexOf(readFileSync(await write(sampleRows()), 'utf8').split('\n'), type, number) + 1
}

t.test('reading returns the written record, including hostile texts and lone surrogates', async (t) => {
  const rows = sampleRows()
  const record = await readRecord(await write(rows))
  t.strictSame(record.header, sampleHeader())
  t.strictSame(record.rows, rows)
  t.same(record.defects, [])
  t.match(record.footer, { ...sampleEnd, complete: true, conforming: false, executed: 10 })
  t.same(Object.keys(record.footer?.counts ?? {}), verdicts)
})

t.test('rows that complete at the same time have separate lines', async (t) => {
  const path = freshPath()
  const rows = Array.from({ length: 200 }, (_, index) =>
    sampleRow(`SAW-CREATE/r${index}`, { reason: said('x'.repeat(index * 500)) }),
  )
  const writer = await openRecord(path, sampleHeader({ plan: planOf(rows) }))
  await Promise.all(rows.map((row) => writer.row(row)))
  const written = await writer.close(sampleEnd)
  t.match(written.footer, { complete: true, conforming: true, executed: 200 })
  const record = await readRecord(path)
  t.strictSame(written, record, 'the writer returns what a reader finds')
  t.same(record.rows, rows)
  t.same(record.defects, [])
})

t.test('a run conforms if every planned row is recorded, at least one is judged, and none failed', async (t) => {
  const footerOf = async (found: Verdict[], planned = found.length) => {
    const rows = found.map((verdict, index) => sampleRow(`SAW-CREATE/r${index}`, { verdict }))
    return (
      await readRecord(
        await write(rows, { plan: Array.from({ length: planned }, (_, index) => `SAW-CREATE/r${index}`) }),
      )
    ).footer
  }
  t.match(await footerOf(['pass', 'warning', 'excused', 'not-applicable']), { complete: true, conforming: true })
  t.match(await footerOf(['not-applicable', 'not-applicable']), { complete: true, conforming: false })
  t.match(await footerOf([]), { complete: true, conforming: false })
  t.match(await footerOf(['pass'], 2), { complete: false, conforming: false })
  for (const verdict of ['fail', 'error', 'blocked', 'unexpected-pass'] as const) {
    t.match(await footerOf(['pass', verdict]), { complete: true, conforming: false, counts: { [verdict]: 1 } }, verdict)
  }
})

t.test('a row counts as executed if its request under test was sent', async (t) => {
  const { response: _, ...unanswered } = sampleEvidence()
  const problem = (code: 'timeout' | 'not-sent') => ({ ...unanswered, problem: { code, message: 'no' } })
  const beside = (['arrange', 'probe-before', 'probe-after', 'restore'] as const).map((role) =>
    sampleEvidence({ role }),
  )
  const evidences = [[], beside, [problem('not-sent')], [...beside, problem('timeout')]]
  const rows = evidences.map((evidence, index) => sampleRow(`SAW-CREATE/r${index}`, { evidence }))
  t.equal((await readRecord(await write(rows))).footer?.executed, 1)
})

t.test('the record of a killed run contains its completed rows', async (t) => {
  const path = freshPath()
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    import { openRecord } from ${module('../../record/file/write-record.js')}
    import { planOf, sampleHeader } from ${module('../support/records/sample-record.js')}
    import { sampleRow } from ${module('../support/records/sample-row.js')}
    const rows = ['a', 'b', 'c', 'd'].map((name) => sampleRow('SAW-CREATE/' + name))
    const writer = await openRecord(process.argv[1], sampleHeader({ plan: planOf(rows) }))
    for (const row of rows.slice(0, 3)) await writer.row(row)
    console.log('three are written')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const record = await readRecord(path)
  t.same(
    record.rows.map(({ id }) => id),
    ['SAW-CREATE/a', 'SAW-CREATE/b', 'SAW-CREATE/c'],
  )
  t.equal(record.footer, undefined)
  t.same(record.defects, [
    'The plan has 4 rows, but the record contains 3.',
    'The record has no footer: the run was interrupted, or is still running.',
  ])
})

t.test('each kind of incomplete record has a message, and its valid rows remain', async (t) => {
  const missing = 'The plan has 12 rows, but the record contains 11.'
  const headless = 'The record has no footer: the run was interrupted, or is still running.'
  const forged = 'The digest in the footer differs from that of the lines: the record was changed after the run.'
  const cutInRow = await defectsAfter((lines) => {
    const last = indexOf(lines, 'row', -1)
    return [...lines.slice(0, last), lines[last]?.slice(0, 90) ?? '']
  })
  t.same(cutInRow, [`Line ${await lineNumber('row', -1)} is incomplete: the run was stopped.`, missing, headless])
  t.same(await defectsAfter((lines) => [...lines.slice(0, -2), '']), [headless])
  t.same(await defectsAfter((lines) => lines.slice(0, -1)), [], 'only the last line feed is gone')

  const relinked = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"verdict":"blocked"', '"verdict":"pass"')),
  )
  const counts =
    '{"fail":3,"error":1,"blocked":1,"unexpected-pass":1,"warning":1,"excused":1,"follows-the-text":0,"not-applicable":1,"pass":3}'
  const found = counts.replace('"blocked":1', '"blocked":0').replace('"pass":3', '"pass":4')
  t.same(relinked, [forged, `The footer states counts as ${counts}, but the rows give ${found}.`])
  const boasting = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"conforming":false', '"conforming":true')),
  )
  t.same(boasting, ['The footer states conforming as true, but the rows give false.'])
  const inventing = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"counts":{', '"counts":{"__proto__":3,"passed":99,')),
  )
  const invented = `${counts.slice(0, -1)},"__proto__":3,"passed":99}`
  t.same(inventing, [`The footer states counts as ${invented}, but the rows give ${counts}.`])
  const hiding = await defectsAfter((lines) =>
    lines.map((line) => line.replace(/"unexamined":\[[^\]]+\]/, '"unexamined":[]')),
  )
  t.equal(hiding.length, 1)
  t.match(hiding[0], /^The footer states unexamined as \[\], but the rows give \["[^"]+","[^"]+","[^"]+"\]\.$/)

  const twice = await defectsAfter((lines) => lines.toSpliced(indexOf(lines, 'row', 1), 0, lineOfType(lines, 'row', 1)))
  t.same(twice.slice(0, 3), [
    'The plan has 12 rows, but the record contains 13.',
    '1 row ids occur more than once: SAW-COMMAND-ID/too-long.',
    forged,
  ])
  const end = await lineNumber('footer')
  const late = await defectsAfter((lines) => [...lines.slice(0, -1), lineOfType(lines, 'row', 1), ''])
  t.same(late, [`Line ${end + 1} comes after the footer.`])

  const spoilt = await defectsAfter((lines) => lines.with(indexOf(lines, 'row', 3), '{"type":"row",'))
  t.same(spoilt.slice(0, 2), [`Line ${await lineNumber('row', 3)} is not JSON.`, missing])
  const strange = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"verdict":"blocked"', '"verdict":"__proto__"')),
  )
  t.match(strange[0], /^Line \d+ is not a valid row: \/verdict must be equal to one of the allowed values\.$/)
  for (const [time, wrong] of [
    ['"startedAt":"2026-11-21T12:00:01.000Z"', '"startedAt":"Sat, 21 Nov 2026 12:00:01 GMT (checked)"'],
    ['"startedAt":"2026-11-21T12:00:01.000Z"', '"startedAt":"2026-11-21T12:00:01.000Z\\n::error::x"'],
    ['"milliseconds":', '"milliseconds":-'],
  ] as const) {
    const changed = await defectsAfter((lines) =>
      lines.map((line) => (line.startsWith('{"type":"row"') ? line.replace(time, wrong) : line)),
    )
    t.match(
      changed[0],
      /^Line \d+ is not a valid row: \/(?:evidence\/0\/)?(?:startedAt must match pattern|milliseconds must be >= 0)/,
    )
  }
  const badFooter = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"executed":10', '"executed":"all"')),
  )
  t.same(badFooter, [`Line ${end} is not a valid footer: /executed must be integer.`, headless])
  const rubbish = await defectsAfter((lines) => [...lines, ...Array<string>(25).fill('null')])
  t.same([rubbish.length, rubbish.at(-1)], [11, '16 more lines are unusable.'])
})

t.test('rows of another run, or with the steps of another row, are ignored', async (t) => {
  const other = { ...sampleRow('SAW-OTHER/run'), verdict: 'pass' as const }
  const mixed = await defectsAfter((lines) => lines.toSpliced(indexOf(lines, 'row', 2), 0, JSON.stringify(other)))
  const line = await lineNumber('row', 2)
  t.same(mixed.slice(0, 2), [
    `Line ${line} is of row SAW-OTHER/run, which the plan of this run lacks, and is ignored.`,
    'The digest in the footer differs from that of the lines: the record was changed after the run.',
  ])
  const swapped = await defectsAfter((lines) =>
    lines.with(line - 1, (lines[line - 1] ?? '').replace('"id":"SAW-COMMAND-ID/blank"', '"id":"SAW-CREATE/plain"')),
  )
  t.match(
    swapped[0],
    `Line ${line} is of row SAW-CREATE/plain, with the steps of row SAW-COMMAND-ID/blank, and is ignored.`,
  )
  const strange = await defectsAfter((lines) => lines.map((one) => one.replace('"alone":false', '"alone":"no"')))
  t.match(strange[0], /^Line \d+ is not a valid row: \/resolved\/alone must be boolean\.$/)
  const step = await defectsAfter((lines) => lines.map((one) => one.replace('"actor":"alice"', '"actor":7')))
  t.match(step[0], /^Line \d+ is not a valid row: \/actor must be string\.$/)
})

const race = { times: 2, others: sampleStep().expectations.slice(0, 1) }

const references: [what: string, change: Parameters<typeof sampleRow>[1] & object, problem: string | undefined][] = [
  [
    'no such step',
    { evidence: [sampleEvidence({ step: 3 })] },
    'the evidence refers to step 3, but the row has only 1.',
  ],
  [
    'another role',
    { evidence: [sampleEvidence({ role: 'restore' })] },
    'the evidence refers to step 0 as restore, but its role is act.',
  ],
  [
    'an attempt too many',
    { evidence: [sampleEvidence({ attempt: 2 }), sampleEvidence({ attempt: 3 })] },
    'the evidence refers to attempt 3 of step 0, which has only 2.',
  ],
  [
    'a judgement of no step',
    { judgements: [sampleJudgement({ step: 1 })] },
    'a judgement refers to step 1, but the row has only 1.',
  ],
  [
    'a judgement of no expectation',
    { judgements: [sampleJudgement({ expectation: 2 }), sampleJudgement({ expectation: 3 })] },
    'a judgement refers to expectation 3 of step 0, which has only 3.',
  ],
  [
    'the expectation of the others in a race',
    { judgements: [sampleJudgement({ expectation: 2, attempt: 2 })] },
    undefined,
  ],
]

for (const [what, change, problem] of references) {
  t.test(`a reference of a row: ${what}`, async (t) => {
    const row = sampleRow('SAW-RACE/two', { verdict: 'fail', ...change }, { steps: [sampleStep({ race })] })
    const path = await write([row])
    const record = await readRecord(path)
    t.same(
      record.defects,
      problem === undefined
        ? []
        : [`Line ${indexOf(readFileSync(path, 'utf8').split('\n'), 'row') + 1} (row SAW-RACE/two): ${problem}`],
    )
    t.equal(record.rows.length, 1, 'what failed is not lost by it')
  })
}

t.test('a removed, inserted, moved or altered line differs from the digest', async (t) => {
  const forged = 'The digest in the footer differs from that of the lines: the record was changed after the run.'
  const changes: ((lines: string[]) => string[])[] = [
    (lines) => lines.with(0, (lines[0] ?? '').replace('"seed":"20261121"', '"seed":"20261122"')),
    (lines) => lines.map((line) => line.replace('"milliseconds":415', '"milliseconds":416')),
    (lines) => lines.toSpliced(indexOf(lines, 'row', 3), 1),
    (lines) => [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '', ...lines.slice(3)],
    (lines) => lines.map((line) => line.replace('"type":"row"', '"type": "row"')),
  ]
  for (const change of changes) t.ok((await defectsAfter(change)).includes(forged), String(change))
})

t.test('another file or another format is rejected with advice', async (t) => {
  const refusal = (content: string) => {
    const path = join(t.testdir({ 'some.ndjson': content }), 'some.ndjson')
    return codeOf(readRecord(path))
  }
  const header = JSON.stringify(sampleHeader())
  t.match(await refusal(''), {
    code: 'no-header',
    message: /some\.ndjson: this is not a run record: its first line is missing/,
  })
  t.match(await refusal(`${header.slice(0, 300)}`), { code: 'no-header' })
  t.match(await refusal('null\n'), { code: 'no-header' })
  t.match(await refusal(header.replace('"concurrency":16', '"concurrency":-1')), {
    code: 'no-header',
    message: /\/concurrency must be >= 0/,
  })
  const older = await refusal(header.replace('"format":4', '"format":2'))
  t.match(older, {
    code: 'unknown-format',
    message:
      /the record has format 2, but this version reads only format 4\. Read it with participant-conformance 0\.1\.0\.$/,
  })
  const absent = await codeOf(readRecord(freshPath()))
  t.match(absent, { code: 'unreadable', message: /ENOENT.*Give the record of a run/ })
})

t.test('a failed write rejects this line and all later ones', async (t) => {
  const folder = await codeOf(openRecord(t.testdir(), sampleHeader()))
  t.match(folder, { code: 'unwritable', message: /cannot be created \(EISDIR.*Check free space and permissions/ })
  // /dev/full rejects every write.
  const full = await codeOf(openRecord('/dev/full', sampleHeader()))
  t.match(full, { code: 'unwritable', message: /a line cannot be written \(ENOSPC/ })
})
