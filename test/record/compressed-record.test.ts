/** Compressed records: killed runs, damage, and files that would exhaust the memory or the time of a reader. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { TextHistory } from '../../record/file/copied-text.js'
import { usualLimits } from '../../record/file/read-limits.js'
import { readRecord } from '../../record/file/read-record.js'
import { KnownValues } from '../../record/file/resolve-references.js'
import type { RunRecord } from '../../record/types/record.js'
import { factsOf } from '../../reports/history/run-facts.js'
import { sampleHeader, sampleRows, writeSample } from '../support/records/sample-record.js'
import { sampleRow } from '../support/records/sample-row.js'

const folder = t.testdir()
const path = join(folder, 'run.ndjson.gz')
await writeSample(path, sampleRows())
const whole = readFileSync(path)

async function readBytes(bytes: Uint8Array, options?: Parameters<typeof readRecord>[1]) {
  const file = join(folder, 'changed.ndjson.gz')
  writeFileSync(file, bytes)
  return readRecord(file, options)
}

t.test('a compressed record and its text are the same record', async (t) => {
  const plain = join(folder, 'run.ndjson')
  writeFileSync(plain, gunzipSync(whole))
  const record = await readRecord(path)
  t.strictSame(record.defects, [])
  t.strictSame(await readRecord(plain), record)
  t.strictSame(await readBytes(gunzipSync(whole)), record, 'the first bytes decide, not the name')
})

t.test('without texts, a record has the same verdicts, rules and times', async (t) => {
  const record = await readRecord(path)
  const small = await readRecord(path, { keepsTexts: false })
  t.strictSame(factsOf(small), factsOf(record))
  const judged = ({ rows }: RunRecord) => rows.map(({ id, verdict, judgements }) => [id, verdict, judgements.length])
  t.strictSame(judged(small), judged(record))
  const bodies = ({ rows }: RunRecord) =>
    rows.flatMap(({ evidence }) => evidence.map(({ response }) => response?.body.text ?? ''))
  const isLong = (text: string): boolean => text.length >= 32
  t.ok(bodies(record).some(isLong), 'a body is a text by reference')
  t.notOk(bodies(small).some(isLong))
})

t.test('a truncated record keeps the lines before the last flush', async (t) => {
  const { rows, defects } = await readBytes(whole.subarray(0, whole.length - 20))
  t.ok(rows.length >= 11, `${rows.length} rows`)
  t.match(defects.at(-1), 'The record has no footer: the run was interrupted, or is still running.')
})

t.test('a killed run keeps every row that it reported as written', async (t) => {
  const killed = join(folder, 'killed.ndjson.gz')
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
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, killed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { rows } = await readRecord(killed)
  t.same(
    rows.map(({ id }) => id),
    ['SAW-CREATE/a', 'SAW-CREATE/b', 'SAW-CREATE/c'],
  )
})

t.test('damaged compression is a defect, and the lines before it are read', async (t) => {
  const long = join(folder, 'long.ndjson.gz')
  const rows = Array.from({ length: 300 }, (_, index) =>
    sampleRow(`SAW-CREATE/r${index}`, { reason: randomBytes(200).toString('hex') }),
  )
  await writeSample(long, rows)
  // Two members: the second is damaged.
  const text = gunzipSync(readFileSync(long))
  const half = text.indexOf('\n', text.length / 2) + 1
  const second = gzipSync(text.subarray(half))
  const first = gzipSync(text.subarray(0, half))
  const read = await readBytes(Buffer.concat([first, second.fill(0xff, 20, 60)]))
  t.ok(read.rows.length > 20, `${read.rows.length} rows`)
  t.match(read.defects[0], /^Line \d+ cannot be decompressed: the file is damaged\.$/)
})

t.test('a gzip bomb ends at the limit for the text of a record', async (t) => {
  const gzip = createGzip()
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  gzip.write(`${JSON.stringify(sampleHeader())}\n`)
  const zeros = Buffer.alloc(16 * 1024 * 1024, ' ')
  for (let index = 0; index < 3; index += 1) if (!gzip.write(zeros)) await once(gzip, 'drain')
  gzip.end()
  await once(gzip, 'end')
  const { defects } = await readBytes(Buffer.concat(chunks), { limits: { ...usualLimits, text: 32 * 1024 * 1024 } })
  t.match(defects, [/^Line 2 exceeds 32 MiB, the limit for the text of a compressed record\.$/])
})

t.test('a gzip bomb of short lines ends at the limit for lines', async (t) => {
  const header = `${JSON.stringify(sampleHeader())}\n`
  const limits = { ...usualLimits, lines: 1000 }
  const { defects } = await readBytes(gzipSync(header + '{}\n'.repeat(1000)), { limits })
  t.equal(defects[0], 'The record has more than 1000 lines, the limit. The others are not read.')
  const within = await readBytes(gzipSync(header + '{}\n'.repeat(999)), { limits })
  t.match(within.defects[0], /^Line 2 is not a valid row/)
})

t.test('references that multiply a text end at the limit for all texts', async (t) => {
  const lines = gunzipSync(whole).toString('utf8').split('\n')
  const copies = Array.from({ length: 1000 }, () => [[900, 0], 1024]).flat()
  const long = { type: 'shared', texts: { 900: 'x'.repeat(1024), 901: copies } }
  const bytes = gzipSync([lines[0], JSON.stringify(long), ...lines.slice(1)].join('\n'))
  const read = async (texts: number): Promise<string | undefined> => {
    const { defects } = await readBytes(bytes, { limits: { ...usualLimits, texts } })
    return defects.find((defect) => defect.startsWith('Line 2'))
  }
  t.equal(await read(1024 * 1000), 'Line 2 exceeds the limit of 1024000 characters for all texts of a record.')
  t.equal(await read(1024 * 1010), undefined)
})

t.test('lines that multiply a text end at the limit for all references', (t) => {
  const known = new KnownValues({ keepsTexts: true })
  known.add({ type: 'shared', texts: { 900: 'x'.repeat(64 * 1024 * 1024) } })
  const readAll = (): void => {
    for (let count = 0; count < 9; count += 1) known.text(900)
  }
  t.throws(readAll, /^exceeds the limit of \d+ characters for all references of a record$/)
  t.end()
})

t.test('a time that is no date is a defect of its line', async (t) => {
  const text = gunzipSync(whole).toString('utf8')
  const { defects, rows } = await readBytes(gzipSync(text.replace(/("type":"row".*?"startedAt":)-?\d+/, '$19e99')))
  t.ok(rows.length > 0)
  t.match(defects.join('\n'), /has a time that is no date/)
})

t.test('the parts of texts give the texts, and a repeated passage is a copy', (t) => {
  const passage = Array.from({ length: 20_000 }, (_, index) => `"${index}"`).join(',')
  const id = `00${'5f'.repeat(68)}`
  const texts = [
    'short',
    passage,
    `{"a":"${id}","b":"${id}"}`,
    `{"b":"${id}","c":1}`,
    '\ud800'.repeat(3000),
    `\ud83d\ude00${passage}`,
    'ab'.repeat(5000),
    'x'.repeat(10_000_000),
    `[{"update":{"argument":[${passage}]}}]`,
    passage.replaceAll('"19', '"20'),
  ]
  const history = new TextHistory()
  const stored = texts.map((text, index) => history.store(index + 1, text))
  const known = new KnownValues({ keepsTexts: true })
  known.add({ type: 'shared', texts: Object.fromEntries(stored.map((parts, index) => [index + 1, parts])) })
  t.strictSame(
    texts.map((_, index) => known.text(index + 1)),
    texts,
  )
  const lengths = stored.map((parts) => JSON.stringify(parts).length)
  t.ok((lengths[3] ?? 0) < 60, 'an identifier')
  t.ok((lengths[7] ?? 0) < 500, 'a repeated character')
  t.ok((lengths[8] ?? 0) < 100, 'an embedded passage')
  t.end()
})

for (const [what, texts, reason] of [
  ['an unknown text', { 900: [[901, 0], 5] }, 'refers to 901, which no earlier line defines'],
  ['a cycle', { 900: [[901, 0], 5], 901: [[900, 0], 5] }, 'refers to 901, which no earlier line defines'],
  [
    'more characters of the text so far',
    { 900: ['abc', [900, 0], 4] },
    'copies more characters into 900 than a text has',
  ],
  ['an index after the end', { 900: 'abc', 901: [[900, 7], 1] }, 'copies more characters into 901 than a text has'],
  ['a copy without a source', { 900: [5] }, 'copies more characters into 900 than a text has'],
] as const)
  t.test(`a text that copies ${what} is a defect`, async (t) => {
    const lines = gunzipSync(whole).toString('utf8').split('\n')
    const line = JSON.stringify({ type: 'shared', texts })
    const bytes = gzipSync([lines[0], line, ...lines.slice(1)].join('\n'))
    const { defects } = await readBytes(bytes)
    t.equal(defects[0], `Line 2 ${reason}.`)
    t.strictSame((await readBytes(bytes, { keepsTexts: false })).defects, defects, 'also without texts')
  })
