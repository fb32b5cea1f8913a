/** Size limits of recorded evidence, and reading a record as a stream. */
import { createHash } from 'node:crypto'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { EvidenceBudget } from '../../record/file/evidence-budget.js'
import { readRecord } from '../../record/file/read-record.js'
import { streamLines } from '../../record/file/stream-lines.js'
import { openRecord } from '../../record/file/write-record.js'
import type { RecordedBody } from '../../record/types/record.js'
import { planOf, sampleEnd, sampleHeader, sampleRows } from '../support/records/sample-record.js'
import { said } from '../support/records/sample-row.js'
import { inWords } from '../support/words/in-words.js'

const mib = 1024 * 1024
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

const [sample] = sampleRows()
if (!sample) throw new Error('there is a sample')
const [exchange] = sample.evidence
if (!exchange) throw new Error('the sample has evidence')

const rowWith = (...bodies: RecordedBody[]) => ({
  ...sample,
  evidence: bodies.map((body) => ({ ...exchange, response: { status: 200, headers: [], body } })),
})
const bodiesOf = ({ evidence }: { evidence: typeof sample.evidence }) => evidence.map(({ response }) => response?.body)

t.test('a small body is unchanged', async (t) => {
  const row = rowWith({ text: 'x'.repeat(1000), bytes: 1000 })
  t.strictSame(new EvidenceBudget().fit(row), row)
})

t.test('a long answer keeps its beginning, length and digest', async (t) => {
  // The byte order mark is part of the answer.
  const text = `\ufeff${'a'.repeat(mib - 4)}\u{1F600}${'b'.repeat(mib)}`
  const [body] = bodiesOf(new EvidenceBudget().fit(rowWith({ text, bytes: Buffer.byteLength(text) })))
  t.strictSame(body, {
    text: `\ufeff${'a'.repeat(mib - 4)}`,
    bytes: Buffer.byteLength(text),
    cut: true,
    sha256: sha256(text),
  })
  const bytes = Buffer.alloc(2 * mib, 0xff)
  const [binary] = bodiesOf(
    new EvidenceBudget().fit(rowWith({ base64: bytes.toString('base64'), bytes: bytes.length })),
  )
  t.match(binary, { cut: true, sha256: sha256(bytes) })
  t.ok(Buffer.from(binary?.base64 ?? '', 'base64').equals(bytes.subarray(0, (mib / 4) * 3)))
  const [again] = bodiesOf(new EvidenceBudget().fit(rowWith({ text, bytes: 7, cut: true })))
  t.equal(again?.sha256, undefined, 'a body that was cut before has no digest of the whole')
})

t.test('the size of rows and records is bounded', async (t) => {
  const budget = new EvidenceBudget()
  const text = 'x'.repeat(mib)
  let total = 0
  for (let index = 0; index < 40; index += 1) {
    const bodies = bodiesOf(budget.fit(rowWith(...Array.from({ length: 10 }, () => ({ text, bytes: mib })))))
    const length = bodies.reduce((sum, body) => sum + (body?.text?.length ?? 0), 0)
    t.ok(length <= 8 * mib + 10 * 1024) || t.bailout('')
    total += length
  }
  t.ok(total < 120 * mib, `${total}`)
})

t.test('long variables are omitted, and texts are cut', async (t) => {
  const [judgement] = sample.judgements
  if (!judgement) throw new Error('the sample is judged')
  const row = {
    ...sample,
    reason: said('r'.repeat(mib)),
    judgements: [{ ...judgement, found: ['a'.repeat(mib)] }],
    variables: { small: '"x"', large: `"${'v'.repeat(2 * mib)}"` },
  }
  const fitted = new EvidenceBudget().fit(row)
  t.strictSame(fitted.variables, { small: '"x"' })
  t.ok(inWords(fitted.reason).length < 70_000 && (fitted.judgements[0]?.found[0] ?? '').length < 70_000)
  t.match(inWords(fitted.reason), /\[cut: \d+ more characters\]$/)
})

t.test('lines are whole, whatever the pieces of the file', async (t) => {
  const texts = ['', '{one\n', '{one\ntwo', '{\n\n', `{${'x'.repeat(200_000)}\n${'ü'.repeat(100_000)}\nend`]
  t.testdir()
  for (const [index, text] of texts.entries()) {
    const path = join(t.testdirName, `${index}`)
    await writeFile(path, text)
    const found: string[] = []
    for await (const line of streamLines(path)) {
      const before = found.map((one) => `${one}\n`).join('')
      t.equal(line.digestBefore(), sha256(before))
      t.equal(line.ended, text.length > before.length + (line.text ?? '').length)
      found.push(line.text ?? '')
    }
    t.equal(found.join('\n'), text.replace(/\n$/, ''))
  }
})

t.test('a line that is too long does not affect other lines', async (t) => {
  const path = join(t.testdir(), 'run.ndjson')
  const rows = sampleRows()
  const writer = await openRecord(path, sampleHeader({ plan: planOf(rows) }))
  await Promise.all(rows.slice(1).map((row) => writer.row(row)))
  await writer.close(sampleEnd)
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, -2).join('\n')}\n`)
  for (let piece = 0; piece < 65; piece += 1) await appendFile(path, 'x'.repeat(mib))
  await appendFile(path, `\n${lines.slice(-2).join('\n')}`)
  const { defects, rows: read } = await readRecord(path)
  t.equal(read.length, rows.length - 1)
  t.match(defects[0], /^Line \d+ is too long\.$/)
  t.ok(defects.some((defect) => defect.startsWith('The digest in the footer')))
})

t.test('a record states why its run ended and which run it resumes', async (t) => {
  const path = join(t.testdir(), 'run.ndjson')
  const rows = sampleRows()
  const header = sampleHeader({ plan: planOf(rows), resumes: ['before'], options: { redactions: 1 } })
  const writer = await openRecord(path, header)
  await writer.close({
    ...sampleEnd,
    ended: { cause: 'interrupted', by: 'SIGTERM' },
    outages: [{ from: sampleEnd.endedAt }],
    left: ['something'],
  })
  const read = await readRecord(path)
  t.match(read.footer, {
    ended: { cause: 'interrupted' },
    outages: [{ from: String }],
    left: ['something'],
    complete: false,
  })
  t.strictSame(read.header, header)
})
