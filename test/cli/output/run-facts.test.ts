/** The summary of a run: comparisons read it, and use the record without a summary of it. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compareCommand } from '../../../cli/commands/compare-command.js'
import { readRun } from '../../../cli/output/read-run.js'
import { recordNameOf } from '../../../cli/output/record-names.js'
import { readFacts, writeSummary } from '../../../cli/output/run-facts.js'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { hostile, sampleHeader, sampleRows, writeSample } from '../../support/records/sample-record.js'
import { said, sampleRow } from '../../support/records/sample-row.js'

const recordName = recordNameOf(1)

const summaryName = 'summary.json'
const { target } = sampleHeader()

const startedOn = (night: number): Partial<RunHeader> => ({
  run: `night-${night}`,
  startedAt: `2026-11-0${night}T01:00:00.000Z`,
})

const rowOf = (id: string, verdict: Verdict): RunRow =>
  sampleRow(id, { verdict, ...(verdict !== 'pass' && { reason: said(verdict) }) })

async function writeNights(folder: string): Promise<string[]> {
  await writeSample(join(folder, '1', recordName), sampleRows(), startedOn(1))
  const hostileTarget = { ...target, url: `http://${hostile}`, version: hostile }
  await writeSample(join(folder, '2', recordName), sampleRows(), { ...startedOn(2), target: hostileTarget })
  await writeSample(join(folder, '3', recordName), [rowOf('__proto__', 'pass'), rowOf('7', 'fail')], startedOn(3))
  await writeSample(join(folder, '3', recordNameOf(2)), [rowOf('7', 'pass')], startedOn(4))
  const repeated = { ...rowOf('SAW-CREATE/plain', 'fail'), repeated: { fail: 1, pass: 2 } }
  const merged = {
    ...startedOn(5),
    merged: [{ run: 'night-1', seed: 's' }],
    plan: Array.from({ length: 9 }, (_, index) => (index === 0 ? 'SAW-CREATE/plain' : `A/${index}`)),
  }
  await writeSample(join(folder, '5', recordName), [repeated], merged)
  return ['1', '2', '3', '5'].map((night) => join(folder, night))
}

async function pageOf(t: Test, folder: string): Promise<string> {
  const out = join(t.testdirName, 'compare.html')
  const { code, stderr } = await call(() => compareCommand([folder], { out }))
  t.equal(code, 0, stderr)
  return readFile(out, 'utf8')
}

async function summarise(folder: string): Promise<void> {
  await writeSummary(await readRun(folder), join(folder, recordName))
}

t.test('the facts and the page are the same from records and from summaries', async (t) => {
  const folder = join(t.testdir(), 'nights')
  const nights = await writeNights(folder)
  const fromRecords = await pageOf(t, folder)
  t.match(fromRecords, /FAIL: 1 of 2 rows passed, 1 failed/, 'two configurations are one run')
  for (const night of nights) {
    const facts = await readFacts(night)
    await summarise(night)
    const stored = await readFacts(night)
    const unmet = facts.rows.map((row) =>
      row.verdict === 'pass' && !row.repeated && row.reason === undefined ? { ...row, judgements: [] } : row,
    )
    t.strictSame(stored, JSON.parse(JSON.stringify({ ...facts, rows: unmet })), night)
  }
  t.equal(await pageOf(t, folder), fromRecords)
  const file = join(folder, '5', summaryName)
  await writeFile(file, (await readFile(file, 'utf8')).replace('3.5.10', '9.9.99'))
  t.match(await pageOf(t, folder), '9.9.99', 'the summary is read')
})

t.test('a summary that is damaged, or of another format or record, is not used', async (t) => {
  const folder = join(t.testdir(), 'nights')
  const record = join(folder, recordName)
  await writeSample(record, sampleRows(), startedOn(1))
  const page = await pageOf(t, folder)
  await summarise(folder)
  const file = join(folder, summaryName)
  const stored = await readFile(file, 'utf8')
  const summary = JSON.parse(stored)
  const wrong: [string, string][] = [
    ['empty', ''],
    ['truncated', stored.slice(0, -20)],
    ['other JSON', '[]'],
    ['another format', JSON.stringify({ ...summary, format: 1 })],
    ['another record', JSON.stringify({ ...summary, records: ['0'.repeat(64)] })],
    ['one more record', JSON.stringify({ ...summary, records: [...summary.records, '0'.repeat(64)] })],
    ['more than 16 MiB', JSON.stringify({ ...summary, conclusion: 'x'.repeat(16 * 1024 * 1024) })],
  ]
  for (const [what, text] of wrong) {
    await writeFile(file, text)
    t.equal(await pageOf(t, folder), page, what)
  }
  await writeSample(record, sampleRows(), { ...startedOn(1), seed: 'another' })
  await writeFile(file, JSON.stringify({ ...summary, conclusion: 'PASS of another record' }))
  t.notMatch(await pageOf(t, folder), 'PASS of another record', 'the record changed')
})

t.test('in a certified bundle, only the record counts', async (t) => {
  const folder = t.testdir({ 'certificate.json': '{}' })
  await writeSample(join(folder, recordName), sampleRows(), startedOn(1))
  await summarise(folder)
  const file = join(folder, summaryName)
  await writeFile(file, (await readFile(file, 'utf8')).replace('3.5.10', '9.9.99'))
  t.notMatch(await pageOf(t, folder), '9.9.99')
})

t.test('a run writes its summary, as a reader derives it from its record', async (t) => {
  const out = join(t.testdir(), 'results')
  t.match(await callRun(t, { only: ['CBI-NOT-POPULATED', 'SAW-COMMAND-ID/*'], out }), { code: 0 })
  const latest = join(out, 'latest')
  const stored = await readFile(join(latest, summaryName), 'utf8')
  await rm(join(latest, summaryName))
  const page = await pageOf(t, out)
  await summarise(latest)
  t.equal(await readFile(join(latest, summaryName), 'utf8'), stored)
  t.equal(await pageOf(t, out), page)
})
