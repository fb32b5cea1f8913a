/** Settings of a run: sources, precedence, and errors. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runOptionsOf } from '../../../cli/target/run-options-of.js'
import { settingOptions, variableOf } from '../../../cli/target/setting-options.js'
import { gatherSettings, resumeOf, suiteSettings } from '../../../cli/target/settings.js'
import type { Settings } from '../../../runner/target/read-settings.js'
import { FindingList, FindingsError, formatFindings } from '../../../runner/yaml/findings.js'
import { parseYaml } from '../../../runner/yaml/parse-yaml.js'
import { conformIn } from '../../support/processes/conform-process.js'

const gather = (flags: Record<string, unknown>, environment: Record<string, string> = {}): Promise<Settings> =>
  gatherSettings(flags, environment)

const file = (t: Test, content: string): string => join(t.testdir({ 'target.yaml': content }), 'target.yaml')

async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'nothing'
  } catch (error) {
    if (error instanceof FindingsError) return formatFindings(error.findings, { color: false })
    return error instanceof Error ? error.message : String(error)
  }
}

t.test('the precedence is: command line, environment, named file, conform.yaml, default', async (t) => {
  const folder = t.testdir({
    'conform.yaml':
      'target: http://four\nseed: four\nonly: four\nconcurrency: 4\nparties: { alice: four, bob: four }\n',
    'named.yaml': 'target: http://three\nseed: three\nonly: three\nparties: { bob: three, carol: three }\n',
  })
  const back = process.cwd()
  t.teardown(() => process.chdir(back))
  process.chdir(folder)
  const environment = { CONFORM_CONFIG: 'named.yaml', CONFORM_SEED: 'two', CONFORM_ONLY: 'two' }
  const { url, run, access } = await gather({ only: 'one', party: ['carol=one'] }, environment)
  t.equal(url, 'http://three')
  t.match(run, { seed: 'two', only: ['one'], concurrency: 4 })
  t.strictSame(Object.fromEntries(access.parties), { alice: 'four', bob: 'three', carol: 'one' })
  t.notOk('requestTimeout' in run)
  t.equal((await gather({ config: join(folder, 'named.yaml') })).url, 'http://three')
})

t.test('commands that send nothing read no credentials', async (t) => {
  const folder = t.testdir({
    'conform.yaml': `authorization: hs256-env:UNSET_1\nheaders: { key: "\${UNSET_2}" }\nca: none.pem\nprotocol-version: 35\n`,
  })
  const back = process.cwd()
  t.teardown(() => process.chdir(back))
  process.chdir(folder)
  t.match(await suiteSettings({}), { protocolVersion: 35 })
  t.match(await messageOf(gather({})), 'UNSET_2 is not set')
})

t.test('every setting has an environment variable and a member of target files', async (t) => {
  const schema: unknown = JSON.parse(
    await readFile(new URL('../../../../suites/schema/target.schema.json', import.meta.url), 'utf8'),
  )
  const { properties } = schema as { properties: Record<string, unknown> } // a file of this project
  const page = await readFile(new URL('../../../../docs/reference/settings.md', import.meta.url), 'utf8')
  for (const { name, member } of settingOptions) {
    t.ok(member in properties, `${name} is a member of target files`)
    t.ok(page.includes(`\`--${name}\``), `docs/reference/settings.md has ${name}`)
  }
  for (const name of Object.keys(properties))
    t.ok(page.includes(`\`${name}\``), `docs/reference/settings.md has the member ${name}`)
  const environment = {
    CONFORM_TARGET: 'http://a',
    CONFORM_TOKEN: 'alice=token-of-alice\nbob=env:BOB',
    CONFORM_USER: 'alice=al\nbob=bo',
    CONFORM_HEADER: 'x-key=k',
    CONFORM_UNREACHABLE: 'prepare\nlivez',
    CONFORM_CONCURRENCY: '3',
    CONFORM_ALLOW: 'upload\nwrite',
    CONFORM_REDACT: 'a b\nc',
    BOB: 'token-of-bob',
  }
  const { callers, connection, access, run, authorization } = await gather({}, environment)
  t.strictSame(
    [...callers].map(([name, { user }]) => [name, user]),
    [
      ['alice', 'al'],
      ['bob', 'bo'],
    ],
  )
  t.equal(await callers.get('bob')?.source?.token(), 'token-of-bob')
  t.strictSame(connection.headers, [['x-key', 'k']])
  t.strictSame([...access.unreachable], ['livez', 'prepare'])
  t.match(run, { concurrency: 3, redact: ['a b', 'c'] })
  t.strictSame([...(run.allow ?? [])], ['read', 'write', 'upload'])
  t.equal(authorization.kind, 'given')
})

t.test('variables in files are replaced, also in numbers; an unset variable is reported with its place', async (t) => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: syntax of target files
  const text = 'target: http://${HOST}/x\nconcurrency: ${N}\nseed: $${HOST}\n'
  const { url, run } = await gather({ config: file(t, text) }, { HOST: 'h', N: '5' })
  t.equal(url, 'http://h/x')
  t.match(run, { concurrency: 5, seed: '${HOST}' })
  t.match(
    await messageOf(gather({ config: file(t, 'seed: x\ntarget: http://${HOST}/x\n') })),
    /target\.yaml:2:16: error: the environment variable HOST is not set/,
  )
  const secret = { PLANTED: 'planted-secret' }
  for (const wrong of [
    'callers: { alice: { token: { env: ${PLANTED} } } }',
    'profile: [${PLANTED}]',
    'callers: [${PLANTED}]',
    'concurrency: ${PLANTED}',
  ]) {
    const message = await messageOf(gather({ config: file(t, wrong) }, secret))
    t.match(message, /error:/, wrong)
    if (!wrong.includes('env:')) t.notMatch(message, /planted-secret/, wrong)
  }
  for (const value of ['command:touch planted', 'env:OTHER', 'file:/planted']) {
    const message = await messageOf(
      gather({ config: file(t, 'callers: { alice: { token: "${PLANTED}" } }') }, { PLANTED: value }),
    )
    t.match(
      message,
      /:1:28: error: the variable must contain the token itself; write command:, env: or file: before/,
      value,
    )
    t.notMatch(message, /planted/)
  }
  const named = gather(
    { config: file(t, 'callers: { alice: { user: al, token: "env:${NAME}" } }') },
    { NAME: 'T', T: 'x' },
  )
  t.equal(await messageOf(named), 'nothing')
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: syntax of target files
})

t.test('an error names the remedy, without secrets', async (t) => {
  const wrong: [flags: Record<string, unknown>, environment: Record<string, string>, message: RegExp][] = [
    [
      {},
      { CONFORM_TARGETS: 'http://a' },
      /^unknown environment variable CONFORM_TARGETS; did you mean "CONFORM_TARGET"\?/,
    ],
    [{}, { CONFORM_CONCURRENCY: 'many' }, /^CONFORM_CONCURRENCY: expected a whole number from 1 to 999999$/],
    [{}, { CONFORM_INSECURE: 'yes' }, /^CONFORM_INSECURE: expected true or false$/],
    [{ target: 'nonsense' }, {}, /^target: nonsense is not an http or https URL/],
    [{ authorization: 'planted-secret' }, {}, /expected none, given, hs256:SECRET, hs256-env:NAME/],
    [{ authorization: 'hs256-env:NOT_SET' }, {}, /the environment variable NOT_SET is not set/],
    [{ authorization: 'rs256:none.pem' }, {}, /the key file .*none.pem cannot be read \(ENOENT: /],
    [{ token: ['alice=env:NOT_SET'] }, {}, /^token from the environment variable NOT_SET: it is not set/],
    [{ token: ['alice={ planted-secret: 1 }'] }, {}, /unknown key/],
    [{ user: ['alice'] }, {}, /^--user: expected name=value, such as alice=…$/],
    [{ header: ['authorization=x'] }, {}, /headers: only the suite sets authorization/],
    [{ header: ['a b=x'] }, {}, /^--header: expected name=value/],
    [{ clientKey: 'package.json' }, {}, /client-certificate and client-key must be set together/],
    [{ ca: 'none.pem' }, {}, /none.pem cannot be read \(ENOENT: /],
    [{ ca: 'package.json' }, {}, /package.json contains no certificate in PEM format/],
    [
      { clientCertificate: 'package.json', clientKey: 'package.json' },
      {},
      /package.json contains no certificate in PEM format/,
    ],
    [{ proxy: 'ftp://me:planted-secret@x' }, {}, /proxy: expected the http or https URL of a proxy/],
    [
      { proxy: 'http://me:planted%secret@x' },
      {},
      /^proxy: the user or the password of the proxy has an invalid %-escape/,
    ],
    [{ unreachable: ['nothing'] }, {}, /unknown operation "nothing"/],
    [{ authorization: 'none', token: ['x'] }, {}, /callers have tokens although authorization is none/],
    [{ target: '' }, {}, /^--target: the value is empty, such as that of an unset variable; give a value or omit/],
    [{ minJudged: '' }, {}, /^--min-judged: the value is empty/],
    [{ only: ['SAW-*', ''] }, {}, /^--only: the value is empty/],
    [{}, { CONFORM_RESUME: 'results' }, /^unknown environment variable CONFORM_RESUME/],
    [{ config: '' }, { CONFORM_CONFIG: 'x.yaml' }, /^--config: the value is empty/],
    [{ requestTimeout: '3000000' }, {}, /^--request-timeout: expected a whole number from 1 to 999999$/],
    [{ config: 'none.yaml' }, {}, /^none.yaml:1:1: error: the target file cannot be read/],
  ]
  for (const [flags, environment, message] of wrong) {
    const found = await messageOf(gather(flags, environment))
    t.match(found, message, JSON.stringify([flags, environment]))
    if (!JSON.stringify(flags).includes('{ planted')) t.notMatch(found, /planted/)
  }
})

t.test('an empty variable of the environment counts as unset', async (t) => {
  const environment = { CONFORM_TARGET: '', CONFORM_ONLY: '', CONFORM_CONFIG: '' }
  const { url, run } = await gather({}, environment)
  t.equal(url, undefined)
  t.notOk('only' in run)
  t.equal(resumeOf({}), undefined)
  t.throws(() => resumeOf({ resume: '' }), { name: 'UsageError', message: /^--resume: the value is empty/ })
})

t.test('a conform.yaml that cannot be opened is an error', async (t) => {
  const folder = t.testdir({ 'conform.yaml': t.fixture('symlink', 'none.yaml') })
  const back = process.cwd()
  t.teardown(() => process.chdir(back))
  process.chdir(folder)
  t.match(await messageOf(gather({})), /^conform\.yaml:1:1: error: the target file cannot be read: ENOENT/)
  t.match(await messageOf(suiteSettings({})), /^conform\.yaml:1:1: /)
})

t.test('a count of a file has the limit of the option', async (t) => {
  for (const name of ['request-timeout', 'late-check', 'concurrency']) {
    t.equal(await messageOf(gather({ config: file(t, `${name}: 999999\n`) })), 'nothing')
    t.match(await messageOf(gather({ config: file(t, `${name}: 1000000\n`) })), /:1:\d+: error: .*999999/, name)
  }
  // A value that a variable fills in.
  const filled = gather({ config: file(t, 'request-timeout: $' + '{N}\n') }, { N: '3000000' })
  t.match(await messageOf(filled), /error: .*999999/)
})

t.test('a short value of a variable does not alter the message', async (t) => {
  for (const value of ['', 'a', 'ar'])
    t.match(await messageOf(gather({ config: file(t, 'targt: $' + '{N}\n') }, { N: value })), 'unknown key "targt"')
})

const keys = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join('')

t.test('huge files and files with many keys give one message', async (t) => {
  const wrong: [text: string, message: RegExp][] = [
    [`only: "${'a'.repeat(5_000_000)}"`, /the target file cannot be read: it is larger than 1 MiB, the limit for/],
    [keys(100_000), /:1:1: error: the file has more than 50000 values, the limit for a YAML file/],
    [keys(2000), /:1:1: error: unknown key "k0"[\s\S]*\n\n\.\.\. and 1900 more$/],
    [`only: ${'['.repeat(10_000)}`, /error: invalid YAML: nested too deeply/],
    ['target: !!binary aHR0cDovLzEyNy4wLjAuMTo5', /:1:18: error: tags \(!name\) are not supported/],
    ['only: a\n"only": b\n', /:2:1: error: duplicate key "only"/],
  ]
  for (const [text, message] of wrong) {
    const found = await messageOf(gather({ config: file(t, text) }, {}))
    t.match(found, message)
    t.ok(found.length < 50_000, `${found.length} characters`)
  }
})

t.test('the limit counts keys, and values without a text', (t) => {
  const isAccepted = (text: string): boolean => {
    const findings = new FindingList(new Map())
    return parseYaml('target.yaml', text, findings, 100) !== undefined
  }
  t.ok(isAccepted(keys(99)))
  t.notOk(isAccepted(keys(101)))
  t.ok(isAccepted(`only: [${'[],'.repeat(98)}]`))
  t.notOk(isAccepted(`only: [${'[],'.repeat(150)}]`))
  t.end()
})

t.test('unknown names of the suite and unknown variables are rejected', async (t) => {
  const folder = t.testdir({})
  const refused: [options: string[], environment: Record<string, string>, code: number, message: RegExp][] = [
    [['--token', 'alise=x'], {}, 2, /^callers: the suite has no actor alise; did you mean "alice"\?/],
    [['--party', 'alise=x'], {}, 2, /^parties: the suite has no party alise; did you mean "alice"\?/],
    [
      [],
      { CONFORM_TARGT: 'http://a' },
      2,
      /^unknown environment variable CONFORM_TARGT; did you mean "CONFORM_TARGET"\?/,
    ],
    [
      ['--target', 'http://127.0.0.1:1', '--token', 'opaque'],
      {},
      3,
      /^callers: the token of anyone names no user. Set its user. It is no JWT: a variable is env:NAME, /,
    ],
    [[], { CONFORM_TARGET: 'http://127.0.0.1:1' }, 3, /127\.0\.0\.1:1.* cannot be reached \(ECONNREFUSED\)/],
    [['--authorization', 'given'], {}, 2, /the embedded simulator supports only --authorization none or a secret/],
  ]
  await Promise.all(
    refused.map(async ([options, environment, code, message], index) => {
      const ended = await conformIn({ folder, environment }, 'run', '--out', `results-${index}`, ...options)
      t.match(ended, { code, stderr: message, stdout: '' }, options.join(' '))
    }),
  )
  t.equal(variableOf('request-timeout'), 'CONFORM_REQUEST_TIMEOUT')
})

t.test('an unknown name of a file has its place', async (t) => {
  const refused = async (text: string, flags: Record<string, unknown> = {}): Promise<string> =>
    messageOf(gather({ config: file(t, text), ...flags }).then(runOptionsOf))
  t.match(
    await refused('callers:\n  alise: { user: a }\n', { user: ['bob=b'] }),
    /^[^ ]*target\.yaml:2: callers: the suite has no actor alise; did you mean/,
  )
  t.match(await refused('parties: { alise: x }\n'), /^[^ ]*target\.yaml:1: parties: the suite has no party alise/)
  t.match(await refused('given:\n  ghost: { contractId: x }\n'), /^[^ ]*target\.yaml:2: given: the suite creates no/)
  t.match(await refused('seed: x\n', { user: ['alise=b'] }), /^callers: the suite has no actor alise/)
})

t.test('a configuration inherits the settings of the participant, unless it has another target', async (t) => {
  const text = `target: http://first
authorization: hs256:a-secret
parties: { alice: one }
headers: { X-Key: secret-key }
profile: interface
configurations:
  - { protocol-version: 34 }
  - { target: 'http://second', authorization: none }
`
  const { configurations = [] } = await gather({ config: file(t, text), seed: 'said', party: ['bob=two'] })
  const [same, other] = configurations
  t.match(same, { url: 'http://first', authorization: { kind: 'minted' }, run: { protocolVersion: 34, seed: 'said' } })
  t.strictSame(Object.fromEntries(same?.access.parties ?? []), { alice: 'one', bob: 'two' })
  t.match(other, { url: 'http://second', authorization: { kind: 'none' }, run: { profile: 'interface', seed: 'said' } })
  t.equal(other?.access.parties.size, 0)
  t.strictSame(other?.connection.headers, [], 'no credential of one participant reaches another')
  t.notOk(same?.configurations)
})

t.test('errors in a configuration are reported with their place, without its secrets', async (t) => {
  const messageFor = async (text: string): Promise<string> => messageOf(gather({ config: file(t, text) }))
  const wrong = await messageFor('target: http://one\nconfigurations:\n  - target: http://two\n    profle: interface\n')
  t.match(wrong, /target\.yaml:4:5.*profle/s)
  t.match(await messageFor('configurations: [{ profile: interface }]\n'), /profile/, 'the profile is the same for all')
  const secret = await messageFor(
    'configurations: [{ target: "http://a", authorization: { key: "hs512:very-secret" } }]\n',
  )
  t.notMatch(secret, 'very-secret')
  t.not(secret, 'nothing')
})
