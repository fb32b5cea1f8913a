/** Results folders: runs, latest, locks, and paths that cannot be written. */
import { spawnSync } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, readlink, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { recordNameOf } from '../../../cli/output/record-names.js'
import { folderOfRun, lockFolder, openResults } from '../../../cli/output/results-folder.js'
import { OutageGuard } from '../../../runner/transport/outage-guard.js'
import { callRun } from '../../support/processes/called-command.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'

const recordName = recordNameOf(1)

const command = fileURLToPath(new URL('../../../cli/conform.js', import.meta.url))

t.test('each run has its own folder, and latest points to the newest', async (t) => {
  const out = join(t.testdir(), 'a', 'results')
  const first = await openResults(out)
  await writeFile(join(first.run, recordName), 'first')
  await first.release()
  const second = await openResults(out)
  t.not(second.run, first.run)
  t.equal(join(out, await readlink(join(out, 'latest'))), second.run)
  t.equal(await readFile(join(first.run, recordName), 'utf8'), 'first', 'the older one is unchanged')
  await second.discard()
  await second.release()
  t.equal(join(out, await readlink(join(out, 'latest'))), first.run, 'a discarded run leaves no folder')
  t.strictSame((await readdir(out)).sort(), [first.run.slice(out.length + 1), 'latest'].sort())
})

t.test('the folder of a run is found directly, by the link, and by a file instead of the link', async (t) => {
  const out = t.testdir({ one: { [recordName]: '' } })
  t.equal(await folderOfRun(join(out, 'one')), join(out, 'one'))
  t.equal(await folderOfRun(out), out, 'without latest')
  await writeFile(join(out, 'latest'), 'one\n')
  t.equal(await folderOfRun(out), join(out, 'one'))
  await writeFile(join(out, 'latest'), '../../etc\n')
  t.equal(await folderOfRun(out), join(out, 'etc'), 'it cannot point outside')
  const { release } = await openResults(out)
  t.ok((await lstat(join(out, 'latest'))).isSymbolicLink(), 'the file is replaced')
  await release()
})

t.test('a folder named latest keeps its files', async (t) => {
  const out = t.testdir({ latest: { [recordName]: 'evidence' } })
  const { run, release } = await openResults(out)
  await release()
  t.equal(join(out, await readlink(join(out, 'latest'))), run)
  const [kept] = (await readdir(out)).filter((name) => name.startsWith('latest-before-'))
  t.equal(await readFile(join(out, kept ?? '', recordName), 'utf8'), 'evidence')
})

t.test('a file of the user named latest keeps its content', async (t) => {
  const out = t.testdir({ latest: 'notes' })
  const { run, release } = await openResults(out)
  await release()
  t.equal(join(out, await readlink(join(out, 'latest'))), run)
  const [kept] = (await readdir(out)).filter((name) => name.startsWith('latest-before-'))
  t.equal(await readFile(join(out, kept ?? ''), 'utf8'), 'notes')
})

t.test('a folder before .. in a path need not exist', async (t) => {
  const folder = t.testdir()
  const { run, release } = await openResults(`${folder}/no/../results`)
  await release()
  t.equal(dirname(run), join(folder, 'results'))
})

t.test('the trial of the free space keeps the files of others', async (t) => {
  const folder = t.testdir({ foreign: 'content', out: { '.space': t.fixture('symlink', '../foreign') } })
  const { run, release } = await openResults(join(folder, 'out'))
  await release()
  t.equal(await readFile(join(folder, 'foreign'), 'utf8'), 'content')
  t.strictSame((await readdir(join(folder, 'out'))).sort(), ['.space', basename(run), 'latest'].sort())
})

t.test('a path that cannot be written is reported before the first request', async (t) => {
  const folder = t.testdir({ file: '' })
  const places: [path: string, message: RegExp][] = [
    [join(folder, 'file'), /^out: .*file cannot be written \(it is a file and not a folder\); choose another folder$/],
    [
      join(folder, 'file', 'below'),
      /^out: .*file cannot be written \(it is a file and not a folder\); choose another folder$/,
    ],
    ['/proc/self/results', /^out: \/proc\/self\/results cannot be written/],
    ['/proc/no/such/results', /^out: .* cannot be written/],
    ['/sys/results', /^out: .* cannot be written/],
  ]
  for (const [path, message] of places) {
    await t.rejects(openResults(path), { name: 'UsageError', message }, path)
  }
})

t.test('two runs do not share a folder, and a stale lock is ignored', async (t) => {
  const out = t.testdir()
  const lock = await lockFolder(out)
  await t.rejects(openResults(out), { name: 'UsageError', message: /another process uses .* delete .*\.run\.lock/ })
  await lock.release()
  const path = join(out, '.run.lock')
  await mkdir(path)
  await utimes(path, new Date(0), new Date(0))
  const halted = await lockFolder(out)
  await utimes(path, new Date(0), new Date(0))
  // A real owner is halted for 5 s. A folder of the same clock tick can have the inode and the birth time of this one.
  await delay(50)
  const next = await lockFolder(out)
  await halted.release()
  await t.rejects(lockFolder(out), { name: 'UsageError' }, 'the lock of another process remains')
  await next.release()
  t.strictSame(await readdir(out), [])
})

t.test('a full standard output gives one sentence, a closed one none', async (t) => {
  const folder = t.testdir({ suite: {} })
  const suite = `--suite ${await writeLookupSuite(join(folder, 'suite'))}`
  const list = `"${process.execPath}" "${command}" list ${suite} > /dev/full`
  const full = spawnSync('sh', ['-c', list], { encoding: 'utf8' })
  t.equal(full.status, 2)
  t.match(full.stderr, /^standard output cannot be written \(.*ENOSPC.*\n$/)
  // The reader closes the pipe before the command prints.
  const out = join(folder, 'results')
  for (const call of ['list', 'show "LOOK-*"', `run --only LOOK-KNOWN/only --out ${out}`]) {
    const line = `{ "${process.execPath}" "${command}" ${call} ${suite}; echo "code $?" >&2; } | head -c 0`
    t.match(spawnSync('bash', ['-c', line], { encoding: 'utf8' }), { stdout: /^$/, stderr: /^code 0\n$/ }, call)
  }
  t.match(await readdir(join(out, 'latest')), ['badge.svg', 'ctrf.json'], 'a run writes its reports')
})

t.test('a run without a record writes reports that fail a build', async (t) => {
  const out = t.testdir()
  await mkdir(join(out, 'older'))
  await writeFile(join(out, 'older', 'badge.svg'), 'green')
  const { code, stderr } = await callRun(t, { target: 'http://127.0.0.1:1', out })
  t.equal(code, 3)
  t.match(stderr, 'the target cannot be reached')
  const text = async (file: string) => readFile(join(out, 'latest', file), 'utf8')
  t.match(await text('junit.xml'), /errors="1"[\s\S]*<error message="http:.*cannot be reached/)
  t.match(await text('badge.svg'), 'no result')
  t.match(await text('summary.md'), 'no result')
  t.notOk((await readdir(out)).includes('.run.lock'))
  await rm(join(out, 'older'), { recursive: true })
})

t.test('an internal error replaces an older green badge', async (t) => {
  t.capture(OutageGuard.prototype, 'targetHasWorked', () => {
    throw new TypeError('a fault')
  })
  const out = t.testdir()
  const { code } = await callRun(t, { out })
  t.equal(code, 4)
  t.match(await readFile(join(out, 'latest', 'junit.xml'), 'utf8'), '<error message="a fault"')
  t.match(await readFile(join(out, 'latest', 'badge.svg'), 'utf8'), 'no result')
})
