/** Run records: writing and reading. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { RecordError, type RecordErrorCode } from '../../record/file/record-error.js'
import { openRecord, planIn } from '../../record/file/write-record.js'
import type { RunHeader, RunRow } from '../../record/types/record.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'
import { lineOf, planOf, sampleEnd, sampleHeader, sampleRows, writeSample } from '../support/records/sample-record.js'
import { sampleEvidence, sampleJudgement, sampleRow, sampleStep } from '../support/records/sample-row.js'
import { linkedLines } from './linked-lines.js'

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

async function defectsIn(change: (lines: string[]) => string[]): Promise<string[]> {
  const path = await write(sampleRows())
  writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')).join('\n'))
  return (await readRecord(path)).defects
}

const defectsAfter = (change: (lines: string[]) => string[]): Promise<string[]> =>
  defectsIn((lines) => linkedLines(change(lines)))

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

type LineType = 'shared' | 'plan' | 'row' | 'footer'

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
  t.strictSame(record.plan, planOf(rows))
  t.strictSame(record.rows, rows)
  t.same(record.defects, [])
  t.match(record.footer, { ...sampleEnd, complete: true, conforming: false, executed: 10 })
  t.same(Object.keys(record.footer?.counts ?? {}), verdicts)
})

t.test('rows that complete at the same time have separate lines', async (t) => {
  const path = freshPath()
  const rows = Array.from({ length: 200 }, (_, index) =>
    sampleRow(`SAW-CREATE/r${index}`, { reason: 'x'.repeat(index * 500) }),
  )
  const writer = await openRecord(path, sampleHeader({ planned: rows.length }), planIn(planOf(rows)))
  await Promise.all(rows.map((row) => writer.row(lineOf(row))))
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
    return (await readRecord(await write(rows, { planned }))).footer
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
    import { openRecord, planIn } from ${module('../../record/file/write-record.js')}
    import { lineOf, planOf, sampleHeader } from ${module('../support/records/sample-record.js')}
    import { sampleRow } from ${module('../support/records/sample-row.js')}
    const rows = ['a', 'b', 'c', 'd'].map((name) => sampleRow('SAW-CREATE/' + name))
    const writer = await openRecord(process.argv[1], sampleHeader({ planned: 4 }), planIn(planOf(rows)))
    for (const row of rows.slice(0, 3)) await writer.row(lineOf(row))
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
  t.same(cutInRow, [
    `Line ${await lineNumber('row', -1)}, the last line, is incomplete: the run was stopped.`,
    missing,
    headless,
  ])
  t.same(await defectsAfter((lines) => [...lines.slice(0, -2), '']), [headless])
  t.same(await defectsAfter((lines) => lines.slice(0, -1)), [], 'only the last line feed is gone')

  const relinked = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"verdict":"blocked"', '"verdict":"pass"')),
  )
  t.same(relinked, [
    forged,
    'The footer counts 1 blocked, but the rows count 0.',
    'The footer counts 3 pass, but the rows count 4.',
  ])
  const boasting = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"conforming":false', '"conforming":true')),
  )
  t.same(boasting, ['The footer states conforming: true, and the rows give false.'])
  const hiding = await defectsAfter((lines) =>
    lines.map((line) => line.replace(/"unexamined":\[[^\]]+\]/, '"unexamined":[]')),
  )
  t.same(hiding, ['The footer lists 0 untested mandatory rules, and the rows give 3, or other ones.'])

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
  const badFooter = await defectsAfter((lines) =>
    lines.map((line) => line.replace('"executed":10', '"executed":"all"')),
  )
  t.same(badFooter, [`Line ${end} is not a valid footer: /executed must be integer.`, headless])
  const rubbish = await defectsAfter((lines) => [...lines, ...Array<string>(25).fill('null')])
  t.same([rubbish.length, rubbish.at(-1)], [11, '16 more lines are unusable.'])
})

t.test('missing plan lines, duplicates and invalid references are defects', async (t) => {
  const unplanned = await defectsAfter((lines) => lines.toSpliced(indexOf(lines, 'plan'), 1))
  const unknown = 'of row SAW-CREATE/plain, which has no plan line before it: its expectations are unknown.'
  t.same(unplanned.slice(0, 2), [
    `Line ${(await lineNumber('row')) - 1} is ${unknown}`,
    'The plan has 12 rows, but the record contains 11.',
  ])
  const late = await defectsAfter((lines) => {
    const [plan, row] = [indexOf(lines, 'plan'), indexOf(lines, 'row')]
    return lines.toSpliced(row + 1, 0, lines[plan] ?? '').toSpliced(plan, 1)
  })
  t.same(late[0], `Line ${(await lineNumber('row')) - 1} is ${unknown}`)
  const twice = await defectsAfter((lines) =>
    lines.toSpliced(indexOf(lines, 'plan', 1), 0, lineOfType(lines, 'plan', 1)),
  )
  t.same(
    twice[0],
    `Line ${(await lineNumber('plan', 1)) + 1} is a second plan line of SAW-COMMAND-ID/too-long, and is ignored.`,
  )
  const strange = await defectsAfter((lines) => lines.map((line) => line.replace('"alone":false', '"alone":"no"')))
  t.match(strange[0], /^Line \d+ is not a valid shared line: \/cases\/c1\/alone must be boolean\.$/)
})

t.test('lines with wrong ids of shared values are defects, and their verdicts are kept', async (t) => {
  const path = await write([sampleRow('SAW-CREATE/one', { verdict: 'fail', judgements: [sampleJudgement()] })])
  const read = async (change: (lines: string[]) => string[]) => {
    const other = freshPath()
    writeFileSync(other, linkedLines(change(readFileSync(path, 'utf8').split('\n'))).join('\n'))
    return readRecord(other)
  }
  const undefinedId = await read((lines) =>
    lines.map((line) => line.replace('"judgements":["j1"]', '"judgements":["j9"]')),
  )
  t.match(undefinedId.defects[0], /^Line \d+ refers to j9, which no earlier line defines\.$/)
  t.match(undefinedId.rows, [{ id: 'SAW-CREATE/one', verdict: 'fail', judgements: [] }])
  const own = await read((lines) => lines.map((line) => line.replace('"i1":["e1"', '"i1":["i1"')))
  t.match(own.defects[0], /^Line \d+ refers to i1, which no earlier line defines\.$/, 'no cycle is possible')
  const again = await read((lines) => lines.toSpliced(indexOf(lines, 'shared'), 0, lineOfType(lines, 'shared')))
  t.match(again.defects[0], /^Line \d+ defines \w+ again\.$/)
  const later = await read((lines) => {
    const shared = indexOf(lines, 'shared')
    return lines.toSpliced(shared + 2, 0, lines[shared] ?? '').toSpliced(shared, 1)
  })
  t.match(later.defects[0], /^Line 2 refers to l1, which no earlier line defines\.$/)
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
        : [`Line ${indexOf(readFileSync(path, 'utf8').split('\n'), 'row') + 1}, row SAW-RACE/two: ${problem}`],
    )
    t.equal(record.rows.length, 1, 'what failed is not lost by it')
  })
}

t.test('a removed, inserted or altered line breaks the chain at the next link', async (t) => {
  const path = freshPath()
  const rows = sampleRows()
  const writer = await openRecord(path, sampleHeader({ planned: rows.length }), planIn(planOf(rows)))
  // Two writes: the last line of each has a link.
  for (const part of [rows.slice(0, 6), rows.slice(6)]) await Promise.all(part.map((row) => writer.row(lineOf(row))))
  await writer.close(sampleEnd)
  const whole = readFileSync(path, 'utf8').split('\n')
  const gap = (line: number, linked: number) =>
    `Line ${line} breaks the chain: a line was removed, inserted or altered there, or ${
      line - linked <= 1 ? 'directly before it' : `between it and line ${linked}`
    }.`
  const gaps = async (lines: string[]) => {
    writeFileSync(path, lines.join('\n'))
    return (await readRecord(path)).defects.filter((defect) => / breaks the chain: /.test(defect))
  }
  const altered = (at: number, from: string, to: string) => whole.with(at, whole[at]?.replace(from, to) ?? '')
  const links = whole.flatMap((line, index) => (line.includes('"chain":"') ? [index + 1] : []))
  const [, first = 0, second = 0, footer = 0] = links
  t.same(links, [1, indexOf(whole, 'row', 5) + 1, indexOf(whole, 'row', -1) + 1, indexOf(whole, 'footer') + 1])
  t.same(await gaps(whole), [])
  t.same(await gaps(altered(0, '"seed":"20261121"', '"seed":"20261122"')), [gap(1, 0)])
  const inPlan = await gaps(altered(indexOf(whole, 'plan', 7), '"title":"', '"title":"x'))
  t.same(inPlan, [gap(second, first)], 'a plan line')
  t.same(await gaps(altered(indexOf(whole, 'shared'), '"actor":"', '"actor":"x')), [gap(first, 1)], 'a shared line')
  for (const [number, expected] of [
    [2, gap(first, 1)],
    [8, gap(second, first)],
    [-1, gap(second, first)],
  ] as const) {
    const inRow = await gaps(altered(indexOf(whole, 'row', number), '"milliseconds":', '"milliseconds":1'))
    t.same(inRow, [expected], `row ${number}`)
  }
  const inFooter = await gaps(altered(indexOf(whole, 'footer'), '"milliseconds":', '"milliseconds":1'))
  t.same(inFooter, [gap(footer, second)], 'the footer')
  t.same(await gaps(whole.toSpliced(indexOf(whole, 'row', 3), 1)), [gap(first - 1, 1)], 'removed')
  t.same(await gaps(whole.toSpliced(indexOf(whole, 'row', 4), 0, lineOfType(whole, 'row', 2))), [gap(first + 1, 1)])
  t.same(await gaps(altered(second - 1, '"chain":', '"other":')), [gap(footer, first)], 'without a link')
  const moved = whole.toSpliced(first, 0, ...whole.slice(first - 2, first))
  t.same((await gaps(moved)).length, 1, 'lines with their link, again')
})

t.test('another file or another format is rejected with advice', async (t) => {
  const refusal = (content: string) => {
    const path = join(t.testdir({ 'some.ndjson': content }), 'some.ndjson')
    return codeOf(readRecord(path))
  }
  const header = JSON.stringify(sampleHeader())
  t.match(await refusal(''), { code: 'no-header', message: /some\.ndjson: this is not a run record: .* is not JSON/ })
  t.match(await refusal(`${header.slice(0, 300)}`), { code: 'no-header' })
  t.match(await refusal('null\n'), { code: 'no-header' })
  t.match(await refusal(header.replace('"planned":12', '"planned":-1')), {
    code: 'no-header',
    message: /\/planned must be >= 0/,
  })
  const older = await refusal(header.replace('"format":3', '"format":2'))
  t.match(older, {
    code: 'unknown-format',
    message:
      /the record has format 2, but this version reads only format 3\. Read it with participant-conformance 0\.1\.0\.$/,
  })
  const evidence = { ...sampleEvidence(), response: { status: 200, headers: 'h1', body: { bytes: 0 } } }
  t.match(await refusal(JSON.stringify({ ...sampleHeader(), controls: [{ fixture: 'one', evidence }] })), {
    code: 'no-header',
    message: /is not a valid header \(it contains ids of shared values\)/,
  })
  const absent = await codeOf(readRecord(freshPath()))
  t.match(absent, { code: 'unreadable', message: /ENOENT.*Give the \.ndjson file/ })
})

t.test('a failed write rejects this line and all later ones', async (t) => {
  const folder = await codeOf(openRecord(t.testdir(), sampleHeader(), planIn([])))
  t.match(folder, { code: 'unwritable', message: /cannot be created \(EISDIR.*Check free space and permissions/ })
  // /dev/full rejects every write.
  const full = await codeOf(openRecord('/dev/full', sampleHeader(), planIn([])))
  t.match(full, { code: 'unwritable', message: /a line cannot be written \(ENOSPC/ })

  const writer = await openRecord(freshPath(), sampleHeader({ planned: 0 }), planIn([]))
  await writer.close(sampleEnd)
  t.match(await codeOf(writer.row(lineOf(sampleRow('SAW-CREATE/late')))), {
    code: 'closed',
    message: /row SAW-CREATE\/late/,
  })
  t.match(await codeOf(writer.close(sampleEnd)), { code: 'closed' })
})
