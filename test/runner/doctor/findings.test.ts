/** Each thing that can stand against a run, on a real connection, and the words in which it is told. */
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { doctorText } from '../../../cli/console/doctor-text.js'
import { checkClock } from '../../../runner/doctor/clock.js'
import { checkConnectivity } from '../../../runner/doctor/connectivity.js'
import { type Finding, findingCodes } from '../../../runner/doctor/finding.js'
import { checkIdentities } from '../../../runner/doctor/identity.js'
import { checkPackages } from '../../../runner/doctor/packages.js'
import { checkProfile } from '../../../runner/doctor/profile-fit.js'
import { checkPermissions, checkProvisioning, describeSynchronizers } from '../../../runner/doctor/synchronizers.js'
import { type Diagnosis, verdictOf } from '../../../runner/preflight/diagnose.js'
import type { Caller } from '../../../runner/provision/caller.js'
import { run } from '../../../runner/run/run.js'
import { type ConnectionSettings, plainConnection } from '../../../runner/target/connection/connection-settings.js'
import { secretKey } from '../../../runner/target/credentials/minting-key.js'
import type { Target } from '../../../runner/target/target.js'
import { TargetError } from '../../../runner/target/target.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { look, optionsOf, reference, shown, suite, withToken } from '../../support/ledgers/doctor-environment.js'
import { adminClaims, sign } from '../../support/ledgers/guarded-environment.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { forwardProxy, type Gateway, tlsGateway } from '../../support/servers/gateways.js'
import { listen } from '../../support/servers/raw-target.js'
import { readTarget } from '../../support/suites/plain-target.js'

const server = (t: Test, listener: RequestListener): Promise<string> => listen(t, createServer(listener))

/** A participant of which only the version can be asked, with these headers. */
const halfThere = (t: Test, headers: Record<string, string>): Promise<string> =>
  server(t, ({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url === '/v2/version') response.writeHead(200, headers).end('{"version":"3.5.10"}')
    else response.writeHead(401, headers).end('{}')
  })

/** A run on it ends before anything is made, with the same words. */
async function expectRefused(t: Test, target: Target, told: RegExp): Promise<void> {
  await t.rejects(run(optionsOf(target), { planned: () => undefined, row: () => undefined }), {
    name: 'TargetError',
    message: told,
  })
}

t.test('the page has every code', async (t) => {
  const page = await readFile(new URL('../../../../docs/doctor.md', import.meta.url), 'utf8')
  for (const code of Object.values(findingCodes).flat()) t.ok(page.includes(`\`${code}\``), code)
})

t.test('what is no participant, or is not there', async (t) => {
  const page = '<!doctype html><html><title>The \u001b[31mweb shop</title></html>'
  const lines: [code: string, listener: RequestListener, told: RegExp][] = [
    [
      'web-page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      /^stop: this is no participant: GET http.*\/v2\/version was answered with 200 and a web page called "The \\u001b\[31mweb shop"; the target is the base URL/,
    ],
    [
      'redirect',
      (_, response) => void response.writeHead(302, { location: 'https://login.example/?a=b' }).end(),
      /^stop: GET .* leads elsewhere \(302\): "https:\/\/login.example\/\?a=b"; give as the target where that leads$/,
    ],
    ['no-version', (_, response) => void response.writeHead(404).end('none'), /^stop: .* 404: "none"; is there a path/],
    [
      'no-json',
      (_, response) => void response.writeHead(200).end('hello'),
      /^stop: this is no participant: .* no JSON/,
    ],
    ['server-error', (_, response) => void response.writeHead(500).end(), /^stop: .* 500; its log tells why$/],
    [
      'not-ready',
      (_, response) => void response.writeHead(503).end('soon'),
      /^unreachable: .* 503: "soon"; is it start/,
    ],
    ['not-reached', ({ socket }) => void socket.destroy(), /^unreachable: .* the connection ended before/],
  ]
  for (const [code, listener, told] of lines) {
    const target = readTarget(await server(t, listener), 'none')
    const found = await look(target)
    t.match(shown(found, code), told, code)
    t.equal(verdictOf(found), told.source.startsWith('^unreachable') ? 'unreachable' : 'senseless')
    t.equal(found.rows, undefined)
    if (code === 'web-page') await expectRefused(t, target, /^this is no participant: /)
  }
  const dead = await look(readTarget('http://127.0.0.1:1', 'none'))
  t.match(
    shown(dead, 'not-reached'),
    /^unreachable: .*\(ECONNREFUSED\); is it running, .*--wait 60s would wait for it$/,
  )
  const unknown = await look(readTarget('http://no-such-name.invalid', 'none'))
  t.match(shown(unknown, 'name-unknown'), /^unreachable: no address is known for the name no-such-name.invalid \(E/)
  t.match(
    doctorText('http://a', verdictOf(unknown), unknown, false),
    /^http:\/\/a\n\nway\n {2}x {3}no address .*\n {6}-> /,
  )
})

t.test('who is refused is told why, by the claims and the clocks', async (t) => {
  const token = await sign(adminClaims())
  const late = await halfThere(t, { date: new Date(Date.now() + 3_600_000).toUTCString() })
  const ahead = await look(withToken(late, token))
  t.match(
    shown(ahead, 'clock-differs'),
    /^warning: the clock of the target is 60 minutes ahead of the one of this machine/,
  )
  t.match(
    shown(ahead, 'token-refused'),
    /^stop: the target refuses the token of a test \(sub participant_admin, scope daml_ledger_api, ended 57 minutes ago\): participant-id .* 401: "\{\}"; by the clock of the target it ended 57 minutes ago: give a fresh one$/,
  )
  await expectRefused(t, withToken(late, token), /^the target refuses the token of a test \(sub participant_admin/)
  const minted = { ...readTarget(late, 'none'), authorization: { kind: 'minted', key: secretKey('a secret') } as const }
  t.match(
    shown(await look(minted), 'signed-token-refused'),
    /hs256, for this participant, good for 4 minutes\).*; the clock of the target is 60 minutes ahead, so that such tokens have ended when they arrive/,
  )
  const early = await halfThere(t, { date: new Date(Date.now() - 3_600_000).toUTCString() })
  const behind = await look({ ...minted, url: early })
  t.match(
    shown(behind, 'signed-token-refused'),
    /by the clock of the target they live 64 minutes, and .* 300 s at most/,
  )
  const claims = { sub: 'ann', aud: ['x', 'y'], iss: 'me', nbf: Math.floor(Date.now() / 1000) + 900 }
  const now = await halfThere(t, {})
  t.match(
    shown(await look(withToken(now, await sign(claims), 'ann')), 'token-refused'),
    /\(sub ann, aud \["x","y"\], iss me, without an end\).*; by the clock of the target it begins in 15 minutes$/,
  )
  t.match(
    shown(await look(withToken(now, 'opaque-token')), 'token-refused'),
    /\(it is no JWT, .*\).*; is it for this participant/,
  )
  t.match(shown(await look({ ...minted, url: now }), 'signed-token-refused'), /is it the key that the target trusts/)
  const asked = await look(readTarget(now, 'none'))
  t.match(
    shown(asked, 'token-wanted'),
    /^stop: the target asks for tokens, and none was sent: .*; give one: --token administrator=env:NAME/,
  )
  const nobody = await look({ ...readTarget(now, 'none'), authorization: { kind: 'given' } })
  t.match(
    shown(nobody, 'cannot-begin'),
    /^stop: nobody can call: the target asks for tokens, and no credential is given/,
  )
})

t.test('the certificate is looked at, and nothing is sent to whom nobody trusts', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const certificates = await makeCertificates(t.testdir({}))
  const gateway: Gateway = await tlsGateway(t, url, certificates, { base: '/base', header: ['x-key', 'k'] })
  const [ca = '', certificate = '', key = ''] = await Promise.all(
    Object.values(certificates.files).map((file) => readFile(file, 'utf8')),
  )
  const by = (more: Partial<ConnectionSettings>, to = gateway.url): Promise<Diagnosis> =>
    look({ ...readTarget(to, 'none'), connection: { ...plainConnection, headers: [['x-key', 'k']], ...more } })
  t.match(
    shown(await by({ client: { certificate, key } }), 'certificate-untrusted'),
    /^unreachable: the certificate of "a participant", issued by "a participant", is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\); if it is the right one, .* by --ca FILE$/,
  )
  t.strictSame(gateway.seen, [])
  t.match(
    shown(await by({ ca }), 'not-reached'),
    /some servers hang up on who shows no certificate: --client-certificate|is it running/,
  )
  const trusted = await by({ ca, client: { certificate, key } })
  t.match(
    shown(trusted, 'certificate'),
    /^good: the certificate of "a participant", issued by "a participant", is good until \d{4}-\d\d-\d\d \(\d+ days\); it is trusted by the certificates of the setting ca/,
  )
  t.equal(verdictOf(trusted), 'ready')
  const ends = trusted.findings.find(({ code }) => code === 'certificate')?.facts?.['until']
  const soon = new Date(Date.parse(String(ends)) - 3 * 24 * 60 * 60 * 1000)
  const [ending] = await checkConnectivity(new URL(gateway.url), { ...plainConnection, ca }, 5000, soon)
  t.match(ending, { code: 'certificate-ends', level: 'warning', advice: 'have it renewed', facts: { days: 3 } })
  const proxy = await forwardProxy(t, gateway.url, 'a:b')
  const insecure = await by({ insecure: true, client: { certificate, key }, proxy: new URL(proxy.url) })
  t.match(
    shown(insecure, 'certificate-unchecked'),
    /^warning: .*nobody checks it, and every report says so; leave --insecure out/,
  )
  t.ok(proxy.seen.every((one) => one.startsWith('CONNECT')))
  const named = await by({ ca }, gateway.url.replace('127.0.0.1', 'localhost'))
  t.match(
    shown(named, 'certificate-untrusted'),
    /\(ERR_TLS_CERT_ALTNAME_INVALID\); call the target by a name that the certificate is for: "IP Address:127.0.0.1"/,
  )
  t.match(
    shown(await by({}, url.replace('http', 'https')), 'no-handshake'),
    /^unreachable: no secure connection to 127.0.0.1:\d+ comes about \(.+\); does that port speak https at all\?$/,
  )
})

t.test('what may disappoint is told with what to do', async (t) => {
  const told: Finding[] = []
  const refusing: Caller = () => Promise.reject(new TargetError('no'))
  const known = { version: '3.5.10', participantId: 'p', synchronizerIds: ['one'], externalParties: true as const }
  const untold = { ...known, participantId: undefined, synchronizerIds: [] }
  told.push(...describeSynchronizers(untold, undefined))
  told.push(...checkProvisioning({ ...known, externalParties: 'nobody asked' }, 'nobody may', undefined, false))
  const unprepared = { protocolVersion: undefined, synchronizerId: undefined, hashesByThirdScheme: false, checks: [] }
  told.push(...checkProvisioning({ ...known, externalParties: false }, { user: 'me' }, unprepared, true))
  const parties = new Map([['alice', 'al::1220']])
  told.push(...(await checkPermissions(parties, () => Promise.resolve({ connectedSynchronizers: [] }))))
  told.push(...(await checkPermissions(parties, refusing)))
  const hindered = { capability: { hindered: 'bounds' }, missing: [], wronglyVetted: [] }
  const packages = [{ title: 'a 1', id: 'ab', dar: '', vetted: true }]
  told.push(...(await checkPackages(packages, hindered, known, refusing)))
  told.push(...(await checkPackages(packages, { ...hindered, capability: true }, untold, refusing)))
  told.push(...checkProfile('4.0.1', reference, suite.profiles), ...checkProfile(undefined, reference, new Map()))
  told.push(checkClock(undefined), checkClock(-7_200_000))
  const check = {
    target: {
      ...withToken('http://a', 'x'),
      callers: new Map([['alice', { user: 'al', rights: ['CanActAs alice'] }]]),
    },
    skew: undefined,
    unreachable: new Set<string>(),
  }
  told.push(...(await checkIdentities({ ...check, as: () => refusing })))
  const unsaid = { ...check, target: { ...check.target, callers: new Map([['alice', { user: 'al' }]]) } }
  told.push(...(await checkIdentities({ ...unsaid, as: () => refusing })))
  told.push(...(await checkIdentities({ ...unsaid, as: () => refusing, unreachable: new Set(['list-user-rights']) })))
  t.strictSame(
    told.map(
      ({ code, level, what, advice }) => `${code} ${level}: ${what}${advice === undefined ? '' : `; ${advice}`}`,
    ),
    [
      'synchronizer-untold warning: nobody tells the id of the participant; nobody tells its synchronizer; synchronizer in the settings would name it',
      'nothing-made warning: a run can make nothing: nobody may; --token administrator=env:NAME would let it, and --party names parties that are there',
      'no-onboarding warning: parties that sign for themselves cannot be onboarded: nobody asked; presigned transactions would stand in for some (docs/target-file.md)',
      'no-preparing warning: the settings say that no transaction can be prepared; leave prepare out of unreachable if it can be reached; otherwise presigned transactions stand in',
      'made good: parties and users are made by me',
      'no-onboarding warning: parties that sign for themselves cannot be onboarded: no topology is proposed for one; presigned transactions would stand in for some (docs/target-file.md)',
      'not-prepared warning: no transaction is prepared for the party that is named; is the party hosted here, may its user act for it, and is the operation there? If not: unreachable: [prepare]',
      'party-nowhere warning: the party al::1220 (alice) is hosted on no synchronizer here; is it a party of this participant, and spelt right?',
      'party-untold good: what the participant may do for the party al::1220 (alice) is not told: no',
      'model-hindered warning: the packages of the conformance model are not as rows need them: bounds',
      'vetting-untold warning: what is vetted cannot be read: no; rows that change vetting will not run: nobody could put it back',
      'model good: the 1 packages of the conformance model are there, vetted as rows need them',
      'profile-unfit warning: the target says that it is version "4.0.1", and new is about 3.5; no profile is about it; --profile interface judges by the text alone',
      'version-untold good: the target does not tell its version; it is judged by new',
      'clock-untold good: the target does not tell the time (it sends no Date header)',
      'clock-differs warning: the clock of the target is 2 hours behind the one of this machine; put the wrong one right: tokens end, and submissions are in time, by the clock of the target',
      'caller good: alice is the user al; the settings say: CanActAs alice',
      'rights-untold warning: alice is the user al; what that user may do is not told: no; say what that user may do by rights, in a file',
      'caller good: alice is the user al; what that user may do cannot be asked',
    ],
  )
})
