/** Compressed records: killed runs, damage, and files that would exhaust the memory or the time of a reader. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, constants, createBrotliCompress, gzipSync } from 'node:zlib'
import t from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { usualLimits } from '../../record/file/stream-lines.js'
import { sampleHeader, sampleRows, writeSample } from '../support/records/sample-record.js'
import { said, sampleRow } from '../support/records/sample-row.js'

const mib = 1024 * 1024
const folder = t.testdir()
const path = join(folder, 'run.ndjson.br')
await writeSample(path, sampleRows())
const whole = readFileSync(path)

async function readBytes(bytes: Uint8Array, limits = usualLimits) {
  const file = join(folder, 'changed.ndjson.br')
  writeFileSync(file, bytes)
  return readRecord(file, { limits })
}

t.test('a compressed record and its text are the same record', async (t) => {
  const plain = join(folder, 'run.ndjson')
  writeFileSync(plain, brotliDecompressSync(whole))
  const record = await readRecord(path)
  t.strictSame(record.defects, [])
  t.strictSame(await readRecord(plain), record)
  t.strictSame(await readBytes(brotliDecompressSync(whole)), record, 'the first byte decides, not the name')
})

/** Descriptors of the files of this test. Some are closed after the last event of their stream. */
async function openFiles(): Promise<string[]> {
  let open: string[] = []
  for (let turn = 0; turn < 1000; turn += 1) {
    open = readdirSync('/proc/self/fd').flatMap((id) => linkOf(`/proc/self/fd/${id}`))
    if (open.length === 0) break
    await setImmediate()
  }
  return open
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)].filter((file) => file.startsWith(folder))
  } catch {
    return [] // The descriptor of the list is closed by now.
  }
}

t.test('the file of a record that is not read to its end is closed', async (t) => {
  const damaged = Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.alloc(200_000, 1)])
  for (const bytes of [damaged, Buffer.from('no record\n'.repeat(50_000)), Buffer.from('{}\n'.repeat(100_000))])
    await readBytes(bytes).catch(() => undefined)
  await readBytes(brotliDecompressSync(whole), { ...usualLimits, lines: 2 })
  t.strictSame(await openFiles(), [])
})

t.test('a truncated record keeps the lines before the last flush', async (t) => {
  const { rows, defects } = await readBytes(whole.subarray(0, whole.length - 20))
  t.ok(rows.length >= 11, `${rows.length} rows`)
  t.match(defects.at(-1), 'The record has no footer: the run was interrupted, or is still running.')
})

t.test('a killed run keeps every row before its last flush', async (t) => {
  const killed = join(folder, 'killed.ndjson.br')
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    import { openRecord } from ${module('../../record/file/write-record.js')}
    import { planOf, sampleHeader } from ${module('../support/records/sample-record.js')}
    import { sampleRow } from ${module('../support/records/sample-row.js')}
    const rows = ['a', 'b', 'c', 'd'].map((name) => sampleRow('SAW-CREATE/' + name))
    const writer = await openRecord(process.argv[1], sampleHeader({ plan: planOf(rows) }))
    for (const row of rows.slice(0, 3)) await writer.row(row)
    if (process.argv[2] === 'now') await writer.flush()
    else await new Promise((resolve) => setTimeout(resolve, 1500))
    console.log('three are written')
    setInterval(() => {}, 1000)`
  for (const when of ['now', 'after a second']) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, killed, when], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { rows } = await readRecord(killed)
    t.same(
      rows.map(({ id }) => id),
      ['SAW-CREATE/a', 'SAW-CREATE/b', 'SAW-CREATE/c'],
      when,
    )
  }
})

const incompressible = (seed: number): string =>
  Array.from({ length: 30 }, (_, index) => createHash('sha512').update(`${seed} ${index}`).digest('hex')).join('')

t.test('damaged compression is a defect, and the lines before it are read', async (t) => {
  const long = join(folder, 'long.ndjson.br')
  const rows = Array.from({ length: 300 }, (_, index) =>
    sampleRow(`SAW-CREATE/r${index}`, { reason: said(incompressible(index)) }),
  )
  await writeSample(long, rows)
  const bytes = readFileSync(long)
  const half = Math.floor(bytes.length / 2)
  const read = await readBytes(bytes.fill(0, half, half + 500))
  t.ok(read.rows.length > 20, `${read.rows.length} rows`)
  t.match(read.defects[0], /^Line \d+ cannot be decompressed: the file is damaged\.$/)
})

/** Compressed, with a header before it. */
async function bomb(text: string, size: number): Promise<Buffer> {
  const compression = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  const chunks: Buffer[] = []
  compression.on('data', (chunk: Buffer) => chunks.push(chunk))
  compression.write(`${JSON.stringify(sampleHeader())}\n`)
  const piece = Buffer.alloc(16 * mib, text)
  for (let index = 0; index < size / piece.length; index += 1)
    if (!compression.write(piece)) await once(compression, 'drain')
  compression.end()
  await once(compression, 'end')
  return Buffer.concat(chunks)
}

t.test('a bomb ends at the limit for the text of a record', async (t) => {
  const { defects } = await readBytes(await bomb(' ', 48 * mib), { ...usualLimits, text: 32 * mib })
  t.match(defects, [/^Line 2 exceeds 32 MiB, the limit for the text of a compressed record\.$/])
})

t.test('a bomb of a gibibyte ends at the usual limit', async (t) => {
  const { defects } = await readBytes(await bomb(' ', 1024 * mib))
  t.match(defects[0], /^Line 2 exceeds 512 MiB, the limit for the text of a compressed record\.$/)
})

t.test('a bomb of short lines ends at the limit for lines', async (t) => {
  const header = `${JSON.stringify(sampleHeader())}\n`
  const limits = { ...usualLimits, lines: 1000 }
  const { defects } = await readBytes(brotliCompressSync(header + '{}\n'.repeat(999)), limits)
  t.match(defects[0], /^Line 2 is not a valid row/)
  t.match(defects[10], '989 more lines are unusable.')
  const beyond = await readBytes(Buffer.from(`${header}${JSON.stringify(sampleHeader())}\n`.repeat(2)), {
    ...usualLimits,
    lines: 2,
  })
  t.match(beyond.defects[0], /^Line 3 is behind 2 others, the limit of lines; the rest is not read\.$/)
})

t.test('a line with too many levels is not parsed', async (t) => {
  const limits = { ...usualLimits, depth: 20 }
  const deep = (levels: number): string => `{"type":"row","a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const read = async (levels: number) =>
    (await readBytes(Buffer.from(`${JSON.stringify(sampleHeader())}\n${deep(levels)}\n`), limits)).defects[0]
  t.match(await read(20), /^Line 2 has more than 20 objects and arrays around a value, the limit\.$/)
  t.match(await read(19), /^Line 2 is not a valid row/)
  const brackets = JSON.stringify({ type: 'row', text: `${'[{'.repeat(50)}\\"${'[{'.repeat(50)}` })
  const quoted = await readBytes(Buffer.from(`${JSON.stringify(sampleHeader())}\n${brackets}\n`), limits)
  t.match(quoted.defects[0], /^Line 2 is not a valid row/, 'brackets in a string are no levels')
})

t.test('a record of an earlier format names the version that reads it', async (t) => {
  const header = { ...sampleHeader(), format: 3, tool: { name: 'participant-conformance', version: '0.2.0' } }
  const old = gzipSync(`${JSON.stringify(header)}\n`)
  await t.rejects(readBytes(old), {
    code: 'unknown-format',
    message:
      /the record has format 3, but this version reads only format 4\. Read it with participant-conformance 0\.2\.0\.$/,
  })
})
