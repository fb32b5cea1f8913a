/** Three shards, merged, equal one run. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { waitFor } from '../../../cli/output/wait-for-runs.js'
import { UsageError } from '../../../lib/usage-error.js'
import { mergeRecords } from '../../../record/merge/merge-records.js'
import type { RunHeader, RunRow } from '../../../record/types/record.js'
import { judgeBy } from '../../../runner/run/expectations-by.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { sampleHeader, sampleRecord, writeSample } from '../../support/records/sample-record.js'
import { sampleRow } from '../../support/records/sample-row.js'
import { profileNamed, wholeSuite } from '../../support/suites/whole-suite.js'
import { withoutVolatile } from '../../support/words/without-volatile.js'

/** Times, ids and seeds differ between runs. */
const withoutTimes = (text: string): string =>
  withoutVolatile(text)
    .replace(/\d+(?:\.\d+)? (?:ms|s|min)\b/g, '‹duration›')
    .replace(/time="[\d.]+"|duration_ms: [\d.]+|"(?:duration|start|stop)": \d+/g, '‹time›')
    // A value that the cut of a body divides is not recognized by its form.
    .replace(/[\w-]* … \[cut: \d+/g, '… [cut')
    .replace(/\b[0-9a-f]{8}(?:\+[0-9a-f]{8})*\b/g, '‹run›')
    .replace(/--settings \S+/g, '--settings ‹file›')

/** Each shard creates its own fixtures; the merged run lists all. */
const withoutStaying = (file: string, text: string): string => {
  if (file === 'summary.md') return text.replace(/Remains on the participant.*:\n\n(?:- .*\n)+/, '')
  return file === 'ctrf.json' ? text.replace(/"made": \{.*?\n {8}\},\n/s, '') : text
}

t.test('three merged shards have the verdicts and reports of one run, except times and seeds', async (t) => {
  const simulator = await startSimulator({ control: true })
  t.teardown(() => simulator.close())
  const folder = t.testdir()
  const at = (name: string): string => join(folder, name)
  // Rows that fail by the text, that need a token, that run alone, and others.
  const rows = [
    '--only',
    'CBI-WITNESSES',
    'CBI-NOT-POPULATED',
    'CBI-TOKEN-FIRST',
    'VET-DRY',
    'VET-BOUNDS',
    '--profile',
    'interface',
  ]
  const run = (...more: string[]) => conform('run', '--target', simulator.url, '--seed', 'tonight', ...rows, ...more)
  const [, ...only] = rows.slice(0, -2)
  const alike = { target: simulator.url, seed: 'tonight', lateCheck: '0', profile: 'interface', only }
  const whole = await callRun(t, { ...alike, out: at('whole') })
  t.equal(whole.code, 1, whole.stdout)
  const parts = ['part-1', 'part-2', 'part-3']
  const ended = await Promise.all(
    parts.map((part, index) =>
      run(
        '--shard',
        `${index + 1}/3`,
        '--out',
        at(part),
        ...(index === 2 ? ['--alone-after', at('part-1'), at('part-2')] : []),
      ),
    ),
  )
  t.ok(
    ended.every(({ code }) => code === 0 || code === 1),
    ended.map(({ stderr }) => stderr).join(),
  )
  const merged = await conform('merge', ...parts.map(at), '--out', at('merged'))
  t.equal(merged.code, 1, merged.stderr)

  const [one, three] = [await readRun(at('whole')), await readRun(at('merged'))]
  const verdicts = (some: readonly RunRow[]) => some.map(({ id, verdict }) => `${id} ${verdict}`).sort()
  t.same(verdicts(three.rows), verdicts(one.rows))
  t.ok(one.rows.some(({ resolved }) => resolved.alone) && one.rows.some(({ verdict }) => verdict === 'not-applicable'))
  t.same(three.defects, [])
  t.equal(three.header.only, one.header.only, 'the shards contain all rows')
  t.same(
    three.header.merged?.map(({ seed, shard }) => [seed, shard?.index]),
    [
      ['tonight', 1],
      ['tonight', 2],
      ['tonight', 3],
    ],
  )
  for (const file of ['junit.xml', 'run.tap', 'ctrf.json', 'summary.md', 'badge.svg']) {
    const [wanted = '', found = ''] = await Promise.all(
      ['whole', 'merged'].map(async (name) =>
        withoutTimes(withoutStaying(file, await readFile(join(at(name), 'latest', file), 'utf8'))),
      ),
    )
    t.ok(wanted.length > 500, file)
    t.equal(found, wanted, file)
  }

  const stays = await readFile(join(at('merged'), 'latest', 'summary.md'), 'utf8')
  t.match(stays, /^Remains on the participant \(of each of 3 merged runs\):$/m)
  const alone = (await readRun(at('part-3'))).rows.filter(
    ({ resolved, evidence }) => resolved.alone && evidence.length > 0,
  )
  const ends = await Promise.all(parts.slice(0, 2).map(async (part) => (await readRun(at(part))).footer?.endedAt ?? ''))
  t.ok(
    alone.length > 0 && alone.every(({ startedAt }) => ends.every((end) => startedAt >= end)),
    'the other shards have ended',
  )
  const again = judgeBy(three, profileNamed('interface'), wholeSuite)
  t.same(verdicts(again.rows), verdicts(one.rows), 'each row is judged by the facts of its own run')
})

const part = (index: number, rows: RunRow[], more: Partial<RunHeader> = {}) =>
  sampleRecord(rows, { run: `run-${index}`, selection: { shard: { index, of: 2 } }, only: `shard ${index}/2`, ...more })

t.test('records of different runs are not merged', async (t) => {
  const first = await part(1, [sampleRow('A/1')])
  const { target, suite } = sampleHeader()
  const others: [string, Partial<RunHeader>][] = [
    ['suite', { suite: { ...suite, digest: 'ab' } }],
    ['profile', { profile: { name: 'interface', title: 'The text', divergences: [] } }],
    ['target', { target: { ...target, embedded: false, url: 'http://elsewhere' } }],
    ['version of the target', { target: { ...target, version: '4' } }],
    ['tool', { tool: { name: 'conform', version: '9' } }],
    ['permission', { allowed: ['read'] }],
  ]
  for (const [what, more] of others) {
    const second = await part(2, [sampleRow('A/2')], more)
    t.throws(() => mergeRecords([first, second]), new RegExp(`the runs run-1 and run-2 differ in their ${what}: `))
  }
  const twice = await part(2, [sampleRow('A/1')])
  t.throws(
    () => mergeRecords([first, twice]),
    new UsageError('merge: the row A/1 is in two runs; merge runs without common rows'),
  )
  t.throws(
    () => mergeRecords([first, { ...twice, defects: ['There is no footer.'] }]),
    /the run run-2 is incomplete: There is no footer/,
  )
  t.throws(() => mergeRecords([]), /no run is given/)
  const again = { ...twice, header: { ...twice.header, judgedAgain: { profile: 'x' } } }
  t.throws(() => mergeRecords([first, again]), /was judged again/)
})

t.test('the pattern of a waiver is checked on the merged run', async (t) => {
  const waivers = [{ row: 'A/*', reason: 'r', owner: 'o', until: '2027-01-31' }]
  const suite = { ...sampleHeader().suite, rows: 2 }
  const merged = async (...ids: string[]) => {
    const parts = ids.map((id, index) => part(index + 1, [sampleRow(id)], { waivers, suite }))
    return mergeRecords(await Promise.all(parts)).rows.map(({ id, verdict }) => `${id} ${verdict}`)
  }
  t.same(await merged('A/1', 'B/1'), ['A/1 unexpected-pass', 'B/1 pass'])
  t.same(await merged('A/1', 'A/2'), ['A/1 pass', 'A/2 pass'])
})

t.test('without one shard the merged run is a selection, and its sums include all shards', async (t) => {
  const made = { parties: ['alice'], users: [], rights: [], contracts: ['note'], packages: [] }
  const wants = [{ credentials: ['bob'], rows: 2 }]
  const [one, two] = await Promise.all(
    [1, 2].map((index) =>
      part(index, [sampleRow(`A/${index}`)], { made, wants, variables: { alice: `"a${index}"`, where: '"here"' } }),
    ),
  )
  if (!one || !two) throw new Error('there are two')
  const { header, rows } = mergeRecords([two, one])
  t.match(header, {
    run: 'run-1+run-2',
    plan: ['A/1', 'A/2'],
    made: { parties: ['alice'] },
    wants: [{ rows: 4 }],
    variables: { where: '"here"' },
  })
  t.notOk('only' in header)
  t.match(
    rows.map(({ variables }) => variables),
    [{ alice: '"a1"' }, { alice: '"a2"' }],
  )
  t.equal(mergeRecords([one]).header.only, 'shard 1/2')
  const other = {
    ...two,
    header: { ...two.header, selection: { only: ['B'], shard: { index: 2, of: 2 } }, only: 'B; shard 2/2' },
  }
  t.equal(mergeRecords([one, other]).header.only, 'shard 1/2 | B; shard 2/2', 'shards of different runs')
})

/** Ends the wait at its third pause, without time. */
class EndAfterChecks extends EarlyEnd {
  #pauses = 0

  override pause(): Promise<void> {
    this.#pauses += 1
    if (this.#pauses === 3) this.decide({ cause: 'interrupted', by: 'SIGTERM' })
    return Promise.resolve()
  }
}

t.test('rows that must run alone wait for runs with the same seed only', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'run.ndjson')
  const isOver = async (): Promise<boolean> => {
    const end = new EndAfterChecks()
    await waitFor([folder], 'tonight')(end)
    return end.decided === undefined
  }
  t.notOk(await isOver(), 'no record')
  await writeSample(file, [sampleRow('A/1')], { seed: 'yesterday' })
  t.notOk(await isOver(), 'another seed')
  await writeSample(file, [sampleRow('A/1')], { seed: 'tonight' })
  t.ok(await isOver(), 'it has ended')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.slice(0, text.lastIndexOf('{"type":"footer"')))
  t.notOk(await isOver(), 'it continues')
  await rm(file)
})
