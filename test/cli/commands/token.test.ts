/** `conform token`. */
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { startSimulator } from '../../../simulator/simulator.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { constantServer } from '../../support/servers/constant-server.js'

const authorization = 'hs256:the secret of a participant'

async function participant(t: Test): Promise<{ folder: string; target: string[] }> {
  const simulator = await startSimulator({ authorization })
  t.teardown(() => simulator.close())
  return { folder: t.testdir({}), target: ['--target', simulator.url] }
}

t.test('the token names the user of the newest run, and the participant', async (t) => {
  const { folder, target } = await participant(t)
  const signed = [...target, '--authorization', authorization]
  t.equal((await conformIn({ folder }, 'run', ...signed, '--only', 'CBI-CONTENT/argument')).code, 0)
  const { stdout, stderr, code } = await conformIn({ folder }, 'token', 'alice', ...signed)
  t.equal(code, 0, stderr)
  t.match(decodeJwt(stdout.trim()), {
    sub: /^conformance-[0-9a-f]{8}-alice$/,
    aud: /^https:\/\/daml.com\/jwt\/aud\/participant\/\S+::1220/,
  })
  t.match(stderr, /^! The run .* deactivated the user .* Run with --keep-users to keep it active\.\n$/)
  const unknown = await conformIn({ folder }, 'token', 'unknown', ...signed)
  t.equal(unknown.code, 2)
  t.match(unknown.stderr, /has no actor unknown; its actors are operator, /)
  t.equal(unknown.stdout, '')
})

t.test('settings name the user; a form of the suite changes the claims', async (t) => {
  const { folder, target } = await participant(t)
  const signed = [...target, '--authorization', authorization]
  const named = await conformIn({ folder }, 'token', 'alice', ...signed, '--user', 'alice=me', '--form', 'expired')
  const { sub, exp = Infinity } = decodeJwt(named.stdout.trim())
  t.equal(sub, 'me')
  t.ok(exp < Date.now() / 1000)
  const given = await conformIn({ folder, environment: { A: 'abc' } }, 'token', 'alice', ...target, ...token)
  t.equal(given.stdout, 'abc\n', given.stderr)
  const administrator = await conformIn({ folder }, 'token', 'administrator', ...signed)
  t.equal(decodeJwt(administrator.stdout.trim()).sub, 'participant_admin')
})

const token = ['--token', 'alice=env:A', '--user', 'alice=me']

t.test('only a 403 to the request of the participant id permits a token without it', async (t) => {
  const tokenAfter = async (status: number) => {
    const url = await constantServer(t, { status, body: {} })
    const options = ['--target', url, '--authorization', authorization, '--user', 'alice=me']
    return conformIn({ folder: t.testdir({}) }, 'token', 'alice', ...options)
  }
  t.match(decodeJwt((await tokenAfter(403)).stdout.trim()), { sub: 'me', scope: 'daml_ledger_api' })
  t.match(await tokenAfter(404), { code: 3, stdout: '' })
})

t.test('wrong usage', async (t) => {
  const { folder, target } = await participant(t)
  const signed = [...target, '--authorization', authorization]
  for (const [options, message] of [
    [['--authorization', authorization], /^target: name the participant that the token is for/],
    [target, /^token: without authorization the run sends no tokens; add --authorization or --token\n$/],
    [
      signed,
      /^token: results has no run on http:.*; name the user with --user alice=ID, or run with --keep-users first\n$/,
    ],
    [[...signed, '--form', 'odd'], /^token: the suite has no form odd; the forms are expired, /],
    [[...signed, '--user', 'alice=a', '--only', 'x'], /unknown option '--only'/],
  ] as const) {
    const { code, stdout, stderr } = await conformIn({ folder }, 'token', 'alice', ...options)
    t.equal(code, 2, stderr)
    t.match(stderr, message)
    t.equal(stdout, '')
  }
})
