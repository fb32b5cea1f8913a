/** Connections to a target: certificates, proxies, headers, redirects. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../../record/file/read-record.js'
import { callerAs } from '../../../runner/provision/caller.js'
import { type ConnectionSettings, plainConnection } from '../../../runner/target/connection/connection-settings.js'
import { proxyFor } from '../../../runner/target/connection/proxy-for.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { resultText } from '../../support/records/result-text.js'
import { unpackReport } from '../../support/records/unpack-report.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { forwardProxy, tlsGateway } from '../../support/servers/gateways.js'
import { answering, ok, rawTarget } from '../../support/servers/raw-target.js'

const label = { step: 0, role: 'act' } as const
const request = { method: 'POST', path: '/v2', headers: [['x-a', '1']] as [string, string][], body: Buffer.from('{}') }

const send = (url: string, more: Partial<ConnectionSettings>, timeLimit = 10_000) =>
  createTransport(url, timeLimit, { ...plainConnection, ...more }).send(request, label)

t.test('server certificates are verified unless insecure, and the client sends its own', async (t) => {
  const target = await rawTarget(t, (socket) => socket.write(ok))
  const certificates = await makeCertificates(t.testdir({}))
  const gateway = await tlsGateway(t, target.url, certificates, { base: '/base', header: ['x-key', 'short'] })
  const [ca, certificate, key] = await Promise.all(
    Object.values(certificates.files).map((file) => readFile(file, 'utf8')),
  )
  if (ca === undefined || certificate === undefined || key === undefined) throw new Error('expected three files')
  const client = { certificate, key }
  const headers = [['x-key', 'short']] as const
  const through = await send(gateway.url, { ca, client, headers })
  t.equal(through.response?.status, 200)
  t.match(target.received[0]?.toString(), /^POST \/v2 HTTP\/1.1\r\n[\s\S]*x-key: short\r\n/)
  t.match(through.request.headers, [
    ['x-a', '1'],
    ['x-key', '[redacted: header x-key]'],
  ])
  t.match(through.request.url, `${gateway.url}/v2`)
  t.match((await send(gateway.url, { client, headers })).problem, {
    code: 'refused',
    message: /DEPTH_ZERO_SELF_SIGNED_CERT/,
  })
  t.equal((await send(gateway.url, { insecure: true, client, headers })).response?.status, 200)
  t.ok((await send(gateway.url, { ca, headers })).problem, 'without a client certificate')
  t.equal((await send(gateway.url, { ca, client })).response?.status, 418)
})

t.test('requests go through the proxy, over HTTP and over TLS', async (t) => {
  const target = await rawTarget(t, (socket) => socket.write(ok))
  const plain = await forwardProxy(t, target.url, 'me:pass')
  const environment = { HTTP_PROXY: plain.url, HTTPS_PROXY: plain.url }
  t.equal((await send('http://participant.example:8080/base', { environment })).response?.status, 200)
  t.strictSame(plain.seen, ['POST http://participant.example:8080/base/v2'])
  t.match(target.received[0]?.toString(), /^POST \/base\/v2 HTTP\/1.1\r\n/)
  const wrong = { proxy: new URL(plain.url.replace('pass', 'word')) }
  t.equal((await send('http://participant.example', wrong)).response?.status, 407)
  const certificates = await makeCertificates(t.testdir({}))
  const gateway = await tlsGateway(t, target.url, certificates, { base: '', header: ['x-key', 'k'] })
  const tunnel = await forwardProxy(t, gateway.url, 'me:pass')
  const { certificate, key } = certificates.files
  const client = { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
  const settings = {
    ca: certificates.server.cert,
    client,
    headers: [['x-key', 'k']] as const,
    proxy: new URL(tunnel.url),
  }
  t.equal((await send(gateway.url, settings)).response?.status, 200)
  t.strictSame(tunnel.seen, [`CONNECT ${new URL(gateway.url).host}`])
  const refused = await send(gateway.url, { ...settings, proxy: new URL(tunnel.url.replace('pass', 'word')) })
  t.strictSame(refused.problem, { code: 'refused', message: 'the proxy refused the connection to the target (407)' })
})

t.test('the time limit applies to a silent proxy', async (t) => {
  const silent = await rawTarget(t, () => undefined)
  const { problem } = await send('https://participant.example', { proxy: new URL(silent.url) }, 150)
  t.strictSame(problem, { code: 'timeout', message: 'no complete answer within 0.15 s' })
})

t.test('environment variables select the proxy by the rules of curl', (t) => {
  const environment = {
    HTTP_PROXY: 'http://one:1',
    https_proxy: 'two:2',
    NO_PROXY: 'inside.example, .other:8443,10.0.0.1',
  }
  const found: [url: string, proxy: string | undefined][] = [
    ['http://participant.example', 'one:1'],
    ['https://participant.example', 'two:2'],
    ['https://inside.example', undefined],
    ['https://deep.inside.example', undefined],
    ['https://notinside.example', 'two:2'],
    ['https://a.other:8443', undefined],
    ['https://a.other', 'two:2'],
    ['http://10.0.0.1', undefined],
    ['http://127.0.0.1:7575', undefined],
    ['http://localhost', undefined],
  ]
  for (const [url, proxy] of found)
    t.equal(proxyFor(new URL(url), { ...plainConnection, environment })?.host, proxy, url)
  const all = { ...plainConnection, environment: { ALL_PROXY: 'http://three:3', NO_PROXY: '*' } }
  t.equal(proxyFor(new URL('http://a.b'), all), undefined)
  t.equal(proxyFor(new URL('http://127.0.0.1'), { ...all, proxy: new URL('http://four:4') })?.host, 'four:4')
  const wrong = { ...plainConnection, environment: { HTTP_PROXY: 'socks5://me:planted@x' } }
  t.throws(() => proxyFor(new URL('http://a.b'), wrong), {
    name: 'UsageError',
    message: /^HTTP_PROXY: expected the http or https URL of a proxy, such as [^@]*$/,
  })
  for (const password of ['a%00b', 'a%0d%0aX-Y: z', 'a%', 'a%zz', '%ff']) {
    const environment = { HTTP_PROXY: `http://me:planted-${password}@proxy:1` }
    t.throws(() => proxyFor(new URL('http://a.b'), { ...plainConnection, environment }), {
      name: 'UsageError',
      message:
        /^HTTP_PROXY: the user or the password of the proxy has an invalid %-escape or a control character\. [^@]*$/,
    })
  }
  t.end()
})

t.test('a redirect is reported with its location and not followed', async (t) => {
  const head = 'HTTP/1.1 307 Temporary Redirect\r\nLocation: https://elsewhere.example/base'
  const target = await rawTarget(t, answering('', head))
  const call = callerAs('u', createTransport(target.url, 5000), { header: () => Promise.resolve(undefined) })
  await t.rejects(call('version'), {
    name: 'TargetError',
    message: /returned 307, a redirect to "?https:\/\/elsewhere.example\/base"?\. Use that location as the target\.$/,
  })
  t.equal(target.received.length, 1)
})

t.test('the run rejects an answer with a string of megabytes', async (t) => {
  const target = await rawTarget(t, answering(JSON.stringify({ partyDetails: { party: 'x'.repeat(3_000_000) } })))
  const call = callerAs('u', createTransport(target.url, 5000), { header: () => Promise.resolve(undefined) })
  await t.rejects(call('allocate-party', {}), {
    name: 'TargetError',
    message: /^allocate-party \(.*\) returned a string of 3000000 characters\. The runner supports at most 2097152\.$/,
  })
  const many = await rawTarget(t, answering(JSON.stringify({ ids: Array(50_000).fill('x'.repeat(60)) })))
  const list = callerAs('u', createTransport(many.url, 5000), { header: () => Promise.resolve(undefined) })
  t.match(await list('packages'), { ids: { length: 50_000 } }, 'many short strings are accepted')
})

t.test('every report states that certificates were not verified', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const folder = t.testdir({})
  const certificates = await makeCertificates(folder)
  const gateway = await tlsGateway(t, url, certificates, { base: '', header: ['x-key', 'k'] })
  const { certificate, key } = certificates.files
  const settings = [
    '--client-certificate',
    certificate,
    '--client-key',
    key,
    '--header',
    'x-key=k',
    '--only',
    'CBI-HEADERS*',
  ]
  const refused = await conformIn({ folder }, 'run', '--target', gateway.url, ...settings)
  t.match(refused, {
    code: 3,
    stderr: /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If the server is the intended one, .* with --ca FILE\./,
  })
  const ended = await conformIn(
    { folder },
    'run',
    '--target',
    gateway.url,
    ...settings,
    '--insecure',
    '--request-timeout',
    '25',
  )
  t.match(ended, { code: 0, stdout: /The TLS certificate was not checked \(insecure\)/ })
  const results = join(folder, 'results', 'latest')
  const { header } = await readRecord(join(results, 'run.ndjson.br'))
  t.match(header, { target: { connection: { insecure: true, headers: ['x-key'] } }, timeLimits: { exchange: 25_000 } })
  for (const name of (await readdir(results)).filter((file) => file !== 'summary.json')) {
    const text = await resultText(join(results, name))
    const { page, data } = unpackReport(text)
    t.match([page, ...data].join('\n'), /insecure/, name)
  }
})
