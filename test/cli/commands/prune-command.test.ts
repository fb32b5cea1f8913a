/** `prune` removes the oldest runs, and nothing else. */
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pruneCommand } from '../../../cli/commands/prune-command.js'
import { recordNameOf } from '../../../cli/output/record-names.js'
import { lockFolder } from '../../../cli/output/results-folder.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { writeSample } from '../../support/records/sample-record.js'
import { sampleRow } from '../../support/records/sample-row.js'

const recordName = recordNameOf(1)

/** Ordered by time. */
const nights = [1, 2, 3, 4, 5, 6].map((night) => `2026-11-0${night}_01-00-00_0${night}af`)
const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = nights

const writeRun = (folder: string, verdict: Verdict = 'pass', file = recordName): Promise<unknown> =>
  writeSample(join(folder, file), [sampleRow('A/1', { verdict, reason: verdict })])

async function resultsFolder(t: Test): Promise<string> {
  const results = join(t.testdir(), 'results')
  for (const night of nights) await writeRun(join(results, night))
  await symlink(sixth, join(results, 'latest'), 'dir')
  return results
}

const prune = (t: Test, results: string, flags: Omit<Parameters<typeof pruneCommand>[1], 'keep'> = {}, keep = 2) =>
  call(t, () => pruneCommand(results, { keep, ...flags }))

t.test('the newest runs remain, and each removed run is printed with its bytes', async (t) => {
  const results = await resultsFolder(t)
  await writeFile(join(results, first, 'report.html'), 'x'.repeat(1000))
  const { length } = await readFile(join(results, first, recordName))
  const before = await readdir(results, { recursive: true })
  const dry = await prune(t, results, { dryRun: true })
  t.equal(dry.code, 0)
  t.match(dry.stdout, `would remove ${join(results, first)}: ${length + 1000} bytes\n`)
  t.strictSame(await readdir(results, { recursive: true }), before, 'a dry run changes nothing')
  const { stdout } = await prune(t, results)
  t.match(stdout, `removed ${join(results, first)}: ${length + 1000} bytes\n`)
  t.match(stdout, /^Removed 4 runs: \d+ bytes \(0\.\d MiB\)\. 2 runs remain\.$/m)
  t.strictSame((await readdir(results)).sort(), [fifth, sixth, 'latest'])
  t.match((await prune(t, results)).stdout, /^Removed 0 runs: 0 bytes \(0\.0 MiB\)\. 2 runs remain\.$/m)
})

t.test('certified runs, failed runs, unrestored changes and the latest run remain', async (t) => {
  const results = await resultsFolder(t)
  const out = join(results, '..')
  await writeFile(join(results, first, 'certificate.json'), '{}')
  await writeRun(join(results, second), 'fail', recordNameOf(2))
  await writeFile(join(results, third, recordName), 'no record')
  const journal = { type: 'run', run: 'r', url: 'http://127.0.0.1:1', at: '2026-11-04T01:00:00.000Z' }
  await writeFile(join(results, fourth, 'changes.ndjson'), `${JSON.stringify(journal)}\n`)
  await rename(join(results, 'latest'), join(out, 'old'))
  await writeFile(join(results, 'latest'), `${fifth}\n`)
  const { stdout } = await prune(t, results, { keepFailed: true }, 1)
  const reasons = [
    [first, 'it is certified; --certified removes it'],
    [second, 'it has 1 failed or blocked row'],
    [third, 'its failures are unknown'],
    [fourth, 'its changes on the participant are not restored'],
    [fifth, 'latest leads to it'],
  ]
  for (const [night = '', reason] of reasons) t.match(stdout, `kept ${join(results, night)}: ${reason}`)
  t.strictSame((await readdir(results)).sort(), [...nights, 'latest'])
  t.notOk((await readdir(join(results, second))).includes('history.json'), 'it writes no file')
  await prune(t, results, { certified: true }, 1)
  t.strictSame((await readdir(results)).sort(), [fourth, fifth, sixth, 'latest'])
})

t.test('only runs of this program are removed', async (t) => {
  const results = await resultsFolder(t)
  const private_ = join(results, '..', 'private')
  await writeRun(private_)
  await symlink('../private', join(results, '2026-10-01_01-00-00_0aaa'), 'dir')
  await mkdir(join(results, '2026-10-02_01-00-00_0aaa'))
  await writeFile(join(results, '2026-10-02_01-00-00_0aaa', 'thesis.txt'), '')
  await writeFile(join(results, '2026-10-03_01-00-00_0aaa'), '')
  await writeRun(join(results, 'baseline'))
  await writeRun(join(results, `latest-before-${first}`))
  await writeRun(join(results, '2026-10-04'))
  await symlink('../../private', join(results, first, 'link'), 'dir')
  await symlink(join('..', 'results', second), join(results, 'last-good'), 'dir')
  const others = (await readdir(results)).filter((name) => !nights.includes(name))
  await prune(t, results, {}, 1)
  t.strictSame((await readdir(results)).sort(), [...others, second, sixth].sort())
  t.strictSame(await readdir(private_), [recordName], 'links are not followed')
})

t.test('a folder in use, a missing folder and a missing number are errors', async (t) => {
  const results = await resultsFolder(t)
  const lock = await lockFolder(results)
  t.match(await prune(t, results), { code: 2, stderr: /another process uses/ })
  t.match(await prune(t, results, { dryRun: true }), { code: 0 })
  await lock.release()
  t.match(await prune(t, join(results, 'missing')), { code: 2, stderr: /^prune: .*missing is not a folder$/m })
  t.match(await conform('prune', results), { code: 2, stderr: /required option '--keep <n>'/ })
  t.match(await conform('prune', results, '--keep', '0'), { code: 2, stderr: /whole number of at least 1/ })
  t.match(await conform('prune', results, '--keep', '5', '--dry-run'), { code: 0, stdout: /^Would remove 1 run: /m })
  t.equal((await readdir(results)).length, 7)
})

t.test('a run reports that the results folder exceeds its limit', async (t) => {
  const results = await resultsFolder(t)
  const only = ['CBI-NOT-POPULATED/offset']
  await writeFile(join(results, first, 'report.html'), Buffer.alloc(2 * 1024 * 1024))
  t.notMatch((await callRun(t, { only, out: results })).stdout, 'results-limit')
  const { stdout } = await callRun(t, { only, out: results, resultsLimit: '1' })
  t.match(stdout, /^8 runs in .*: [2-9]\.\d MiB, more than 1 MiB \(results-limit\)\. .*: conform prune .* --keep 30$/m)
})
