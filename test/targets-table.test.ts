/** Whom a run can be let loose on: each line is a target as people have them, and what a run on it comes to. */

import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { operations } from '../interface/operations.js'
import { readRecord } from '../record/read-record.js'
import type { RunRecord } from '../record/record.js'
import { type SimulatorOptions, startSimulator } from '../simulator/simulator.js'
import { makeCertificates } from './certificates.js'
import { conformIn, type Ended } from './conform-process.js'
import { forwardProxy, narrowGateway, tlsGateway } from './gateways.js'
import { objectIn, textAt } from './simulator-world.js'
import { tokenServer } from './token-server.js'
import { connect, type Wire } from './wire.js'

interface Run extends Ended {
  record: RunRecord
  counts: Record<string, number>
}

/** Runs in a folder of its own; none of the secrets may be in what it leaves there or prints. */
async function runOn(
  t: Test,
  folder: string,
  options: readonly string[],
  { environment = {}, secrets = [] }: { environment?: Record<string, string>; secrets?: readonly string[] } = {},
): Promise<Run> {
  const ended = await conformIn({ folder, environment }, 'run', '--out', 'results', ...options)
  const results = join(folder, 'results')
  const record = await readRecord(join(results, 'run.ndjson')).catch((error: unknown) => {
    throw new Error(`no record: ${ended.stderr}${ended.stdout}`, { cause: error })
  })
  for (const name of await readdir(results)) {
    const text = await readFile(join(results, name), 'latin1')
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
        t.notOk(text.includes(form), `${name} holds no secret`)
  }
  for (const secret of secrets) t.notOk((ended.stdout + ended.stderr).includes(secret), 'nor does what was printed')
  const counts: Record<string, number> = {}
  for (const [verdict, count] of Object.entries(record.footer?.counts ?? {})) if (count > 0) counts[verdict] = count
  return { ...ended, record, counts }
}

async function simulator(t: Test, options: SimulatorOptions = {}): Promise<string> {
  const { url, close } = await startSimulator(options)
  t.teardown(close)
  return url
}

const secret = 'a secret that stands nowhere else'

/** An administrator's hands, before a run begins. */
async function hands(
  t: Test,
  url: string,
  token?: string,
): Promise<{ party(hint: string): Promise<string>; user(id: string, rights: object[]): Promise<void> }> {
  const wire: Wire = connect(url)
  t.teardown(() => wire.close())
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    party: async (partyIdHint) => {
      const { partyDetails } = objectIn(await wire.post('/v2/parties', { partyIdHint }, headers))
      return textAt(partyDetails, 'party')
    },
    user: async (id, rights) => {
      objectIn(await wire.post('/v2/users', { user: { id }, rights: rights.map((kind) => ({ kind })) }, headers))
    },
  }
}

const general = (kind: string): object => ({ [kind]: { value: {} } })
const actAs = (party: string): object => ({ CanActAs: { value: { party } } })

t.test('the simulator, open', async (t) => {
  const { counts, code } = await runOn(t, t.testdir({}), ['--target', await simulator(t)])
  t.comment(JSON.stringify(counts), code)
})

t.test('HS256, and users that the run makes', async (t) => {
  const { counts, code } = await runOn(
    t,
    t.testdir({}),
    ['--target', await simulator(t, { authorization: `hs256:${secret}` }), '--authorization', 'hs256-env:SECRET'],
    { environment: { SECRET: secret }, secrets: [secret] },
  )
  t.comment(JSON.stringify(counts), code)
})

t.test('RS256, and users that the run makes', async (t) => {
  const folder = t.testdir({})
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  await writeFile(join(folder, 'key.pem'), pem)
  await writeFile(join(folder, 'public.pem'), publicKey.export({ format: 'pem', type: 'spki' }))
  const target = await simulator(t, { authorization: `rs256:${join(folder, 'public.pem')}` })
  const { counts, code } = await runOn(t, folder, ['--target', target, '--authorization', 'rs256:key.pem'])
  t.comment(JSON.stringify(counts), code)
})

const actors = [
  'operator',
  'signer',
  'second-signer',
  'executor',
  'eve-reader',
  'alice',
  'bob',
  'reader',
  'any-reader',
  'loner',
  'nobody',
]
t.test('RS256 by a JWKS, and given tokens', async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { user } = await hands(t, target, await server.sign('participant_admin'))
  const rights: Record<string, object[]> = {
    operator: [general('ParticipantAdmin'), general('CanReadAsAnyParty')],
    'any-reader': [general('CanReadAsAnyParty')],
  }
  const environment: Record<string, string> = { TOKEN_ADMINISTRATOR: await server.sign('participant_admin') }
  for (const actor of actors) {
    await user(actor, rights[actor] ?? [])
    environment[`TOKEN_${actor}`] = await server.sign(actor)
  }
  const tokens = actors.flatMap((actor) => ['--token', `${actor}=env:TOKEN_${actor}`])
  const { counts, code, record, stderr } = await runOn(
    t,
    t.testdir({}),
    ['--target', target, '--token', 'administrator=env:TOKEN_ADMINISTRATOR', ...tokens],
    { environment, secrets: server.tokens },
  )
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.wants), stderr)
})

t.test("one administrator's token", async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { counts, code, record } = await runOn(t, t.testdir({}), ['--target', target], {
    environment: { CONFORM_TOKEN: `administrator=${await server.sign('participant_admin')}` },
    secrets: server.tokens,
  })
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.wants))
})

t.test("one ordinary user's token", async (t) => {
  const server = await tokenServer(t, {})
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { user, party } = await hands(t, target, await server.sign('participant_admin'))
  const parties = [await party('alice'), await party('bob'), await party('carol')]
  await user('app', parties.map(actAs))
  const named = ['alice', 'bob', 'carol'].flatMap((name, index) => ['--party', `${name}=${parties[index]}`])
  const folder = t.testdir({})
  await writeFile(join(folder, 'token'), await server.sign('app'))
  const { counts, code, record } = await runOn(t, folder, ['--target', target, '--token', 'file:token', ...named], {
    secrets: server.tokens,
  })
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.wants))
})

t.test('OAuth2 client credentials', async (t) => {
  const secrets = { participant_admin: 'the-secret-of-the-administrator', app: 'the-secret-of-the-application' }
  const server = await tokenServer(t, secrets)
  const target = await simulator(t, { authorization: `jwks:${server.jwks}` })
  const { user } = await hands(t, target, await server.sign('participant_admin'))
  await user('app', [general('ParticipantAdmin'), general('CanReadAsAnyParty')])
  const folder = t.testdir({
    'target.yaml': `target: ${target}
callers:
  administrator: { token: { oauth2: { token-url: ${server.tokenUrl}, client-id: participant_admin, client-secret: '\${ADMIN_SECRET}' } } }
  anyone: { token: { oauth2: { token-url: ${server.tokenUrl}, client-id: app, client-secret: '\${APP_SECRET}', client-authentication: form } } }
`,
  })
  const { counts, code, record } = await runOn(t, folder, ['--config', 'target.yaml'], {
    environment: { ADMIN_SECRET: secrets.participant_admin, APP_SECRET: secrets.app },
    secrets: [...server.tokens, ...Object.values(secrets)],
  })
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.wants), [...server.given])
})

t.test('no support operation at all', async (t) => {
  const behind = await simulator(t)
  const { party } = await hands(t, behind)
  const target = await narrowGateway(
    t,
    behind,
    Object.values(operations).map(({ path }) => path),
  )
  const named = await Promise.all(
    ['alice', 'bob', 'carol'].map(async (name) => ['--party', `${name}=${await party(name)}`]),
  )
  const synchronizer = `simulated::1220${'ab'.repeat(32)}::35-0`
  const { counts, code, record } = await runOn(t, t.testdir({}), [
    '--target',
    target.url,
    '--unreachable',
    'all',
    '--synchronizer',
    synchronizer,
    ...named.flat(),
  ])
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.wants), [...new Set(target.seen)])
})

t.test('several synchronizers', async (t) => {
  const { counts, code } = await runOn(t, t.testdir({}), ['--target', await simulator(t, { synchronizers: 2 })])
  t.comment(JSON.stringify(counts), code)
})

t.test('a base path behind TLS with a client certificate', async (t) => {
  const folder = t.testdir({})
  const certificates = await makeCertificates(folder)
  const header = ['x-api-key', 'the-key-of-the-gateway'] as const
  const gateway = await tlsGateway(t, await simulator(t), certificates, { base: '/participants/one', header })
  const { ca, certificate, key } = certificates.files
  const { counts, code, record } = await runOn(
    t,
    folder,
    [
      '--target',
      gateway.url,
      '--ca',
      ca,
      '--client-certificate',
      certificate,
      '--client-key',
      key,
      '--header',
      header.join('='),
      '--only',
      'CBI-*',
    ],
    { secrets: [header[1]] },
  )
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.target))
})

t.test('an HTTP proxy', async (t) => {
  const proxy = await forwardProxy(t, await simulator(t), 'runner:the-password-of-the-proxy')
  const { counts, code, record } = await runOn(
    t,
    t.testdir({}),
    ['--target', 'http://participant.example', '--only', 'CBI-*'],
    {
      environment: { HTTP_PROXY: proxy.url },
      secrets: ['the-password-of-the-proxy'],
    },
  )
  t.comment(JSON.stringify(counts), code, JSON.stringify(record.header.target))
})
