/** Requests that the simulator accepts, by host name and by origin. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readTargetFile } from '../../runner/target/settings-layer.js'
import { SettingError, type SimulatorOptions, startSimulator } from '../../simulator/simulator.js'
import { controlled, get, refusal } from '../support/ledgers/controlled-environment.js'
import { submitPath } from '../support/ledgers/simulator-environment.js'
import { launchBrowser } from '../support/processes/browser.js'
import { conform, conformIn, simulate, simulateIn } from '../support/processes/conform-process.js'
import { connect } from '../support/servers/wire.js'

const page = 'http://localhost:3000'

async function started(t: Test, options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ control: true, ...options })
  t.teardown(() => simulator.close())
  const port = Number(new URL(simulator.url).port)
  const say = async (request: string): Promise<string> => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.end(request)
    return textOf(socket)
  }
  return { ...simulator, say }
}

t.test('rejects web pages and foreign hosts by default', async (t) => {
  const { wire, control, submission, ledgerEnd } = await controlled(t)
  const end = await ledgerEnd()
  const refused: [headers: Record<string, string>, code: string, message: RegExp][] = [
    [
      { origin: 'http://evil.example' },
      'ORIGIN_NOT_ALLOWED',
      /"Origin: http:\/\/evil\.example".*--allow-origin http:\/\/evil\.example \(library: allowOrigins\)/,
    ],
    [{ origin: 'null' }, 'ORIGIN_NOT_ALLOWED', /"Origin: null".*--allow-origin ORIGIN /],
    [{ origin: 'http://127.0.0.1' }, 'ORIGIN_NOT_ALLOWED', /--allow-origin http:\/\/127\.0\.0\.1 /],
    [{ origin: 'chrome-extension://abc' }, 'ORIGIN_NOT_ALLOWED', /--allow-origin chrome-extension:\/\/abc /],
    [{ 'sec-fetch-site': 'cross-site' }, 'ORIGIN_NOT_ALLOWED', /"Sec-Fetch-Site: cross-site".*--allow-origin ORIGIN /],
    [
      { host: 'evil.example' },
      'HOST_NOT_ALLOWED',
      /"evil\.example".*--allow-host evil\.example \(library: allowHosts\)/,
    ],
    [{ host: 'Participant:7575' }, 'HOST_NOT_ALLOWED', /"Participant:7575".*--allow-host participant /],
    [{ host: 'localhost.evil.example' }, 'HOST_NOT_ALLOWED', /--allow-host/],
    [{ host: '127.0.0.1.evil.example:80' }, 'HOST_NOT_ALLOWED', /--allow-host/],
    [{ host: '127.evil:80' }, 'HOST_NOT_ALLOWED', /--allow-host/],
    [{ host: '10.0.0.1' }, 'HOST_NOT_ALLOWED', /--allow-host 10\.0\.0\.1/],
    [{ host: `~${'a'.repeat(300)}` }, 'HOST_NOT_ALLOWED', /"~a{190,}….*--allow-host NAME /],
  ]
  for (const [headers, code, message] of refused) {
    const title = JSON.stringify(headers)
    const change = { method: 'POST', path: '/control/clock/freeze', headers }
    for (const request of [
      get('/control', headers),
      change,
      get('/control/nothing', headers),
      get('/livez', headers),
      get('/nothing', headers),
      { path: submitPath, body: JSON.stringify(submission()), headers },
    ]) {
      const answer = await wire.send(request)
      t.equal(refusal(answer), `403 ${code}`, title)
      t.match(answer.json(), { message }, title)
    }
  }
  t.match((await control('GET /clock')).json(), { frozen: false })
  t.equal(await ledgerEnd(), end)
  for (const host of ['localhost', '127.0.0.1:80', '[::1]:7575'])
    t.equal((await wire.post(submitPath, submission(), { host })).status, 200, host)
  const friends = [
    { host: '' },
    { host: 'localhost:' },
    { host: 'LOCALHOST:1' },
    { host: '[::1]:80' },
    { host: '127.0.0.2' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of friends) {
    t.equal((await wire.send(get('/control', headers))).status, 200, JSON.stringify(headers))
  }
})

t.test('HTTP/1.1 requires one Host header, which an absolute request target must repeat', async (t) => {
  const { say, url } = await started(t)
  const { host } = new URL(url)
  for (const path of ['/livez', '/control']) {
    const missing = await say(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    t.match(missing, /^HTTP\/1\.1 400 [\s\S]*missing required `Host`/, path)
    for (const second of [host, 'evil.example']) {
      const twice = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nHost: ${second}\r\nConnection: close\r\n\r\n`
      t.match(await say(twice), /^HTTP\/1\.1 400 /, `${path}: two Host headers, the second is ${second}`)
    }
    t.match(await say(`GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /, `${path} by HTTP/1.0`)
    const absolute = (target: string, named: string): Promise<string> =>
      say(`GET ${target} HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`)
    for (const origin of [`http://${host}`, `HTTPS://${host.toUpperCase()}`, `http://user:word@${host}`])
      t.match(await absolute(origin + path, host), /^HTTP\/1\.1 200 /, `${origin}${path}`)
    for (const [target, named] of [
      [`http://${host}${path}`, 'evil.example'],
      [`http://evil.example${path}`, host],
      [`http://${host}@evil.example${path}`, host],
      [`ftp://${host}${path}`, host],
      [`${host}${path}`, host],
    ] as const)
      t.match(await absolute(target, named), /^HTTP\/1\.1 400 /, `${target}, Host: ${named}`)
    const both = await absolute(`http://evil.example${path}`, 'evil.example')
    t.match(both, /^HTTP\/1\.1 403 [\s\S]*"code":"HOST_NOT_ALLOWED"/, path)
  }
})

t.test('serves only permitted hosts, in any case and with any port', async (t) => {
  const { url } = await started(t, { allowHosts: ['Participant', 'svc.cluster.local', '10.1.2.3', '[fe80::1]'] })
  const wire = connect(url)
  t.teardown(() => wire.close())
  for (const host of [
    'participant',
    'PARTICIPANT:7575',
    'svc.cluster.local',
    '10.1.2.3:80',
    '[FE80::1]:80',
    'localhost',
  ])
    t.equal((await wire.send(get('/livez', { host }))).status, 200, host)
  for (const host of ['participant.evil.example', 'x.svc.cluster.local', '10.1.2.4', '[fe80::2]'])
    t.equal((await wire.send(get('/livez', { host }))).status, 403, host)
})

const corsOf = ({ headers }: Response) => ({
  vary: headers.get('vary'),
  origin: headers.get('access-control-allow-origin'),
  methods: headers.get('access-control-allow-methods'),
  headers: headers.get('access-control-allow-headers'),
  credentials: headers.get('access-control-allow-credentials'),
})

t.test('serves web pages of permitted origins only', async (t) => {
  const { url } = await started(t, { allowOrigins: [page, 'https://wallet.example'], authorization: 'hs256:secret' })
  const readable = { vary: 'Origin', origin: page, methods: null, headers: null, credentials: null }
  for (const [path, status] of [
    ['/livez', 200],
    ['/v2/state/ledger-end', 401],
    ['/v2/nothing', 404],
    ['/control/clock', 200],
  ] as const) {
    const answer = await fetch(url + path, { headers: { origin: page, 'sec-fetch-site': 'cross-site' } })
    t.equal(answer.status, status, path)
    t.strictSame(corsOf(answer), readable, path)
  }
  const preflightHeaders = {
    origin: page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const preflight = await fetch(`${url}/v2/commands/submit-and-wait`, { method: 'OPTIONS', headers: preflightHeaders })
  t.equal(preflight.status, 204)
  t.strictSame(corsOf(preflight), {
    ...readable,
    methods: 'GET, POST, PUT, PATCH, DELETE',
    headers: '*, Authorization',
  })
  t.equal(
    (await fetch(`${url}/livez`, { method: 'OPTIONS', headers: { origin: page } })).status,
    405,
    'without a preflight',
  )

  const none = { vary: 'Origin', origin: null, methods: null, headers: null, credentials: null }
  t.strictSame(corsOf(await fetch(`${url}/livez`)), none, 'a request without an origin')
  for (const origin of ['https://wallet.example:444', 'http://wallet.example', 'https://wallet.example.evil', 'null']) {
    const answer = await fetch(`${url}/livez`, { method: 'OPTIONS', headers: { ...preflightHeaders, origin } })
    t.equal(answer.status, 403, origin)
    t.strictSame(corsOf(answer), none, origin)
  }
  const closed = await started(t)
  t.equal((await fetch(`${closed.url}/livez`)).headers.get('vary'), null, 'no Vary header without permitted origins')
})

const settings: [option: 'allowHosts' | 'allowOrigins', value: string, message: RegExp][] = [
  ['allowHosts', '', /expected a host name or address without a port, not ""/],
  ['allowHosts', 'participant:7575', /not "participant:7575"/],
  ['allowHosts', 'http://participant', /not "http:\/\/participant"/],
  ['allowHosts', '*', /not "\*"/],
  ['allowHosts', 'a b', /not "a b"/],
  ['allowOrigins', '', /expected the origin of a web page, not ""; for example http:\/\/localhost:3000/],
  ['allowOrigins', '*', /not "\*"; for example/],
  ['allowOrigins', 'null', /not "null"; for example/],
  ['allowOrigins', 'localhost:3000', /not "localhost:3000"; for example/],
  ['allowOrigins', 'http://localhost:3000/', /not "http:\/\/localhost:3000\/"; did you mean http:\/\/localhost:3000\?/],
  ['allowOrigins', 'HTTP://Wallet.example:80/a?b', /did you mean http:\/\/wallet\.example\?/],
  ['allowOrigins', 'file:///index.html', /for example/],
]

t.test('rejects malformed host names and origins before it listens', async (t) => {
  for (const [option, value, message] of settings)
    await t.rejects(startSimulator({ [option]: [value] }), { name: 'SettingError', option, message }, value)
  await t.rejects(startSimulator({ allowHosts: ['a', ''] }), SettingError)
})

t.test('the command rejects them with exit code 2 and the place in conform.yaml', async (t) => {
  const called = await conform('simulate', '--port', '0', '--allow-origin', page, 'localhost:3000')
  t.match(called, { code: 2, stdout: '', stderr: /^allow-origin: expected the origin .* not "localhost:3000"/ })
  const folder = t.testdir({ 'conform.yaml': 'simulator:\n  allow-origin: [localhost]\n' })
  const stderr = /^conform\.yaml:2:17: error: allow-origin: expected the origin of a web page, not "localhost"/
  t.match(await conformIn({ folder }, 'simulate', '--port', '0'), { code: 2, stdout: '', stderr })
})

t.test('reports the line of a mistake in the simulator section; other commands ignore the section', async (t) => {
  const file = join(t.testdir(), 'conform.yaml')
  const wrong: [content: string, message: RegExp][] = [
    [
      'simulator:\n  allow-host: [a]\n  allow-origins: [b]\n',
      /:3:3: error: unknown key "allow-origins"[\s\S]*did you mean "allow-origin"/,
    ],
    ['simulator:\n  allow-host: participant\n', /:2:15: error: "allow-host" must be a list/],
    ['simulator:\n  max-token-lifetime: 0\n', /:2:23: error: "max-token-lifetime" must be >= 1/],
    ['simulator: {}\n', /:1:12: error: "simulator" is empty/],
    ['simulator: [\n', /:1:\d+: error: invalid YAML/],
    ['- simulator\n', /:1:1: error: a target file must be a map/],
  ]
  for (const [content, message] of wrong) {
    writeFileSync(file, content)
    await t.rejects(readTargetFile(file, {}, ['simulator']), { name: 'FindingsError', message }, content)
  }
  writeFileSync(file, 'target: http://127.0.0.1:1\nsimulator:\n  allow-host: [participant]\n')
  await t.resolves(readTargetFile(file, {}))
  writeFileSync(file, `target: \${NOT_SET}\nsimulator:\n  allow-host: [participant]\n`)
  await t.resolves(readTargetFile(file, {}, ['simulator']))
  await t.rejects(readTargetFile(file, {}), /NOT_SET is not set/)
})

t.test('options override conform.yaml, and only its simulator section is read', async (t) => {
  const folder = t.testdir({
    // A run would need the variable.
    'conform.yaml': `token: \${NOT_SET}\nsimulator:\n  allow-host: [participant]\n  allow-origin: ['${page}']\n`,
  })
  const simulator = await simulateIn(folder, '--allow-host', 'other')
  t.teardown(() => simulator.stop())
  const wire = connect(simulator.url)
  t.teardown(() => wire.close())
  const statusFor = async (headers: Record<string, string>) => (await wire.send(get('/livez', headers))).status
  t.equal(await statusFor({ origin: page }), 200)
  t.equal(await statusFor({ host: 'other' }), 200)
  t.equal(await statusFor({ host: 'participant' }), 403)
})

t.test('a browser page of another origin reads answers only with --allow-origin', async (t) => {
  const site = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page</p>'),
  )
  await once(site.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => site.close())
  const origin = `http://localhost:${(site.address() as AddressInfo).port}` // a TCP address
  const [open, closed] = await Promise.all([simulate('--allow-origin', origin, '--verbose'), startSimulator()])
  t.teardown(() => Promise.all([open.stop(), closed.close()]))
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const tab = await browser.newPage()
  await tab.goto(origin)
  const read = (url: string): Promise<string> =>
    tab.evaluate(async (target) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer of-no-use' }
      const body = JSON.stringify({ partyIdHint: 'alice' })
      try {
        const answer = await fetch(`${target}/v2/parties`, { method: 'POST', headers, body })
        return `${answer.status} ${await answer.text()}`
      } catch (error) {
        return String(error)
      }
    }, url)
  t.match(await read(open.url), /^200 \{"partyDetails":\{"party":"alice::/)
  t.equal(await read(closed.url), 'TypeError: Failed to fetch')
  const parties = await fetch(`${closed.url}/v2/parties`)
  t.match(await parties.json(), { partyDetails: [] }, 'nothing was allocated')
  const stream = (url: string): Promise<string> =>
    tab.evaluate(
      (target) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${target.replace('http', 'ws')}/v2/updates`, [
            'jwt.token.of-no-use',
            'daml.ws.auth',
          ])
          socket.onopen = () => socket.send('{}')
          socket.onmessage = ({ data }) => resolve(String(data))
          socket.onclose = ({ code }) => resolve(`closed with ${code}`)
        }),
      url,
    )
  t.match(await stream(open.url), /"code":"INVALID_ARGUMENT"/)
  t.equal(await stream(closed.url), 'closed with 1006')
  await open.stop()
  t.match(
    open.errorOutput(),
    /simulator: OPTIONS \/v2\/parties: 204, \d+ ms\nsimulator: POST \/v2\/parties: 200, \d+ ms\n/,
  )
})

t.test('listens on the given address, and warns if other machines can reach it', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outer = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address
  const open = await simulate('--host', '0.0.0.0', '--control')
  t.match(open.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { port } = new URL(open.url)
  for (const address of ['127.0.0.1', ...(outer === undefined ? [] : [outer])]) {
    const wire = connect(`http://${address}:${port}`)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version' })).status, 200, address)
    t.equal((await wire.send({ method: 'GET', path: '/control' })).status, 200, `control plane on ${address}`)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version', headers: { host: 'evil.example' } })).status, 403)
    await wire.close()
  }
  t.equal(await open.stop(), 0)
  const warning =
    /^warning: the simulator listens on 0\.0\.0\.0\. Other machines .* every operation and the control plane/
  t.match(open.errorOutput(), warning)
  const closed = await conform('simulate', '--port', '0', '--host', 'localhost')
  t.match(closed, { code: 0, stderr: /^$/ })
  const nowhere = await conform('simulate', '--port', '0', '--host', '192.0.2.1')
  t.match(nowhere, { code: 2, stderr: /host: 192\.0\.2\.1 is not an address of this machine/ })
})
