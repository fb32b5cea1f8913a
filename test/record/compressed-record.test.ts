/** Compressed records: killed runs, damage, and files that would exhaust the memory or the time of a reader. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { splitText } from '../../record/file/split-text.js'
import { sampleHeader, sampleRows, writeSample } from '../support/records/sample-record.js'
import { sampleRow } from '../support/records/sample-row.js'

const folder = t.testdir()
const path = join(folder, 'run.ndjson.gz')
await writeSample(path, sampleRows())
const whole = readFileSync(path)

async function readBytes(bytes: Uint8Array) {
  const file = join(folder, 'changed.ndjson.gz')
  writeFileSync(file, bytes)
  return readRecord(file)
}

t.test('a compressed record and its text are the same record', async (t) => {
  const plain = join(folder, 'run.ndjson')
  writeFileSync(plain, gunzipSync(whole))
  const record = await readRecord(path)
  t.strictSame(record.defects, [])
  t.strictSame(await readRecord(plain), record)
  t.strictSame(await readBytes(gunzipSync(whole)), record, 'the first bytes decide, not the name')
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
  for (let index = 0; index < 40; index += 1) if (!gzip.write(zeros)) await once(gzip, 'drain')
  gzip.end()
  await once(gzip, 'end')
  const { defects } = await readBytes(Buffer.concat(chunks))
  t.match(defects, [/^Line 2 exceeds 512 MiB, the limit for the text of a compressed record\.$/])
})

t.test('references that multiply a text end at the limit for all texts', async (t) => {
  const lines = gunzipSync(whole).toString('utf8').split('\n')
  const long = { type: 'shared', texts: { 900: 'x'.repeat(1024 * 1024) } }
  const many = Array.from({ length: 1_000_000 }, () => 900)
  const bodies = { type: 'shared', bodies: { b900: { bytes: 1, text: many } } }
  const { defects } = await readBytes(
    gzipSync([lines[0], JSON.stringify(long), JSON.stringify(bodies), ...lines.slice(1)].join('\n')),
  )
  t.match(
    defects.find((defect) => defect.startsWith('Line 3')),
    /^Line 3 exceeds the limit of \d+ characters for all texts of a record\.$/,
  )
})

t.test('the parts of a text are the text, and equal passages of long texts have equal parts', (t) => {
  const passage = Array.from({ length: 20_000 }, (_, index) => `"${index}"`).join(',')
  const id = `00${'5f'.repeat(68)}`
  for (const text of [
    '',
    'short',
    passage,
    `{"a":"${id}","b":"${id}"}`,
    '\ud800'.repeat(3000),
    'ab'.repeat(5000),
    'x'.repeat(10_000_000),
  ]) {
    t.equal([...splitText(text)].map((part) => part.text).join(''), text)
  }
  const recurring = (text: string) => new Set([...splitText(text)].flatMap((part) => (part.recurs ? [part.text] : [])))
  const [one, other] = [recurring(`{"values":[${passage}]}`), recurring(`[{"update":{"argument":[${passage}]}}]`)]
  t.ok([...one].filter((part) => other.has(part)).length > 0.98 * one.size)
  t.ok(recurring(`{"contractId":"${id}"}`).has(id), 'an identifier is a part')
  t.end()
})
