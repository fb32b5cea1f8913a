/** Streams over WebSockets: the elements, callers and rejections of HTTP, and later transactions. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { type Clock, systemClock } from '../../simulator/ledger/state/clock.js'
import { startSimulator } from '../../simulator/simulator.js'
import { controlled, member } from '../support/ledgers/controlled-environment.js'
import { adminClaims, bearer, guarded, right, sign } from '../support/ledgers/guarded-environment.js'
import { environmentOf, objectIn, simulatorEnvironment } from '../support/ledgers/simulator-environment.js'
import { closeCode, rawSocket, refusedHandshake } from './handshake.js'
import { openStream } from './stream-client.js'
import { listed, seenBy, submitPings, updatesOf } from './streams.js'

const codesOf = (messages: readonly JsonValue[]): JsonValue[] =>
  messages.map((message) => member(message, 'code') ?? null)

t.test('a stream starts with the elements of the HTTP list and continues with new ones', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { alice, url } = environment
  await submitPings(environment)
  const filter = { beginExclusive: 0, filter: seenBy(alice), verbose: true }
  const streams: [path: string, request: JsonObject][] = [
    ['/v2/updates', updatesOf(alice)],
    ['/v2/updates/flats', filter],
    ['/v2/updates/trees', filter],
    ['/v2/commands/completions', { userId: 'user', parties: [alice], beginExclusive: 0 }],
  ]
  for (const [path, request] of streams) {
    const earlier = await listed(environment, path, request)
    const stream = await openStream(t, url + path, { request })
    const got: JsonValue[] = []
    for (const _ of earlier) got.push(await stream.next())
    t.strictSame(got, earlier, `${path}: earlier elements`)
    for (const _ of [1, 2]) {
      await submitPings(environment)
      got.push(await stream.next())
    }
    t.strictSame(got, await listed(environment, path, request), `${path}: new elements`)
    stream.close()
    t.equal((await stream.ended).messages.length, got.length, `${path}: no duplicates`)
  }
})

t.test('closes a stream at its end', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { alice, url } = environment
  const begin = Number(await environment.ledgerEnd())
  const ids = Array.from({ length: 250 }, (_, index) => String(index))
  await submitPings(environment, ids)
  const end = Number(await environment.ledgerEnd())
  await submitPings(environment)
  const updates = updatesOf(alice, { beginExclusive: begin, endInclusive: end })
  const stream = await openStream(t, `${url}/v2/updates`, { request: updates })
  t.match(await stream.ended, { code: 1000, messages: await listed(environment, '/v2/updates', updates) })
  const empty = await openStream(t, `${url}/v2/updates`, { request: { ...updates, beginExclusive: end } })
  t.match(await empty.ended, { code: 1000, messages: { length: 0 } })

  const path = '/v2/state/active-contracts'
  const request = { activeAtOffset: end, eventFormat: seenBy(alice) }
  const contracts = await openStream(t, url + path, { request })
  const { code, messages } = await contracts.ended
  t.equal(code, 1000)
  t.equal(messages.length, ids.length, 'more elements than a list')
  t.strictSame(messages.slice(0, 5), [(await environment.wire.post(`${path}?limit=5`, request)).json()].flat())
})

t.test('many concurrent clients receive all transactions', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { alice, bob, url } = environment
  const targets = ['/v2/updates', '/v2/updates/', '//v2//updates', '/v2/updates?limit=1']
  const streams = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      openStream(t, url + targets[index % targets.length], { request: updatesOf(index % 2 ? alice : bob) }),
    ),
  )
  await Promise.all(Array.from({ length: 20 }, () => submitPings(environment)))
  for (const stream of streams) {
    const offsets: number[] = []
    for (let count = 0; count < 20; count += 1) {
      offsets.push(Number(member(await stream.next(), 'update', 'Transaction', 'value', 'offset')))
    }
    t.strictSame(
      offsets,
      [...new Set(offsets)].sort((one, other) => one - other),
    )
  }
})

t.test('identifies callers by header or by subprotocol', async (t) => {
  const { environment, createUser, claims } = await guarded(t)
  const { alice, bob, url } = environment
  await createUser('ann', [right('CanReadAs', alice)])
  const token = await sign(claims('ann'))
  const other = await sign({ ...claims('ann'), exp: 1 })
  const path = `${url}/v2/updates`
  const request = updatesOf(alice, { endInclusive: Number(await environment.ledgerEnd()) || 1 })
  const ending = async (protocols: string[], headers: Record<string, string> = {}, message: JsonObject = request) => {
    const { code, messages } = await (await openStream(t, path, { protocols, headers, request: message })).ended
    return [code, ...messages.map((message) => member(message, 'grpcCodeValue'))]
  }
  const authenticated = 'daml.ws.auth'
  t.strictSame(await ending([`jwt.token.${token}`, authenticated]), [1000])
  t.strictSame(await ending([authenticated, `jwt.token.${token}`]), [1000])
  t.strictSame(await ending([authenticated], bearer(token)), [1000])
  t.strictSame(
    await ending([authenticated, `jwt.token.${other}`], bearer(token)),
    [1000],
    'the header takes precedence',
  )
  const unauthenticated = [1000, 16]
  t.strictSame(await ending([authenticated]), unauthenticated)
  t.strictSame(await ending([authenticated, `jwt.token.${other}`]), unauthenticated, 'expired')
  t.strictSame(await ending([authenticated, token]), unauthenticated, 'a token without its prefix')
  t.strictSame(
    await ending([authenticated, `jwt.token.${token}`], bearer('x')),
    unauthenticated,
    'the header takes precedence',
  )
  const unknownUser = await sign(claims('ghost'))
  t.strictSame(await ending([authenticated, `jwt.token.${unknownUser}`]), [1000, 7], 'an unknown user')
  const forbidden = [1000, 7]
  t.strictSame(await ending([`jwt.token.${token}`, authenticated], {}, updatesOf(bob)), forbidden)
  const malformed = await openStream(t, path, { headers: { authorization: 'Bearer' }, request })
  t.match((await malformed.ended).messages, [{ code: 'INVALID_ARGUMENT', cause: /header Authorization/ }])
})

function heldClock(): { clock: Clock; pass(micros: bigint): void } {
  const waits: { until: bigint; reached: () => void }[] = []
  const reach: Clock['reach'] = (until, signal) =>
    new Promise((resolve) => {
      waits.push({ until, reached: resolve })
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
  const pass = (micros: bigint): void => {
    for (const { until, reached } of waits) if (until <= micros) reached()
  }
  return { clock: { ...systemClock(), reach }, pass }
}

const secret = 'a secret of thirty-two bytes and more'
const adminBearer = async () => bearer(await sign(adminClaims()))

async function watched(t: Test, clock: Clock) {
  const admin = await adminBearer()
  const environment = await controlled(t, { authorization: `hs256:${secret}`, clock }, admin)
  const { wire, alice, url } = environment
  const rights = [right('CanReadAs', alice), right('CanActAs', alice)].map((kind) => ({ kind }))
  await wire.post('/v2/users', { user: { id: 'ann' }, rights }, admin)
  const claims = { ...adminClaims(), sub: 'ann' }
  const token = await sign(claims)
  const submit = () => submitPings(environment, ['x'], bearer(token))
  await submit()
  const protocols = [`jwt.token.${token}`, 'daml.ws.auth']
  const stream = await openStream(t, `${url}/v2/updates`, { protocols, request: updatesOf(alice) })
  await stream.next()
  return { environment, admin, claims, stream, submit }
}

t.test('closes a stream when its token expires', async (t) => {
  const { clock, pass } = heldClock()
  const { claims, stream, submit } = await watched(t, clock)
  pass(BigInt(claims.exp) * 1_000_000n - 1n)
  await submit()
  await stream.next()
  pass(BigInt(claims.exp) * 1_000_000n)
  const { code, messages } = await stream.ended
  t.match(messages.slice(2), [{ grpcCodeValue: 7, cause: /security-sensitive/ }])
  t.equal(code, 1000)
})

t.test('closes a stream before the next element after a change of rights', async (t) => {
  const { environment, admin, stream, submit } = await watched(t, systemClock())
  const { wire, alice } = environment
  const rights = [{ kind: right('CanReadAs', alice) }]
  await wire.send({
    method: 'PATCH',
    path: '/v2/users/ann/rights',
    headers: { 'content-type': 'application/json', ...admin },
    body: JSON.stringify({ userId: 'ann', rights }),
  })
  await submit()
  const { code, messages } = await stream.ended
  t.strictSame(codesOf(messages.slice(1)), ['STALE_STREAM_AUTHORIZATION'])
  t.equal(code, 1000)
})

t.test('sends the error of a rejected request as a message and closes', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { alice, url } = environment
  const json = (request: JsonObject): string => JSON.stringify(request)
  const requests: [path: string, message: string, code: string, cause: RegExp][] = [
    ['/v2/updates', 'hello', 'INVALID_ARGUMENT', /Invalid value for: body/],
    ['/v2/updates', '', 'INVALID_ARGUMENT', /Invalid value for: body/],
    ['/v2/updates', '['.repeat(1_000_000), 'INVALID_ARGUMENT', /Invalid value for: body/],
    ['/v2/updates', '{"beginExclusive":"soon"}', 'INVALID_ARGUMENT', /beginExclusive/],
    ['/v2/updates', '{"beginExclusive":0}', 'INVALID_ARGUMENT', /update_format/],
    ['/v2/updates', json(updatesOf(alice, { beginExclusive: 1000 })), 'OFFSET_AFTER_LEDGER_END', /1000/],
    ['/v2/commands/completions', '{"userId":"user"}', 'MISSING_FIELD', /parties/],
    [
      '/v2/state/active-contracts',
      json({ activeAtOffset: 1000, eventFormat: seenBy(alice) }),
      'OFFSET_AFTER_LEDGER_END',
      /1000/,
    ],
  ]
  for (const [path, message, code, cause] of requests) {
    const stream = await openStream(t, url + path)
    stream.send(message)
    const end = await stream.ended
    t.match(end, { code: 1000, messages: [{ code, cause }] }, `${path} ${message.slice(0, 40)}`)
    t.equal(end.messages.length, 1)
  }
})

t.test('answers an invalid handshake over HTTP', async (t) => {
  const { url, wire } = await simulatorEnvironment(t, { socketLimits: { open: 2 } })
  const updates = '/v2/updates'
  const refused: [title: string, path: string, handshake: Parameters<typeof refusedHandshake>[1], status: number][] = [
    ['without a subprotocol', updates, { headers: { 'sec-websocket-protocol': undefined } }, 400],
    ['other subprotocols', updates, { headers: { 'sec-websocket-protocol': 'jwt.token.x, graphql' } }, 400],
    ['malformed subprotocols', updates, { headers: { 'sec-websocket-protocol': 'daml.ws.auth, a b' } }, 400],
    ['another version', updates, { headers: { 'sec-websocket-version': '1' } }, 400],
    ['without a key', updates, { headers: { 'sec-websocket-key': undefined } }, 400],
    ['a web page', updates, { headers: { origin: 'https://example.com' } }, 403],
    ['a rebound host name', updates, { headers: { host: 'example.com' } }, 403],
    ['an unknown path', '/v2/update', {}, 404],
    ['an operation without a stream', '/v2/commands/submit-and-wait', {}, 405],
    ['another method', updates, { method: 'PUT' }, 405],
    ['another protocol', updates, { headers: { upgrade: 'h2c' } }, 404],
    ['a body', updates, { headers: { 'content-length': '0' } }, 404],
    ['an operation without a stream, by GET', '/v2/version', {}, 200],
  ]
  for (const [title, path, handshake, status] of refused) {
    t.match(await refusedHandshake(url + path, handshake), { status, text: /./ }, title)
  }
  t.match(await refusedHandshake(url + updates, { headers: { 'sec-websocket-protocol': undefined } }), {
    text: /daml\.ws\.auth/,
  })
  const offered = { headers: { origin: 'https://wallet.example', 'sec-fetch-site': 'cross-site' } }
  t.match(await refusedHandshake(url + updates, offered), { status: 403, text: /--allow-origin https:/ })
  const [first] = [await openStream(t, url + updates), await openStream(t, url + updates)]
  t.match(await refusedHandshake(url + updates, {}), { status: 503, text: /No more than 2 WebSockets/ })
  first.close()
  await first.ended
  while ((await refusedHandshake(url + updates, {})).status !== 101);
  t.equal((await wire.send({ method: 'GET', path: '/livez' })).status, 200)
})

t.test('repeated offers on one connection leave no listeners', async (t) => {
  const { url } = await simulatorEnvironment(t)
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  t.teardown(() => process.removeListener('warning', warned))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  const offer = 'GET /v2/version HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
  for (let count = 0; count < 15; count += 1) {
    socket.write(offer)
    t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
  }
  t.strictSame(warnings, [])
})

t.test('accepts streams from permitted origins and hosts', async (t) => {
  const { url } = await simulatorEnvironment(t, { allowOrigins: ['https://wallet.example'], allowHosts: ['ledger'] })
  const status = async (headers: Record<string, string>) =>
    (await refusedHandshake(`${url}/v2/updates`, { headers })).status
  t.equal(await status({ origin: 'https://wallet.example', 'sec-fetch-site': 'cross-site' }), 101)
  t.equal(await status({ host: 'ledger:7575' }), 101)
  t.equal(await status({ origin: 'https://example.com' }), 403)
})

t.test('closes a stream when its state is replaced', async (t) => {
  const environment = await controlled(t)
  await environment.control('POST /snapshots/empty')
  const stream = await openStream(t, `${environment.url}/v2/updates`, { request: updatesOf(environment.alice) })
  await submitPings(environment)
  await stream.next()
  await environment.control('POST /snapshots/empty/restore')
  t.match(await stream.ended, { code: 1012, reason: /state/, messages: { length: 1 } })
})

t.test('records each WebSocket in journal and log without its token', async (t) => {
  const printed = t.capture(console, 'error')
  const environment = await controlled(t, { authorization: `hs256:${secret}`, verbose: true }, await adminBearer())
  const token = await sign({ ...adminClaims(), exp: 1 })
  const request = { ...updatesOf(environment.alice), updateFormat: token }
  const protocols = ['daml.ws.auth', `jwt.token.${token}`]
  await (await openStream(t, `${environment.url}/v2/updates?x=1`, { protocols, request })).ended
  const read = async () => await environment.control('GET /journal?operation=updates')
  while (!(await read()).text.includes('"socket"'));
  const journal = await read()
  const why = 'token rejected: its exp is in the past (1970-01-01T00:00:01.000Z)'
  t.match(objectIn(journal)['exchanges'], [
    {
      operation: 'updates',
      request: { method: 'GET', path: '/v2/updates?x=1', body: { text: /^\{"beginExclusive":0/ } },
      response: { status: 101 },
      rejectedToken: why,
      socket: { sent: 1, code: 1000 },
    },
  ])
  t.notMatch(journal.text, token)
  const lines = printed().map(({ args }) => String(args[0]))
  const line = /^simulator: GET \/v2\/updates: WebSocket closed with 1000 after 1 messages, \d+ ms: (.*)$/
  t.strictSame(
    lines.flatMap((each) => line.exec(each)?.[1] ?? []),
    [why],
  )
  t.notMatch(lines.join(), token)
})

t.test('closes all WebSockets when it stops', async (t) => {
  const simulator = await startSimulator({ socketLimits: { farewell: 50 } })
  const environment = await environmentOf(t, simulator)
  const path = `${environment.url}/v2/updates`
  const [idle, waiting] = [
    await openStream(t, path),
    await openStream(t, path, { request: updatesOf(environment.alice) }),
  ]
  const mute = await rawSocket(path)
  await submitPings(environment)
  await waiting.next()
  await simulator.close()
  for (const stream of [idle, waiting]) t.match(await stream.ended, { code: 1001, reason: 'the simulator stops' })
  t.equal(await closeCode(mute), 1001, 'a client that does not confirm is disconnected')
})
