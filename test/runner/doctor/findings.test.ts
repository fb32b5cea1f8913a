/** The findings of doctor, on real connections, with their exact text. */
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { doctorText } from '../../../cli/console/doctor-text.js'
import { findingText } from '../../../reports/wording/finding-text.js'
import { checkConnectivity } from '../../../runner/doctor/connectivity.js'
import { type Finding, findingCodes } from '../../../runner/doctor/finding.js'
import { checkClock } from '../../../runner/doctor/first-response.js'
import { checkIdentities } from '../../../runner/doctor/identity.js'
import { checkPackages } from '../../../runner/doctor/packages.js'
import { checkProfile, chooseProfile } from '../../../runner/doctor/profile-choice.js'
import { checkPermissions, checkProvisioning, describeSynchronizers } from '../../../runner/doctor/synchronizers.js'
import { type Diagnosis, diagnose, verdictOf } from '../../../runner/preflight/diagnose.js'
import type { Caller } from '../../../runner/provision/caller.js'
import { run } from '../../../runner/run/run.js'
import { type ConnectionSettings, plainConnection } from '../../../runner/target/connection/connection-settings.js'
import { CredentialError } from '../../../runner/target/credentials/credential-source.js'
import { secretKey } from '../../../runner/target/credentials/minting-key.js'
import { type Target, TargetError } from '../../../runner/target/target.js'
import { startSimulator } from '../../../simulator/simulator.js'
import {
  diagnoseTarget,
  optionsOf,
  reference,
  shown,
  suite,
  withToken,
} from '../../support/ledgers/doctor-environment.js'
import { adminClaims, sign } from '../../support/ledgers/guarded-environment.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { forwardProxy, type Gateway, tlsGateway } from '../../support/servers/gateways.js'
import { listen } from '../../support/servers/raw-target.js'
import { readTarget } from '../../support/suites/plain-target.js'

const server = (t: Test, listener: RequestListener): Promise<string> => listen(t, createServer(listener))

/** A participant that returns only its version without a token, with these headers. */
const versionOnly = (t: Test, headers: Record<string, string>): Promise<string> =>
  server(t, ({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url === '/v2/version') response.writeHead(200, headers).end('{"version":"3.5.10"}')
    else response.writeHead(401, headers).end('{}')
  })

async function expectRefused(t: Test, target: Target, message: RegExp): Promise<void> {
  await t.rejects(run(optionsOf(target), { planned: () => undefined, row: () => undefined }), {
    name: 'TargetError',
    message,
  })
}

t.test('docs/doctor.md lists each code', async (t) => {
  const page = await readFile(new URL('../../../../docs/doctor.md', import.meta.url), 'utf8')
  for (const code of Object.values(findingCodes).flat()) t.ok(page.includes(`\`${code}\``), code)
})

t.test('reports a target that is not a participant or does not answer', async (t) => {
  const page = '<!doctype html><html><title>The \u001b[31mweb shop</title></html>'
  const lines: [code: string, listener: RequestListener, expected: RegExp][] = [
    [
      'web-page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      /^stop: the target is not a participant: GET http.*\/v2\/version returned 200 and a web page with the title "The \\u001b\[31mweb shop"\. Use the base URL of the JSON API/,
    ],
    [
      'redirect',
      (_, response) => void response.writeHead(302, { location: 'https://login.example/?a=b' }).end(),
      /^stop: GET .* returned 302, a redirect to "https:\/\/login.example\/\?a=b"\. Use that location as the target\.$/,
    ],
    [
      'no-version',
      (_, response) => void response.writeHead(404).end('none'),
      /^stop: .* 404: "none"; POST .* returned 404 without the member code\. Use the base URL .* each 404 of its own has the member code/,
    ],
    [
      'no-json',
      (_, response) => void response.writeHead(200).end('hello'),
      /^stop: the target is not a participant: .* returned 200 without JSON/,
    ],
    [
      'no-json',
      (_, response) => void response.writeHead(200, { 'content-encoding': 'identity' }).end('hello'),
      /^stop: the target is not a participant: .* returned 200 without JSON/,
    ],
    [
      'no-json',
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('\u001f'),
      /^stop: GET .* returned 200 in the coding "gzip", which conform does not read\. Let the participant/,
    ],
    [
      'server-error',
      (_, response) => void response.writeHead(500).end(),
      /^stop: .* 500\. Read the log of the participant\.$/,
    ],
    [
      'not-ready',
      (_, response) => void response.writeHead(503).end('soon'),
      /^unreachable: .* 503: "soon"\. Is the participant starting, or does a proxy not reach it\?/,
    ],
    ['not-reached', ({ socket }) => void socket.destroy(), /^unreachable: .* the connection ended before/],
  ]
  for (const [code, listener, expected] of lines) {
    const target = readTarget(await server(t, listener), 'none')
    const found = await diagnoseTarget(target)
    t.match(shown(found, code), expected, code)
    t.equal(verdictOf(found), expected.source.startsWith('^unreachable') ? 'unreachable' : 'senseless')
    t.equal(found.rows, undefined)
    if (code === 'web-page') await expectRefused(t, target, /^the target is not a participant: /)
  }
  const dead = await diagnoseTarget(readTarget('http://127.0.0.1:1', 'none'))
  t.match(
    shown(dead, 'not-reached'),
    /^unreachable: .*\(ECONNREFUSED\)\. Is the participant running, .* Add --wait 60s to wait for it\.$/,
  )
  const reset = await diagnoseTarget(readTarget(await server(t, ({ socket }) => socket.destroy()), 'none'))
  t.match(shown(reset, 'not-reached'), /If the server requires TLS, begin the target with https\./)
  const unknown = await diagnoseTarget(readTarget('http://no-such-name.invalid', 'none'))
  t.match(shown(unknown, 'name-unknown'), /^unreachable: the host name no-such-name.invalid has no address \(E/)
  t.match(
    doctorText('http://a', verdictOf(unknown), unknown, false),
    /^http:\/\/a\n\nconnectivity\n {2}x {3}the host name .*\n {6}-> /,
  )
})

t.test('explains a rejected token by its claims and the clocks', async (t) => {
  const token = await sign(adminClaims())
  const late = await versionOnly(t, { date: new Date(Date.now() + 3_600_000).toUTCString() })
  const ahead = await diagnoseTarget(withToken(late, token))
  t.match(shown(ahead, 'clock-differs'), /^warning: the clock of the target is 60 minutes ahead of the local clock/)
  t.match(
    shown(ahead, 'token-refused'),
    /^stop: the target rejects the token of a test \(sub participant_admin, scope daml_ledger_api, expired 57 minutes ago\): participant-id .* 401: "\{\}"\. By the target's clock it expired 57 minutes ago\. Use a new token\.$/,
  )
  await expectRefused(t, withToken(late, token), /^the target rejects the token of a test \(sub participant_admin/)
  const minted = { ...readTarget(late, 'none'), authorization: { kind: 'minted', key: secretKey('a secret') } as const }
  t.match(
    shown(await diagnoseTarget(minted), 'signed-token-refused'),
    /hs256, for this participant, valid for 4 minutes\).*\. The target's clock is 60 minutes ahead, so the tokens are expired on arrival/,
  )
  const early = await versionOnly(t, { date: new Date(Date.now() - 3_600_000).toUTCString() })
  const behind = await diagnoseTarget({ ...minted, url: early })
  t.match(
    shown(behind, 'signed-token-refused'),
    /By the target's clock the tokens are valid for 64 minutes, and Canton 3.5 accepts at most 300 s\./,
  )
  const claims = { sub: 'ann', aud: ['x', 'y'], iss: 'me', nbf: Math.floor(Date.now() / 1000) + 900 }
  const now = await versionOnly(t, {})
  t.match(
    shown(await diagnoseTarget(withToken(now, await sign(claims), 'ann')), 'token-refused'),
    /\(sub ann, aud \["x","y"\], iss me, no expiry\).*\. By the target's clock it becomes valid in 15 minutes\.$/,
  )
  t.match(
    shown(await diagnoseTarget(withToken(now, 'opaque-token')), 'token-refused'),
    /\(not a JWT, .*\).*\. Check that it is for this participant/,
  )
  t.match(
    shown(await diagnoseTarget({ ...minted, url: now }), 'signed-token-refused'),
    /Check that the target trusts the key/,
  )
  const required = await diagnoseTarget(readTarget(now, 'none'))
  t.match(shown(required, 'token-wanted'), /^stop: the target requires tokens: .*\. Add --token administrator=env:NAME/)
  const without = await diagnoseTarget({ ...readTarget(now, 'none'), authorization: { kind: 'given' } })
  t.match(
    shown(without, 'cannot-begin'),
    /^stop: the target requires tokens, and the settings give no credential\. Add --token administrator=env:NAME\./,
  )
  const given: Target = { ...readTarget(now, 'none'), authorization: { kind: 'given' } }
  const unreadable = new Map([['administrator', new CredentialError('token from a file: it cannot be read')]])
  const lacking = await diagnose(optionsOf(given), unreadable, () => undefined)
  t.match(
    shown(lacking, 'token-unavailable'),
    /^stop: administrator has no usable token: token from a file: it cannot be read\./,
  )
  t.equal(shown(lacking, 'cannot-begin'), '', 'the settings give a credential')
})

t.test('checks the certificate, and sends no request to an untrusted server', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const certificates = await makeCertificates(t.testdir({}))
  const gateway: Gateway = await tlsGateway(t, url, certificates, { base: '/base', header: ['x-key', 'k'] })
  const [ca = '', certificate = '', key = ''] = await Promise.all(
    Object.values(certificates.files).map((file) => readFile(file, 'utf8')),
  )
  const by = (more: Partial<ConnectionSettings>, to = gateway.url): Promise<Diagnosis> =>
    diagnoseTarget({
      ...readTarget(to, 'none'),
      connection: { ...plainConnection, headers: [['x-key', 'k']], ...more },
    })
  t.match(
    shown(await by({ client: { certificate, key } }), 'certificate-untrusted'),
    /^unreachable: the certificate of "a participant", issued by "a participant", is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If the server is the intended one, .* with --ca FILE\.$/,
  )
  t.strictSame(gateway.seen, [])
  t.match(
    shown(await by({ ca }), 'not-reached'),
    /If the server requires a client certificate, add --client-certificate|Is the participant running/,
  )
  const trusted = await by({ ca, client: { certificate, key } })
  t.match(
    shown(trusted, 'certificate'),
    /^good: the certificate of "a participant", issued by "a participant", is valid until \d{4}-\d\d-\d\d \(\d+ days\) and trusted by the certificates of the setting ca/,
  )
  t.equal(verdictOf(trusted), 'ready')
  const ends = trusted.findings.find(({ code }) => code === 'certificate')?.facts?.['until']
  const soon = new Date(Date.parse(String(ends)) - 3 * 24 * 60 * 60 * 1000)
  const [ending] = await checkConnectivity(new URL(gateway.url), { ...plainConnection, ca }, 5000, soon)
  t.match(ending, { code: 'certificate-ends', level: 'warning', advice: 'Renew the certificate.', facts: { days: 3 } })
  const proxy = await forwardProxy(t, gateway.url, 'a:b')
  const insecure = await by({ insecure: true, client: { certificate, key }, proxy: new URL(proxy.url) })
  t.match(
    shown(insecure, 'certificate-unchecked'),
    /^warning: .* days\), but --insecure skips its check\. Remove --insecure/,
  )
  t.ok(proxy.seen.every((one) => one.startsWith('CONNECT')))
  const named = await by({ ca }, gateway.url.replace('127.0.0.1', 'localhost'))
  t.match(
    shown(named, 'certificate-untrusted'),
    /\(ERR_TLS_CERT_ALTNAME_INVALID\)\. Use a host name of the certificate: "IP Address:127.0.0.1"\.$/,
  )
  t.match(
    shown(await by({}, url.replace('http', 'https')), 'no-handshake'),
    /^unreachable: the TLS handshake with 127.0.0.1:\d+ failed \(.+\)\. Does this port support https\?$/,
  )
  // Port 1 is closed.
  t.match(
    shown(await by({}, 'https://127.0.0.1:1'), 'no-handshake'),
    /^unreachable: no TLS connection to 127.0.0.1:1 \(ECONNREFUSED\)\. Check host and port, and that the participant runs\.$/,
  )
})

t.test('states each limitation with its remedy', async (t) => {
  const findings: Finding[] = []
  const refusing: Caller = () => Promise.reject(new TargetError('no'))
  const known = { version: '3.5.10', participantId: 'p', synchronizerIds: ['one'], externalParties: true as const }
  const unknown = { ...known, participantId: undefined, synchronizerIds: [] }
  findings.push(...describeSynchronizers(unknown, undefined))
  findings.push(
    ...checkProvisioning(
      { ...known, externalParties: { code: 'synchronizer-unknown' } },
      { code: 'no-administrator' },
      undefined,
      { prepare: { code: 'operation-unreachable', operation: 'prepare' } },
    ),
  )
  const unprepared = { protocolVersion: undefined, synchronizerId: undefined, hashesByThirdScheme: false, checks: [] }
  findings.push(
    ...checkProvisioning(
      { ...known, externalParties: { code: 'request-failed', message: 'it failed' } },
      { user: 'me' },
      unprepared,
      {},
    ),
  )
  const parties = new Map([['alice', 'al::1220']])
  findings.push(...(await checkPermissions(parties, () => Promise.resolve({ connectedSynchronizers: [] }))))
  findings.push(...(await checkPermissions(parties, refusing)))
  const hindered = { capability: { hindered: { code: 'no-packages' as const } }, missing: [], wronglyVetted: [] }
  const packages = [{ title: 'a 1', id: 'ab', dar: '', vetted: true }]
  findings.push(...(await checkPackages(packages, hindered, known, refusing)))
  findings.push(...(await checkPackages(packages, { ...hindered, capability: true }, unknown, refusing)))
  findings.push(checkProfile(chooseProfile({ profile: reference, suite }, '4.0.1')))
  findings.push(checkProfile(chooseProfile({ profile: reference, suite }, undefined)))
  findings.push(checkClock(undefined), checkClock(-7_200_000))
  const check = {
    target: {
      ...withToken('http://a', 'x'),
      callers: new Map([['alice', { user: 'al', rights: ['CanActAs alice'] }]]),
    },
    skew: undefined,
    unreachable: new Set<string>(),
  }
  findings.push(...(await checkIdentities({ ...check, as: () => refusing })))
  const undeclared = { ...check, target: { ...check.target, callers: new Map([['alice', { user: 'al' }]]) } }
  findings.push(...(await checkIdentities({ ...undeclared, as: () => refusing })))
  findings.push(
    ...(await checkIdentities({ ...undeclared, as: () => refusing, unreachable: new Set(['list-user-rights']) })),
  )
  t.strictSame(
    findings.map((one) => `${one.code} ${one.level}: ${findingText(one)}`),
    [
      'synchronizer-untold warning: the participant id is unknown; its synchronizer is unknown. Set synchronizer in the settings.',
      'nothing-made warning: a run cannot create parties and users: the run has no administrator credential. Add --token administrator=env:NAME, or name existing parties with --party.',
      'no-onboarding warning: a run cannot onboard external parties: the synchronizer is unknown. Presigned transactions can replace some of them (docs/target-file.md).',
      'no-preparing warning: a run cannot prepare transactions: the settings mark prepare as unreachable. Remove prepare from unreachable if the target has it. Otherwise use presigned transactions.',
      'made good: a run creates parties and users as the user me; doctor does not try it',
      'no-onboarding warning: a run cannot onboard external parties: it failed. Presigned transactions can replace some of them (docs/target-file.md).',
      'not-prepared warning: the target prepares no transaction for the named party. Check that the participant hosts the party, and that its user may act for it. Use --unreachable prepare if the operation is missing.',
      'party-nowhere warning: no synchronizer of this participant hosts the party al::1220 (alice). Check the party id, and that this participant hosts the party.',
      'party-untold good: the permissions of the participant for the party al::1220 (alice) are unknown: no',
      'model-hindered warning: rows cannot use the packages of the conformance model: the settings name no packages',
      'vetting-untold warning: the vetting state is unreadable: no. Rows that change vetting do not run, because the run could not restore it.',
      'model good: the packages of the conformance model (1) are uploaded and vetted as rows need them',
      'profile-unfit warning: the target has version "4.0.1", but the profile new covers 3.5. No profile covers this version. Use --profile interface to judge by the interface text alone.',
      'version-untold good: the version of the target is unknown; the profile new judges',
      'clock-untold good: the target sends no Date header, so its clock is unknown',
      'clock-differs warning: the clock of the target is 2 hours behind the local clock. Correct the wrong clock: the target checks token expiry and submission times by its own clock.',
      'caller good: alice is the user al; its rights, by the settings: CanActAs alice',
      'rights-untold warning: alice is the user al; its rights are unknown: no. State the rights of this user in a target file (rights).',
      'caller good: alice is the user al; its rights are unknown',
    ],
  )
})
