/** Output files: complete or absent, also devices and pipes. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { compareCommand } from '../../../cli/commands/compare-command.js'
import { diffCommand } from '../../../cli/commands/diff-command.js'
import { reportCommand } from '../../../cli/commands/report-command.js'
import { appendOutput, openOutput, writeOutput } from '../../../lib/files/write-output.js'
import { outgoing } from '../../../lib/outgoing.js'
import { call } from '../../support/processes/called-command.js'
import { commandLine, conform } from '../../support/processes/conform-process.js'
import { sampleRows, writeSample } from '../../support/records/sample-record.js'
import { namedPipe, nullDevice } from '../../support/records/special-files.js'

t.test('a file is replaced as a whole, behind a link, and keeps its permissions', async (t) => {
  const folder = t.testdir({ taken: {}, real: { secret: 'before' } })
  await writeOutput(join(folder, 'file'), 'one')
  await writeOutput(join(folder, 'file'), 'two')
  t.equal(await readFile(join(folder, 'file'), 'utf8'), 'two')
  await t.rejects(writeOutput(join(folder, 'taken'), 'x'), {
    name: 'OutputError',
    reason: 'it is a folder; name a file',
  })
  await chmod(join(folder, 'real', 'secret'), 0o600)
  for (const name of ['secret', 'missing']) {
    await symlink(join('real', name), join(folder, `to-${name}`))
    await writeOutput(join(folder, `to-${name}`), 'after')
    t.equal(await readlink(join(folder, `to-${name}`)), join('real', name), 'the link remains')
    t.equal(await readFile(join(folder, 'real', name), 'utf8'), 'after')
  }
  t.equal((await stat(join(folder, 'real', 'secret'))).mode & 0o777, 0o600)
  t.strictSame((await readdir(folder)).sort(), ['file', 'real', 'taken', 'to-missing', 'to-secret'])
  t.strictSame((await readdir(join(folder, 'real'))).sort(), ['missing', 'secret'], 'no other file remains')
})

t.test('devices and pipes are written, not replaced', async (t) => {
  const folder = t.testdir()
  const device = await nullDevice(folder)
  const before = await lstat(device)
  await writeOutput(device, 'x')
  const after = await lstat(device)
  t.equal(after.ino, before.ino)
  t.equal((await stat(device)).isCharacterDevice(), true)
  const record = await openOutput(device)
  await record.append(outgoing('x'))
  await record.close()
  await appendOutput(device, 'x')
  const pipe = namedPipe(folder)
  await t.rejects(writeOutput(pipe, 'x'), { name: 'OutputError', reason: /^ENXIO: no process has the other end open/ })
  await t.rejects(openOutput(pipe), { name: 'OutputError', reason: /^ENXIO/ })
  await t.rejects(appendOutput(pipe, 'x'), { name: 'OutputError', reason: /^ENXIO/ })
  const text = 'long'.repeat(100_000)
  const reader = spawn('sh', ['-c', `echo ready; cat '${pipe}'`])
  // Standard output ends after the pipe.
  let read = ''
  reader.stdout.setEncoding('utf8').on('data', (piece: string) => {
    read += piece
  })
  const ended = once(reader, 'close')
  await until(() => writeOutput(pipe, text))
  await ended
  t.equal(read, `ready\n${text}`)
  const holder = await open(pipe, 'r+')
  await t.rejects(appendOutput(pipe, 'x'), { name: 'OutputError', reason: 'it is a named pipe; name a file' })
  await holder.close()
  t.ok((await lstat(pipe)).isFIFO())
})

async function until(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!/ENXIO/.test(String(error))) throw error
    }
  }
}

t.test('every command names an output path that cannot be written, and exits with 2', async (t) => {
  const folder = t.testdir({ file: '', locked: {} })
  const run = join(folder, 'run.ndjson')
  await writeSample(run, sampleRows())
  const long = join(folder, 'a'.repeat(300))
  await symlink('loop', join(folder, 'loop'))
  const before = await readdir(folder)
  const paths = ['', '-', folder, `${folder}/`, join(folder, 'file', 'below'), join(folder, 'loop'), long]
  const unwritable = ['/proc/self/x', '/proc/no/such', '/sys/x', join(long, 'below'), namedPipe(folder)]
  for (const out of [...paths, ...unwritable]) {
    const { code, stderr } = await call(() => compareCommand([run], { out }))
    t.match({ code, stderr }, { code: 2, stderr: /cannot be written \(/ }, `compare --out ${out}: ${stderr}`)
    t.notMatch(stderr, /\n +at /, 'no stack')
  }
  for (const out of [join(folder, 'file'), join(folder, 'loop'), long, '/proc/self/x', '/sys/x']) {
    const flags = { out, color: false }
    for (const command of [
      () => reportCommand(run, { ...flags, format: ['all'] }),
      () => diffCommand(run, run, { ...flags, format: ['json'] }),
    ]) {
      const { code, stderr } = await call(command)
      t.match({ code, stderr }, { code: 2, stderr: /^out: .* cannot be written / }, `--out ${out}: ${stderr}`)
    }
  }
  await mkdir(join(folder, 'reports', 'badge.svg'), { recursive: true })
  const taken = await call(() => reportCommand(run, { format: ['all'], out: join(folder, 'reports'), color: false }))
  t.match(taken, { code: 2, stderr: /badge\.svg cannot be written \(it is a folder; name a file\)/ })
  t.strictSame((await readdir(folder)).sort(), [...before, 'pipe', 'reports'].sort(), 'no other file remains')
  const device = await nullDevice(folder)
  t.match(await call(() => compareCommand([run], { out: device })), { code: 0 })
  t.ok((await stat(device)).isCharacterDevice())
  const name = join(folder, 'b'.repeat(255))
  t.match(await call(() => compareCommand([run], { out: name })), { code: 0 }, 'the maximum length of a name')
  t.match(await readFile(name, 'utf8'), '<html')
})

t.test('compare does not replace a record that it reads', async (t) => {
  const folder = t.testdir({ link: t.fixture('symlink', 'run.ndjson') })
  const run = join(folder, 'run.ndjson')
  await writeSample(run, sampleRows())
  const before = await readFile(run, 'utf8')
  await link(run, join(folder, 'hard'))
  for (const out of [run, join(folder, 'link'), join(folder, 'hard')]) {
    const ended = await call(() => compareCommand([folder], { out }))
    t.match(ended, { code: 2, stdout: '', stderr: /^out: .* is a run record that compare reads; name another file\n$/ })
  }
  t.equal(await readFile(run, 'utf8'), before)
})

t.test('control characters in the path of an output are printed as escapes', async (t) => {
  const folder = t.testdir()
  const run = join(folder, 'run.ndjson')
  await writeSample(run, sampleRows())
  const named = (name: string): string => join(folder, `${name}\u001b[2J\u009b\u202e`)
  const ended = await Promise.all([
    conform('compare', run, '--out', named('compare')),
    conform('report', run, '--format', 'badge', '--out', named('report')),
    conform('diff', run, run, '--format', 'json', '--out', named('diff')),
  ])
  for (const { stdout, stderr } of ended) {
    t.match(stdout, '\\u001b[2J\\u009b\\u202e')
    t.notMatch(stdout + stderr, /[^\P{Cc}\n]|\u202e/u)
  }
})

t.test('outputs of a shell are written: standard output, process substitution', async (t) => {
  const folder = t.testdir()
  const run = join(folder, 'run.ndjson')
  await writeSample(run, sampleRows())
  const compare = `"${process.execPath}" "${commandLine[0]}" compare '${run}' --out`
  const bash = (line: string) => spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' })
  t.match(bash(`${compare} /dev/stdout`), { status: 0, stdout: /^<!doctype html>[\s\S]*\n\/dev\/stdout\n$/i })
  t.match(bash(`${compare} >(wc -c > count; echo done) | cat; while [ ! -s count ]; do :; done`), { status: 0 })
  t.ok(Number(await readFile(join(folder, 'count'), 'utf8')) > 1000)
  await writeFile(join(folder, 'page'), '')
  bash(`${compare} /dev/stdout > page`)
  t.match(await readFile(join(folder, 'page'), 'utf8'), /^<!doctype html>[\s\S]*\n\/dev\/stdout\n$/i)
})
