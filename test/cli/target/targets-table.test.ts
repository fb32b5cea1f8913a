/** Runs on different kinds of targets, with their expected results. The run of the whole suite has a plain target and two synchronizers. */
import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { operations } from '../../../interface/operations.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { RunHeader } from '../../../record/types/record.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { administrator, hosted, type Right } from '../../support/ledgers/administrator.js'
import { effectsOf, makesIn } from '../../support/ledgers/effects-of.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { resultText } from '../../support/records/result-text.js'
import { encodings } from '../../support/records/secret-encodings.js'
import { unpackReport } from '../../support/records/unpack-report.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { requestsChange } from '../../support/servers/changing-requests.js'
import { forwardProxy, narrowGateway, recordingGateway, tlsGateway } from '../../support/servers/gateways.js'
import { type RepeatingGateway, repeatingGateway } from '../../support/servers/repeating-gateway.js'
import { tokenServer } from '../../support/servers/token-server.js'

interface Line {
  folder: string
  options: readonly string[]
  environment?: Record<string, string>
  /** No file and no output contains them. */
  secrets?: readonly string[]
  /** Repeats secrets, which no output contains in any encoding. */
  repeating?: RepeatingGateway
  /** Compares the forecast with the changes, and searches its output for secrets, too. */
  withForecast?: boolean
  only: readonly string[]
  /** Minimum number of passing rows. */
  passing: number
}

/** Every row passes or is not applicable. */
async function expectLine(t: Test, line: Line): Promise<RunHeader> {
  const { folder, options, environment = {}, secrets = [], repeating, withForecast, only, passing } = line
  const called = ['run', '--out', 'results', ...options, '--only', ...only]
  const settings = { folder, environment }
  const forecast = withForecast === true ? await conformIn(settings, ...called, '--dry-run', '--json') : undefined
  const ended = await conformIn(settings, ...called)
  const printed = ended.stdout + ended.stderr
  t.equal(ended.code, 0, ended.code === 0 ? 'conforming' : printed)
  const record = await readRecord(join(folder, 'results', 'latest', 'run.ndjson.br'))
  const { header, footer } = record
  if (forecast) t.strictSame(makesIn(forecast), effectsOf(record), 'the forecast equals the changes')
  const { pass, 'not-applicable': left, ...others } = footer?.counts ?? {}
  t.comment(`${pass} pass, ${left} not applicable`)
  t.strictSame(
    Object.values(others).filter((count) => count !== 0),
    [],
    'no other verdict',
  )
  t.ok((pass ?? 0) >= passing, `${pass} pass`)
  const latest = join(folder, 'results', 'latest')
  const texts = new Map([['what was printed', `${printed}${forecast?.stdout ?? ''}${forecast?.stderr ?? ''}`]])
  for (const name of await readdir(latest)) texts.set(name, await resultText(join(latest, name)))
  texts.set('the data of the page', unpackReport(texts.get('report.html') ?? '').data.join('\n'))
  for (const [name, text] of texts) expectNone(t, name, text, secrets)
  if (repeating) expectRepeated(t, repeating, texts)
  return header
}

function expectNone(t: Test, where: string, text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    const forms = [
      secret,
      Buffer.from(secret).toString('base64'),
      encodeURIComponent(secret),
      secret.split('.')[2] ?? secret,
    ]
    t.notOk(
      forms.some((form) => text.includes(form)),
      `no secret in ${where}`,
    )
  }
}

function expectRepeated(t: Test, { used, leaks }: RepeatingGateway, texts: ReadonlyMap<string, string>): void {
  t.strictSame([...used].sort(), Object.keys(encodings).sort(), 'the target repeated secrets in every encoding')
  for (const [name, text] of texts) {
    const { marks, left } = leaks(text)
    t.strictSame(left, [], `no repeated secret is in ${name}`)
    if (name === 'run.ndjson.br' || name === 'the data of the page')
      t.ok(marks >= used.size, `${marks} redactions in ${name}`)
  }
}

/** Lookups with tokens and rights. */
const lookups = ['CBI-CONT*', 'CBI-RIGHTS', 'CBI-TOKEN-FIRST', 'CBI-WITNESSES']

/** Rights for each operation. */
const ofRights = ['CBI-RIGHTS', 'EXE-RIGHTS', 'SAW-RIGHTS', 'VET-RIGHTS']

/** Credentials for more rows. */
const wanted = ({ wants = [] }: RunHeader): string[] =>
  [...new Set(wants.flatMap(({ credentials }) => credentials))].sort()

async function simulator(t: Test, options: SimulatorOptions = {}): Promise<string> {
  const { url, close } = await startSimulator(options)
  t.teardown(() => close())
  return url
}

const general = (kind: string): Right => ({ [kind]: { value: {} } })
const actAs = (party: string): Right => ({ CanActAs: { value: { party } } })
const makers = [general('ParticipantAdmin'), general('CanReadAsAnyParty')]
const signingKey = 'a key that signs tokens'

t.test('a secret for HS256, and users of the run', async (t) => {
  const secret = 'a secret that stands nowhere else'
  const repeating = await repeatingGateway(t, await simulator(t, { authorization: `hs256:${secret}` }), [secret])
  const options = ['--target', repeating.url, '--authorization', 'hs256-env:KEY']
  const line = {
    folder: t.testdir({}),
    options,
    environment: { KEY: secret },
    secrets: [secret],
    repeating,
    withForecast: true,
  }
  t.strictSame(wanted(await expectLine(t, { ...line, only: ofRights, passing: 30 })), [])
})

t.test('a key for RS256, and users of the run', async (t) => {
  const folder = t.testdir({})
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  await writeFile(join(folder, 'key.pem'), pem)
  await writeFile(join(folder, 'public.pem'), publicKey.export({ format: 'pem', type: 'spki' }))
  const target = await simulator(t, { authorization: `rs256:${join(folder, 'public.pem')}` })
  const secrets = [pem.split('\n')[5] ?? pem]
  const repeating = await repeatingGateway(t, target, [pem.replace(/-----[^-]+-----|\s/g, '')])
  const options = ['--target', repeating.url, '--authorization', 'rs256:key.pem']
  t.strictSame(
    wanted(await expectLine(t, { folder, options, secrets, repeating, only: ['SAW-RIGHTS'], passing: 11 })),
    [],
  )
})

t.test('RS256 by a JWKS, and a token for every actor', async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { user } = administrator(t, target, await server.sign('participant_admin'))
  const rights: Readonly<Record<string, Right[]>> = {
    operator: makers,
    'any-reader': [general('CanReadAsAnyParty')],
    'any-executor': [general('CanExecuteAsAnyParty')],
    'user-administrator': [general('IdentityProviderAdmin')],
  }
  const plain = [
    'signer',
    'second-signer',
    'executor',
    'reading-actor',
    'eve-reader',
    'alice',
    'bob',
    'reader',
    'loner',
    'nobody',
  ]
  const actors = [...Object.keys(rights), ...plain]
  for (const actor of actors) await user(actor, rights[actor] ?? [])
  const environment: Record<string, string> = { T_administrator: await server.sign('participant_admin') }
  for (const actor of actors) environment[`T_${actor}`] = await server.sign(actor)
  const tokens = [...actors, 'administrator'].flatMap((actor) => ['--token', `${actor}=env:T_${actor}`])
  const repeating = await repeatingGateway(t, target, [])
  const options = ['--target', repeating.url, ...tokens]
  const line = { folder: t.testdir({}), options, environment, secrets: server.tokens, repeating }
  t.strictSame(wanted(await expectLine(t, { ...line, only: lookups, passing: 24 })), [signingKey])
})

t.test('client credentials of OAuth2', async (t) => {
  const secrets = { participant_admin: 'the-secret-of-the-administrator', app: 'the-secret-of-the-application' }
  const server = await tokenServer(t, secrets)
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  await administrator(t, target, await server.sign('participant_admin')).user('app', makers)
  const repeating = await repeatingGateway(t, target, Object.values(secrets))
  const oauth2 = (client: string, variable: string, more = ''): string =>
    `{ token: { oauth2: { token-url: ${server.tokenUrl}, client-id: ${client}, client-secret: '\${${variable}}'${more} } } }`
  const folder = t.testdir({
    'conform.yaml': [
      `target: ${repeating.url}`,
      'callers:',
      `  administrator: ${oauth2('participant_admin', 'ADMIN_SECRET')}`,
      `  anyone: ${oauth2('app', 'APP_SECRET', ', client-authentication: form')}`,
    ].join('\n'),
  })
  const environment = { ADMIN_SECRET: secrets.participant_admin, APP_SECRET: secrets.app }
  const all = [...server.tokens, ...Object.values(secrets)]
  const header = await expectLine(t, {
    folder,
    options: [],
    environment,
    secrets: all,
    repeating,
    only: ['EXE-USER', 'SAW-USER', 'EXE-RIGHTS'],
    passing: 8,
  })
  t.ok(wanted(header).includes('second-signer'), 'an actor that needs its own user')
  t.strictSame([...server.given.keys()].sort(), ['app', 'participant_admin'])
})

t.test("one administrator's token", async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const repeating = await repeatingGateway(t, target, [])
  const environment = {
    CONFORM_TOKEN: `administrator=${await server.sign('participant_admin')}`,
    CONFORM_TARGET: repeating.url,
  }
  const line = { folder: t.testdir({}), options: [], environment, secrets: server.tokens, repeating }
  const header = await expectLine(t, { ...line, only: lookups, passing: 13 })
  t.ok(wanted(header).includes('alice'))
  t.strictSame([...new Set(header.callers?.map(({ user }) => user))], ['participant_admin'])
})

t.test("one ordinary user's token", async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { party, user } = administrator(t, target, await server.sign('participant_admin'))
  const parties = await Promise.all(hosted.map(party))
  await user('app', parties.map(actAs))
  const folder = t.testdir({})
  await writeFile(join(folder, 'token'), await server.sign('app'))
  const named = hosted.flatMap((name, index) => ['--party', `${name}=${parties[index]}`])
  const repeating = await repeatingGateway(t, target, [])
  const options = ['--target', repeating.url, '--token', 'file:token', ...named]
  const header = await expectLine(t, {
    folder,
    options,
    secrets: server.tokens,
    repeating,
    withForecast: true,
    only: lookups,
    passing: 13,
  })
  t.ok(wanted(header).includes('administrator'), 'for missing fixtures')
})

t.test('no support operations', async (t) => {
  const behind = await simulator(t)
  const { party, synchronizer } = administrator(t, behind)
  const paths = Object.values(operations).map(({ path }) => path)
  const target = await narrowGateway(t, behind, paths)
  const named = await Promise.all(hosted.map(async (name) => ['--party', `${name}=${await party(name)}`]))
  const declared = ['--unreachable', 'all', '--synchronizer', `${await synchronizer()}::35-0`]
  const options = ['--target', target.url, ...declared, ...named.flat()]
  await expectLine(t, { folder: t.testdir({}), options, withForecast: true, only: ['SAW-R*'], passing: 2 })
  t.strictSame(
    target.seen.filter((seen) => !paths.some((path) => seen === `POST ${path}`) && seen.startsWith('POST /v2')),
    [],
  )
})

t.test('a run with --allow read', async (t) => {
  const target = await recordingGateway(t, await simulator(t))
  const options = ['--target', target.url, '--allow', 'read']
  const header = await expectLine(t, {
    folder: t.testdir({}),
    options,
    only: ['CBI-CONTENT', 'VET-DRY*', 'VET-UNKNOWN'],
    passing: 10,
  })
  t.ok(header.refusals?.some(({ permissions }) => permissions.includes('write')))
  t.strictSame(target.seen.filter(requestsChange), [], 'no request was a change')
})

t.test('a base path behind TLS with a client certificate', async (t) => {
  const folder = t.testdir({})
  const certificates = await makeCertificates(folder)
  const header = ['x-api-key', 'the-key-of-the-gateway'] as const
  const clientKey = (await readFile(certificates.files.key, 'utf8')).replace(/-----[^-]+-----|\s/g, '')
  const repeating = await repeatingGateway(t, await simulator(t), [clientKey])
  const gateway = await tlsGateway(t, repeating.url, certificates, { base: '/participants/one', header })
  const { ca, certificate, key } = certificates.files
  const way = ['--ca', ca, '--client-certificate', certificate, '--client-key', key, '--header', header.join('=')]
  const secrets = [header[1], certificates.server.key.split('\n')[1] ?? '']
  const options = ['--target', gateway.url, ...way]
  const { target } = await expectLine(t, {
    folder,
    options,
    secrets,
    repeating,
    only: lookups,
    passing: 13,
  })
  t.strictSame(target.connection, { headers: ['x-api-key'], ca: true, clientCertificate: true })
})

t.test('an HTTP proxy', async (t) => {
  const password = 'the-password-of-the-proxy'
  const repeating = await repeatingGateway(t, await simulator(t), [])
  const proxy = await forwardProxy(t, repeating.url, `runner:${password}`)
  const environment = { HTTP_PROXY: proxy.url, CONFORM_TARGET: 'http://participant.example/' }
  const line = { folder: t.testdir({}), options: [], environment, secrets: [password], repeating }
  const { target } = await expectLine(t, { ...line, only: lookups, passing: 13 })
  t.strictSame(target.connection, { proxy: new URL(proxy.url).origin })
  t.ok(proxy.seen.every((seen) => seen.includes('http://participant.example/')))
})
