/** Stored facts of runs: history gives the same page with and without them, and trusts none that is not its own. */
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { historyCommand } from '../../../cli/commands/history-command.js'
import { recordNameOf } from '../../../cli/output/record-names.js'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { hostile, sampleHeader, sampleRows, writeSample } from '../../support/records/sample-record.js'
import { sampleRow } from '../../support/records/sample-row.js'

const recordName = recordNameOf(1)

const factsName = 'history.json'
const { target } = sampleHeader()

const startedOn = (night: number): Partial<RunHeader> => ({
  run: `night-${night}`,
  startedAt: `2026-11-0${night}T01:00:00.000Z`,
})

const rowOf = (id: string, verdict: Verdict): RunRow => sampleRow(id, { verdict, reason: verdict })

async function writeNights(folder: string): Promise<string[]> {
  await writeSample(join(folder, '1', recordName), sampleRows(), startedOn(1))
  const hostileTarget = { ...target, url: `http://${hostile}`, version: hostile }
  await writeSample(join(folder, '2', recordName), sampleRows(), { ...startedOn(2), target: hostileTarget })
  await writeSample(join(folder, '3', recordName), [rowOf('__proto__', 'pass'), rowOf('7', 'fail')], startedOn(3))
  await writeSample(join(folder, '3', recordNameOf(2)), [rowOf('7', 'pass')], startedOn(4))
  const repeated = { ...rowOf('SAW-CREATE/plain', 'fail'), repeated: { fail: 1, pass: 2 } }
  const merged = { ...startedOn(5), merged: [{ run: 'night-1', seed: 's' }], planned: 9 }
  await writeSample(join(folder, '5', recordName), [repeated], merged)
  return ['1', '2', '3', '5'].map((night) => join(folder, night))
}

async function pageOf(t: Test, folder: string): Promise<string> {
  const out = join(t.testdirName, 'history.html')
  const { code, stderr } = await call(() => historyCommand([folder], { out }))
  t.equal(code, 0, stderr)
  return readFile(out, 'utf8')
}

t.test('the page is the same from records and from stored facts', async (t) => {
  const folder = join(t.testdir(), 'nights')
  const nights = await writeNights(folder)
  const fromRecords = await pageOf(t, folder)
  t.match(fromRecords, /FAIL: 1 of 2 rows passed, 1 failed/, 'two configurations are one run')
  for (const night of nights) t.ok((await readdir(night)).includes(factsName), night)
  t.equal(await pageOf(t, folder), fromRecords)
  const file = join(folder, '5', factsName)
  await writeFile(file, (await readFile(file, 'utf8')).replace('3.5.10', '9.9.99'))
  t.match(await pageOf(t, folder), '9.9.99', 'the stored facts are read')
})

t.test('facts that are damaged, or of another format, program or record, are ignored and rewritten', async (t) => {
  const folder = join(t.testdir(), 'nights')
  const record = join(folder, recordName)
  await writeSample(record, sampleRows(), startedOn(1))
  const page = await pageOf(t, folder)
  const file = join(folder, factsName)
  const stored = await readFile(file, 'utf8')
  const facts = JSON.parse(stored)
  const altered = (change: object): string => JSON.stringify({ ...facts, facts: { ...facts.facts, ...change } })
  const wrong: [string, string][] = [
    ['empty', ''],
    ['truncated', stored.slice(0, -20)],
    ['other JSON', '[]'],
    ['another format', JSON.stringify({ ...facts, format: 2 })],
    ['another program', JSON.stringify({ ...facts, tool: '0'.repeat(64) })],
    ['another record', JSON.stringify({ ...facts, records: ['0'.repeat(64)] })],
    ['one more record', JSON.stringify({ ...facts, records: [...facts.records, '0'.repeat(64)] })],
    ['more than 16 MiB', altered({ version: 'x'.repeat(16 * 1024 * 1024) })],
  ]
  for (const [what, text] of wrong) {
    await writeFile(file, text)
    t.equal(await pageOf(t, folder), page, what)
    t.equal(await readFile(file, 'utf8'), stored, `${what}: rewritten`)
  }
  await writeSample(record, sampleRows(), { ...startedOn(1), seed: 'another' })
  await writeFile(file, altered({ version: '9.9.99' }))
  t.notMatch(await pageOf(t, folder), '9.9.99', 'the record changed')
})

t.test('a place that cannot be written is no error, and a link is not followed', async (t) => {
  const folder = t.testdir({ nights: {}, private: 'unchanged' })
  const record = join(folder, 'nights', recordName)
  await writeSample(record, sampleRows(), startedOn(1))
  const file = join(folder, 'nights', factsName)
  await mkdir(join(file, 'taken'), { recursive: true })
  const page = await pageOf(t, join(folder, 'nights'))
  t.strictSame((await readdir(join(folder, 'nights'))).sort(), [factsName, recordName].sort(), 'no other file remains')
  await rm(file, { recursive: true })
  await symlink('../private', file)
  t.equal(await readlink(file), '../private')
  t.equal(await pageOf(t, join(folder, 'nights')), page)
  t.equal(await readFile(join(folder, 'private'), 'utf8'), 'unchanged')
  t.ok((await lstat(file)).isFile())
})

t.test('a record outside the folder of a run, or in a certified bundle, has no stored facts', async (t) => {
  const folder = t.testdir({ bundle: { 'certificate.json': '{}', [factsName]: 'certified' }, others: {} })
  await writeSample(join(folder, 'bundle', recordName), sampleRows(), startedOn(1))
  const named = join(folder, 'others', 'baseline.ndjson')
  await writeSample(named, sampleRows(), startedOn(2))
  await pageOf(t, join(folder, 'bundle'))
  t.equal(await readFile(join(folder, 'bundle', factsName), 'utf8'), 'certified')
  await pageOf(t, named)
  t.strictSame(await readdir(join(folder, 'others')), ['baseline.ndjson'])
})

t.test('a run stores its facts, as history derives them from its record', async (t) => {
  const out = join(t.testdir(), 'results')
  t.match(await callRun(t, { only: ['CBI-NOT-POPULATED', 'SAW-COMMAND-ID/*'], out }), { code: 0 })
  const file = join(out, 'latest', factsName)
  const stored = await readFile(file, 'utf8')
  await rm(file)
  const page = await pageOf(t, out)
  t.equal(await readFile(file, 'utf8'), stored)
  t.equal(await pageOf(t, out), page)
})
