/** No output of a command contains a path of the machine. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { resumedFlags } from '../../cli/target/resumed-flags.js'
import { findOverrides } from '../../lab/find-overrides.js'
import { pathForOthers } from '../../lib/files/paths.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { fileToken } from '../../runner/target/credentials/token-sources.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conformIn } from '../support/processes/conform-process.js'
import { resultText } from '../support/records/result-text.js'
import { sampleHeader } from '../support/records/sample-record.js'
import { unpackReport } from '../support/records/unpack-report.js'
import { writeLookupSuite } from '../support/suites/lookup-suite.js'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** An unusual folder name, which can be found in any encoding. */
const odd = 'plåce-öf-its-own'

const root = await realpath(await mkdtemp(join(tmpdir(), `${odd} `)))
t.teardown(() => rm(root, { recursive: true }))

/** The text of each file, with the packed data of pages. */
async function textsIn(folder: string): Promise<[name: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // A settings file serves only the machine of its run, and is in no folder of a run.
  const shared = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.settings.yaml'))
  const files = shared.map(({ parentPath, name }) => join(parentPath, name))
  const read = files.map(async (file): Promise<[string, string][]> => {
    const text = await resultText(file)
    if (!file.endsWith('.html')) return [[file, text]]
    const { page, data } = unpackReport(text)
    return [page, ...data].map((part): [string, string] => [file, part])
  })
  return (await Promise.all(read)).flat()
}

const traces = [odd, encodeURIComponent(odd), JSON.stringify(odd).slice(1, -1), tmpdir(), repository.slice(0, -1)]

const tracesIn = (texts: readonly [name: string, text: string][]): string[] =>
  texts.flatMap(([name, text]) =>
    traces
      .filter((trace) => text.includes(trace))
      .map((trace) => `${name.slice(root.length)}: ${text.slice(Math.max(0, text.indexOf(trace) - 80)).slice(0, 160)}`),
  )

t.test('records, reports, bundles and comparisons contain no path of the machine', async (t) => {
  const [here, elsewhere, out] = await Promise.all(
    ['here', 'else where', 'out'].map(async (name) => {
      const folder = join(root, name)
      await mkdir(folder)
      return folder
    }),
  )
  if (here === undefined || elsewhere === undefined || out === undefined) throw new Error('a folder is missing')
  const at = (name: string): string => join(elsewhere, name)
  const [caller, signer] = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ed25519')]
  await writeLookupSuite(at('suite'))
  // Failed rows are printed in full.
  const profile = join(await writeLookupSuite(at('strict suite')), 'profiles/canton-3.5.yaml')
  await writeFile(
    profile,
    (await readFile(profile, 'utf8')).replace('refused: { status: 4xx }', 'refused: { status: 404 }'),
  )
  const form = { type: 'pkcs8', format: 'pem' } as const
  await writeFile(at('caller.pem'), caller.privateKey.export(form))
  await writeFile(at('caller.pub.pem'), caller.publicKey.export({ type: 'spki', format: 'pem' }))
  await writeFile(at('signer.pem'), signer.privateKey.export(form))
  await writeFile(
    at('waivers.yaml'),
    'waivers: [{ row: LOOK-WORDS/r1, reason: known, owner: me, until: 2099-01-01 }, { rule: NO-*, reason: old, owner: me, until: 2020-01-01 }]\n',
  )
  const simulator = await startSimulator({ authorization: `es256:${at('caller.pub.pem')}` })
  t.teardown(() => simulator.close())
  const settings = [
    `target: ${simulator.url}`,
    `authorization: { key: 'es256:${at('caller.pem')}' }`,
    `suite: '${at('suite')}'`,
    'profile: canton-3.5',
  ]
  await writeFile(at('target.yaml'), `${settings.join('\n')}\n`)
  const run = async (name: string, ...options: string[]): Promise<number | null> => {
    const { code } = await conformIn({ folder: here }, ...options, '--out', join(out, name))
    return code
  }
  const config = ['--config', at('target.yaml')]
  const waivers = ['--waivers', at('waivers.yaml'), '--waivers-lenient']
  const strict = ['--suite', at('strict suite'), '--redact', 'zzz', '--header', 'x-key=abc']
  t.equal(await run('first', 'run', ...config, ...waivers, ...strict), 1)
  const [certified, compared, again] = await Promise.all([
    run('certified', 'certify', ...config, '--signer', 'Me', '--key', at('signer.pem')),
    run('compared', 'run', ...config, '--baseline', join(out, 'first', 'latest'), '--only', 'LOOK-NOTHING'),
    conformIn({ folder: here }, 'report', join(out, 'first', 'latest'), '--out', join(out, 'again')),
  ])
  t.strictSame([certified, compared, again.code], [0, 0, 0])
  const difference = ['diff', join(out, 'first', 'latest'), join(out, 'compared', 'latest'), '--format', 'json']
  const diff = conformIn({ folder: here }, ...difference, '--out', join(out, 'difference'))
  const page = conformIn({ folder: here }, 'compare', out, '--out', join(out, 'compare.html'))
  t.strictSame(
    (await Promise.all([diff, page])).map(({ code }) => code),
    [0, 0],
  )
  const texts = await textsIn(out)
  for (const ending of [
    'run.ndjson.br',
    'report.html',
    'junit.xml',
    'run.tap',
    'ctrf.json',
    'summary.md',
    'diff.json',
    'compare.html',
  ])
    t.ok(
      texts.some(([name]) => name.endsWith(ending)),
      ending,
    )
  t.strictSame(tracesIn(texts), [])
  t.ok(
    texts.some(([, text]) => text.includes('cases/contract-by-id/look-up.yaml')),
    'suite files are named',
  )
  t.ok(
    texts.every(([, text]) => !text.includes('caller.pem')),
    'key files are not',
  )
})

t.test('the output of an exploration contains no path of the machine', async (t) => {
  const [here, out] = [join(root, 'explorer'), join(root, 'explored')]
  await mkdir(here)
  await writeLookupSuite(join(root, 'another suite'))
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFile(join(root, 'user.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(root, 'user.pub.pem'), key.publicKey.export({ type: 'spki', format: 'pem' }))
  const authorization = `es256:${join(root, 'user.pub.pem')}`
  const overrides = findOverrides({ mutant: 'submitted-completion-offset-zero' })
  const simulator = await startSimulator({ authorization, overrides })
  t.teardown(() => simulator.close())
  const caller = ['--target', simulator.url, '--authorization', `es256:${join(root, 'user.pem')}`]
  const suite = ['--suite', join(root, 'another suite')]
  const few = ['--sequences', '15', '--findings', '1', '--seed', 'e']
  const { code, stderr } = await conformIn({ folder: here }, 'explore', ...caller, ...suite, ...few, '--out', out)
  t.equal(code, 1, stderr)
  const texts = await textsIn(out)
  t.ok(texts.some(([name]) => name.endsWith('F1.json')))
  t.strictSame(tracesIn(texts), [])
})

t.test('a printed path is relative to the working folder, or has no folders', (t) => {
  t.equal(pathForOthers('suites'), 'suites')
  t.equal(pathForOthers(join(process.cwd(), 'suites', 'mine')), 'suites/mine')
  t.equal(pathForOthers(join(root, 'mine.yaml')), '.../mine.yaml')
  t.equal(pathForOthers('../beside/mine.yaml'), '.../mine.yaml')
  t.end()
})

t.test('resuming a run requires its files outside the working folder again', (t) => {
  const { target, ...header } = sampleHeader()
  const file = { name: '.../target.yaml', unreachable: [], presigned: 0 }
  const ended = { ...header, target: { ...target, file }, options: { suite: '.../mine' } }
  t.throws(() => resumedFlags({}, ended), { message: /--config \.\.\.\/target\.yaml, .* add --config PATH$/ })
  const withoutFile = { ...ended, target }
  t.throws(() => resumedFlags({}, withoutFile), { message: /--suite \.\.\.\/mine, .* add --suite PATH$/ })
  t.match(resumedFlags({ config: 'a.yaml', suite: 'b' }, ended), { config: 'a.yaml', suite: 'b' })
  const below = { ...ended, target, options: { suite: 'suites/mine' } }
  t.match(resumedFlags({}, below), { suite: 'suites/mine' })
  const foreign = { ...header, target: { ...target, url: 'https://elsewhere.example' } }
  t.throws(() => resumedFlags({}, foreign), {
    message: /^resume: the record names the target https:\/\/elsewhere\.example; add --target https:\/\/elsewhere/,
  })
  t.match(resumedFlags({ target: 'https://mine.example' }, foreign), { target: 'https://mine.example' })
  t.notOk('target' in resumedFlags({ config: 'mine.yaml' }, foreign), 'the file of the caller names the target')
  t.end()
})

t.test('the file of an unreadable token is named on the console only', async (t) => {
  const path = join(root, 'nothing.jwt')
  const problem = await fileToken(path)
    .token()
    .catch((error: unknown) => error)
  if (!(problem instanceof CredentialError)) throw new Error('another error')
  t.match(problem.inFull, `token from the file ${path}: it cannot be read (ENOENT`)
  t.match(problem.message, /^token from a file: it cannot be read \(ENOENT/)
})
