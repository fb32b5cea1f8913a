/** The file with the options of a call, which later commands read. */
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { configOption, settingOptions } from '../../../cli/target/setting-options.js'
import type { Flags } from '../../../cli/target/settings.js'
import { printSettings, savedFlags } from '../../../cli/target/settings-file.js'
import { camelCase } from '../../../lib/camel-case.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'

const file = join(t.testdir({}), 'run.settings.yaml')

const known = new Set([...settingOptions, configOption].map(({ name }) => camelCase(name)))

/** What a later call with the options `given` receives. */
async function again(flags: Flags, given: Flags = {}, environment: NodeJS.ProcessEnv = {}): Promise<Flags> {
  await writeFile(file, printSettings(flags, {}) ?? '')
  return savedFlags(file, given, known, environment)
}

t.test('a call without options has no file', (t) => {
  t.equal(printSettings({ watch: true }, {}), undefined)
  t.end()
})

t.test('a later call receives each option; its selection replaces that of the run', async (t) => {
  const flags = Object.fromEntries(settingOptions.map(({ name }) => [camelCase(name), 'none']))
  const variables = { HEADER_1: 'x=y', PATTERN_1: 'a+', PASSPHRASE: 'p' }
  const all = await again({ ...flags, token: ['alice=env:A'] }, {}, variables)
  t.strictSame(Object.keys(all).sort(), Object.keys(flags).sort())
  const one = await again({ ...flags, token: ['alice=env:A'] }, { only: ['A/b'], out: 'mine' }, variables)
  const replaced = ['only', 'not', 'impact', 'failedOf', 'shard', 'aloneAfter', 'seed', 'shuffle', 'baseline']
  replaced.push('text', 'minJudged', 'failFast', 'out')
  t.strictSame(
    Object.keys(flags)
      .filter((name) => one[name] === undefined)
      .sort(),
    replaced.toSorted(),
  )
  const resumed = await again({ shuffle: true, failedOf: 'old', failFast: '3' }, { resume: 'results' })
  t.strictSame(resumed, { failFast: '3' })
})

t.test('values are those of the call', async (t) => {
  const flags = {
    unreachable: ['version', 'prepare'],
    party: ['alice=alice::1220ab', 'bob=b'],
    config: 'my target.yaml',
    authorization: 'hs256-env:KEY',
    insecure: true,
    waiversLenient: false,
    lateCheck: '0',
  }
  t.strictSame(await again(flags), { ...flags, insecure: 'true', waiversLenient: 'false' })
})

const secret = {
  token: ['alice=env:A', 'bob=secret-1', 'eve=file:x/token', 'carol=command:print secret-7'],
  authorization: 'hs256:secret-2',
  header: ['x-key=secret-3'],
  proxy: 'http://me:secret-4@proxy',
  redact: ['secret-5'],
  clientKeyPassphrase: 'secret-6',
}

t.test('variables of the environment replace secrets', async (t) => {
  const text = printSettings(secret, {}) ?? ''
  t.notMatch(text, /secret-/)
  for (const name of ['SECRET', 'TOKEN_2', 'HEADER_1', 'PROXY', 'PATTERN_1', 'PASSPHRASE']) t.match(text, name)
  const variables = { HEADER_1: 'secret-3', PATTERN_1: 'secret-5', PASSPHRASE: 'secret-6', PROXY: secret.proxy }
  t.strictSame(await again(secret, {}, variables), {
    ...secret,
    token: ['alice=env:A', 'bob=env:TOKEN_2', 'eve=file:x/token', 'carol=env:TOKEN_4'],
    authorization: 'hs256-env:SECRET',
  })
  await t.rejects(again(secret), {
    message: /^settings: set the environment variable \w+ to the value that the run had for [a-z-]+$/,
  })
})

t.test('variables CONFORM_ are options; their secrets stay in the environment', (t) => {
  const environment = {
    CONFORM_AUTHORIZATION: 'hs256:secret-1',
    CONFORM_TOKEN: 'secret-2\nalice=secret-3',
    CONFORM_UNREACHABLE: 'version\nprepare',
    CONFORM_PARTY: 'alice=a\nbob=b',
    CONFORM_CONFIG: 't.yaml',
  }
  const text = printSettings({ party: ['bob=c'] }, environment)
  t.match(text, /party:\n {2}- alice=a\n {2}- bob=c\nunreachable:\n {2}- version\n {2}- prepare\nconfig: t\.yaml\n$/)
  t.notMatch(text, /secret/)
  t.match(text, /to tokens: CONFORM_AUTHORIZATION, CONFORM_TOKEN\n/)
  t.end()
})

/** Runs in its own folder, which has these target files. */
async function runWith(t: Test, fileNames: readonly string[], ...words: string[]): Promise<string> {
  const folder = t.testdir({ suite: {} })
  const suite = await writeLookupSuite(join(folder, 'suite'))
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  for (const name of fileNames)
    await writeFile(join(folder, name), JSON.stringify({ target: simulator.url, suite, 'late-check': 0 }))
  const back = process.cwd()
  t.teardown(() => process.chdir(back))
  process.chdir(folder)
  const { stdout, stderr } = await conformIn({}, 'run', '--only', 'LOOK-KNOWN', ...words)
  const [run] = (await readdir('results')).filter((name) => name.endsWith('.settings.yaml'))
  if (run === undefined) throw new Error(stdout + stderr)
  return join(folder, 'results', run)
}

for (const [name, ...words] of [['a.yaml', '--config', 'a.yaml'], ['conform.yaml']] as const)
  t.test(`the target of ${name} is stored by the name of the file`, async (t) => {
    const path = await runWith(t, [name], ...words)
    const saved = await savedFlags(path, {}, known, {})
    t.equal((await stat(path)).mode & 0o777, 0o600)
    t.match(saved, { only: ['LOOK-KNOWN'], config: name })
    t.notOk(['target', 'suite', 'profile'].some((option) => option in saved))
  })

t.test('a later call without a needed CONFORM_ variable is rejected', async (t) => {
  const environment = { CONFORM_REDACT: 'secret-1\nsecret-2', CONFORM_TOKEN: 'alice=secret-3' }
  await writeFile(file, printSettings({}, environment) ?? '')
  t.strictSame(await savedFlags(file, {}, known, environment), {})
  await t.rejects(savedFlags(file, {}, known, { CONFORM_TOKEN: 'x' }), {
    message: 'settings: set the environment variable CONFORM_REDACT to the value that the run had for redact',
  })
  t.strictSame(await savedFlags(file, { token: ['bob=b'], redact: ['c'] }, known, environment), { token: ['bob=b'] })
})

t.test('maps of a later call combine with those of the file', async (t) => {
  const saved = await again({ token: ['administrator=env:A', 'alice=env:B'] }, { token: ['alice=env:NEW'] })
  t.strictSame(saved, { token: ['administrator=env:A', 'alice=env:NEW'] })
})

t.test('an option that the command lacks needs no variable', async (t) => {
  await writeFile(file, printSettings({ redact: ['secret'], authorization: 'none' }, {}) ?? '')
  t.strictSame(await savedFlags(file, {}, new Set(['authorization']), {}), { authorization: 'none' })
})

t.test('a proxy with a query is a secret', (t) => {
  t.match(printSettings({ proxy: 'http://proxy?key=secret' }, {}), /\nproxy: env:PROXY\n$/)
  t.end()
})

t.test('a file that no run wrote is rejected', async (t) => {
  const reject = async (content: string, message: RegExp): Promise<void> => {
    await writeFile(file, content)
    await t.rejects(savedFlags(file, {}, known, {}), { message })
  }
  await reject('- a\n', /contains no options; name a file that a run wrote$/)
  await reject('tokens: [a]\n', /has the unknown option tokens; did you mean/)
  await reject(
    'seed: a\nonly: { a: b }\n',
    /run\.settings\.yaml:2:7: error: only has no text, number, true, false or list/,
  )
  await reject('seed: [{ a: b }]\n', /run\.settings\.yaml:1:7: error: seed has no text/)
  await reject('seed:\n', /run\.settings\.yaml:1:\d: error: seed has no text/)
  await reject('a: [\n', /run\.settings\.yaml:/)
  await t.rejects(savedFlags(join(file, 'none'), {}, known, {}), { message: /cannot be read/ })
})
