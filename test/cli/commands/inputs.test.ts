/** Input files of users and bundles: only regular files of limited size are read. */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { reportCommand } from '../../../cli/commands/report-command.js'
import { verifyCommand } from '../../../cli/commands/verify-command.js'
import { filesBelow } from '../../../lib/files/paths.js'
import { inputBytes, readInput, readInputSync, readInputText } from '../../../lib/files/read-input.js'
import { fileToken } from '../../../runner/target/credentials/token-sources.js'
import { readKeySource } from '../../../simulator/auth/key-source.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { commandLine, conform } from '../../support/processes/conform-process.js'
import { hugeFile, linkToZero, namedPipe } from '../../support/records/special-files.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'

const mib = 1024 * 1024

t.test('regular files are read, also by links; the message names other types of files', async (t) => {
  const folder = t.testdir({ file: 'content', below: {}, link: t.fixture('symlink', 'file') })
  const key = 'a key, token or secret'
  for (const name of ['file', 'link']) {
    const path = join(folder, name)
    t.equal((await readInput(path, key)).toString(), 'content')
    t.equal(readInputSync(path, key).toString(), 'content')
  }
  t.equal(readInputSync('/proc/self/stat', key).toString().split(' ')[0], `${process.pid}`, 'of unknown size')
  await symlink('loop', join(folder, 'loop'))
  const refused: [path: string, reason: RegExp][] = [
    [join(folder, 'nothing'), /ENOENT: no such file or folder/],
    [join(folder, 'file', 'below'), /ENOTDIR: a part of the path is not a folder/],
    [join(folder, 'below'), /it is a folder; give a regular file/],
    [join(folder, 'loop'), /ELOOP: its symbolic links form a loop/],
    [namedPipe(folder), /it is a named pipe; give a regular file/],
    [await linkToZero(folder), /it is a device; give a regular file/],
    [await hugeFile(folder, 64 * 1024 + 1), /it is larger than 64 KiB, the limit for a key, token or secret/],
    [join(folder, 'a'.repeat(300)), /ENAMETOOLONG: the name is too long/],
  ]
  for (const [path, reason] of refused) {
    t.throws(() => readInputSync(path, key), { name: 'InputError', path, reason })
    await t.rejects(readInput(path, key), { name: 'InputError', path, reason })
    await t.rejects(all(inputBytes(path, key)), { name: 'InputError', path, reason })
  }
})

async function all(pieces: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(piece)
  return Buffer.concat(read).toString('utf8')
}

t.test('texts of people are UTF-8, and other files are read as far as possible', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'file')
  await writeFile(path, Buffer.from([0x61, 0xff, 0xfe]))
  const refused = { name: 'InputError', path, reason: 'it is not UTF-8 text; save it as UTF-8' }
  for (const kind of ['a configuration file', 'a suite file', 'a key, token or secret'] as const)
    await t.rejects(readInputText(path, kind), refused, kind)
  for (const kind of ['a journal of changes', 'a saved state'] as const)
    t.equal(await readInputText(path, kind), 'a\ufffd\ufffd', kind)
  const more = { target: 'http://127.0.0.1:9', out: join(folder, 'out') }
  for (const flags of [{ authorization: `hs256-file:${path}` }, { config: path }, { waivers: path }])
    t.match(await callRun(t, { ...flags, ...more }), { code: 2, stderr: /it is not UTF-8 text/ }, JSON.stringify(flags))
  const suite = await writeLookupSuite(join(folder, 'suite'))
  await cp(path, join(suite, 'more.yaml'))
  t.match(await callRun(t, { suite, ...more }), { code: 2, stderr: /more\.yaml.*it is not UTF-8 text/ })
  await t.rejects(fileToken(path).token(), { name: 'CredentialError', message: /it is not UTF-8 text/ })
})

t.test('the limit applies to a file of unknown size', async (t) => {
  const path = '/proc/self/smaps'
  t.throws(() => readInputSync(path, 'a link file'), { name: 'InputError', reason: /larger than 4 KiB/ })
  await t.rejects(all(inputBytes(path, 'a link file')), { name: 'InputError', reason: /larger than 4 KiB/ })
})

t.test('cycles of links and deep folders end', async (t) => {
  const folder = t.testdir({ suite: { a: {}, b: {}, file: '' } })
  const suite = join(folder, 'suite')
  for (const name of ['one', 'two']) await symlink('..', join(suite, 'a', name))
  await symlink('../a', join(suite, 'b', 'other'))
  t.strictSame(await filesBelow(suite), [
    { name: 'a/one', isLinkToFolder: true },
    { name: 'a/two', isLinkToFolder: true },
    { name: 'b/other', isLinkToFolder: true },
    { name: 'file', isLinkToFolder: false },
  ])
  t.match(await callRun(t, { suite, out: join(folder, 'out') }), {
    code: 2,
    stderr:
      /the suite folder cannot be read: a\/one is a symbolic link to a folder; replace it with a copy of the folder/,
  })
  const nested = async (levels: number) =>
    mkdir(join(folder, ...Array.from({ length: levels }, () => 'deep')), { recursive: true })
  await nested(16)
  t.equal((await filesBelow(folder)).length, 4)
  await nested(17)
  await t.rejects(filesBelow(folder), { name: 'InputError', reason: 'its folders are nested deeper than 16 levels' })
})

t.test('every file option rejects a pipe, a device and a huge file immediately', async (t) => {
  const folder = t.testdir()
  const suite = await writeLookupSuite(join(folder, 'suite'))
  const [pipe, zero] = [namedPipe(folder), await linkToZero(folder)]
  const huge = await hugeFile(folder, 9000 * mib)
  const certificate = (await makeCertificates(folder)).files.certificate
  const target = 'http://127.0.0.1:9'
  for (const path of [pipe, zero, huge]) {
    const flags: Record<string, unknown>[] = [
      { config: path },
      { waivers: path, target },
      { baseline: path, target },
      { 'failed-of': path, target },
      { resume: path },
      { ca: path, target },
      { clientCertificate: certificate, clientKey: path, target },
      { authorization: `rs256:${path}`, target },
      { authorization: `hs256-file:${path}`, target },
    ]
    for (const more of flags) {
      const { code, stderr } = await callRun(t, { suite, out: join(folder, 'out'), ...renamed(more) })
      t.match({ code, stderr }, { code: 2, stderr: refusal }, `${JSON.stringify(more)}: ${stderr}`)
    }
    await t.rejects(fileToken(path).token(), { name: 'CredentialError', message: refusal })
    const altered = join(folder, `suite-${path.slice(folder.length + 1)}`)
    await cp(suite, altered, { recursive: true })
    await symlink(path, join(altered, 'more.yaml'))
    t.match(
      await callRun(t, { suite: altered, out: join(folder, 'out') }),
      { code: 2, stderr: refusal },
      'a file of a suite',
    )
  }
})

const refusal =
  /it is (?:a named pipe; give a regular file|a device; give a regular file|larger than \d+ [KM]iB, the limit for)/

/** Options as the command line has them. */
const renamed = (flags: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [
      name.replace(/-(\w)/g, (_, one: string) => one.toUpperCase()),
      value,
    ]),
  )

t.test('other commands with files reject them too', async (t) => {
  const folder = t.testdir()
  const [pipe, zero] = [namedPipe(folder), await linkToZero(folder)]
  const huge = await hugeFile(folder, 9000 * mib)
  for (const path of [pipe, zero, huge]) {
    t.match(await call(() => reportCommand(path, { format: ['all'], color: false })), { code: 2, stderr: refusal })
    t.match(await call(() => verifyCommand(folder, { key: path }, false)), { code: 2, stderr: refusal })
    await t.rejects(readKeySource(`rs256:${path}`), { name: 'SettingError', message: refusal })
    await t.rejects(readInputText(path, 'a saved state'), { name: 'InputError', message: refusal })
  }
  t.match(await conform('compare', pipe), { code: 2, stderr: refusal })
  const calls = [
    ['--data', pipe],
    ['--data', zero, '--save'],
    ['--package', zero],
  ]
  for (const options of calls)
    t.match(await conform('simulate', '--port', '0', ...options), { code: 2, stderr: refusal }, options.join(' '))
})

t.test('inputs from a shell are read: standard input, process substitution', async (t) => {
  const folder = t.testdir({ 'target.yaml': 'only: NOTHING-*\n', token: 'secret', suite: {} })
  await writeLookupSuite(join(folder, 'suite'))
  const run = `"${process.execPath}" "${commandLine[0]}" run --suite suite --dry-run`
  const bash = (line: string) => spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' })
  const wanted = /matches "NOTHING-\*"/
  t.match(bash(`${run} --config <(cat target.yaml)`), { status: 2, stderr: wanted })
  t.match(bash(`${run} --config /dev/stdin < target.yaml`), { status: 2, stderr: wanted })
  t.match(bash(`${run} --config /dev/stdin < /dev/zero`), { status: 2, stderr: /larger than 1 MiB/ })
  const open = `${run} --target http://127.0.0.1:9`
  const unreached = { status: 3, stderr: /cannot be reached/ }
  t.match(bash(`echo secret | ${open} --authorization hs256-file:/dev/stdin`), unreached)
  const read = { status: 3, stderr: /callers: the token of reader names no user/ }
  t.match(bash(`${open} --token reader=file:<(cat token)`), read)
})
