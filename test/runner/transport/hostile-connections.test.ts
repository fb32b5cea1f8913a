/** Clients that send invalid HTTP: the simulator reports the error and serves other clients. */
import { connect as connectSocket, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import {
  createdContract,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
} from '../../support/ledgers/simulator-environment.js'
import { connect } from '../../support/servers/wire.js'

/** `allowHalfOpen`: the client continues to send after the simulator has ended its side. */
const connected = (environment: SimulatorEnvironment, allowHalfOpen = false): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const address = { port: Number(new URL(environment.url).port), host: '127.0.0.1', allowHalfOpen }
    const socket = connectSocket(address, () => resolve(socket))
    socket.on('error', reject)
  })

const receiveAll = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })

interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

/** Throws for an answer that is not well-formed. */
function answersIn(text: string): RawAnswer[] {
  const [, status, head = '', rest = ''] = /^HTTP\/1\.1 (\d{3}) [^\r\n]+\r\n(.*?)\r\n\r\n(.*)$/s.exec(text) ?? []
  if (status === undefined) throw new Error(`no HTTP answer: ${JSON.stringify(text)}`)
  const headers = new Map(
    head.split('\r\n').map((line): [string, string] => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`no header: ${line}`)
      return [name.toLowerCase(), value]
    }),
  )
  const length = Number(headers.get('content-length'))
  if (!(length <= rest.length)) throw new Error(`a body of ${length} bytes, of which ${rest.length} came`)
  const first = { status: Number(status), headers, body: rest.slice(0, length) }
  return rest.length > length ? [first, ...answersIn(rest.slice(length))] : [first]
}

/**
 * `receiveLimit`: milliseconds, for slow requests; on a busy machine, other requests may exceed a short one.
 * `expectUnchanged`: the ledger is unchanged and the simulator printed nothing.
 */
async function attackedSimulator(t: Test, receiveLimit = 20_000) {
  const environment = await simulatorEnvironment(t, { receiveLimit })
  const printed = t.capture(console, 'error')
  const end = await environment.ledgerEnd()
  const expectUnchanged = async (after: string): Promise<void> => {
    t.equal(await environment.ledgerEnd(), end, `${after}: the ledger is unchanged`)
    t.strictSame(printed(), [], `${after}: nothing is printed`)
  }
  const send = async (...pieces: (string | Buffer)[]): Promise<RawAnswer[]> => {
    const socket = await connected(environment)
    const all = receiveAll(socket)
    for (const piece of pieces) socket.write(piece)
    return answersIn(await all)
  }
  return { environment, send, expectUnchanged }
}

const post = (body: string, ...headers: string[]): string =>
  [`POST ${submitPath} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')

t.test('an invalid request is rejected with its error', async (t) => {
  const { send, expectUnchanged } = await attackedSimulator(t)
  const requests: [title: string, bytes: string | Buffer, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', 'EXPLODE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 501],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: a\r\n\r\n', 400],
    ['two lengths', post('{}', 'Content-Length: 2', 'Content-Length: 3'), 400],
    ['length and chunks', post('0\r\n\r\n', 'Content-Length: 2', 'Transfer-Encoding: chunked'), 400],
    ['a negative length', post('', 'Content-Length: -1'), 400],
    ['a length beyond all bounds', post('', `Content-Length: ${'9'.repeat(40)}`), 400],
    // The reference has no better status for it.
    ['an invalid chunk', post('zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'), 500],
    ['a long head', post('', `X-A: ${'a'.repeat(20_000)}`), 431],
    ['many headers', post('', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: a`)), 400],
    ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 414],
    ['a long chunk extension', post(`1;${'a'.repeat(20_000)}\r\n`, 'Transfer-Encoding: chunked'), 500],
    ['a tunnel', 'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n', 405],
  ]
  for (const [title, bytes, status] of requests) {
    const [answer, ...more] = await send(bytes)
    t.equal(answer?.status, status, title)
    t.match(answer?.headers.get('content-type'), /^text\/plain/, title)
    t.match(answer?.body, /^[\x20-\x7e]+$/, `${title}: ${answer?.body}`)
    t.strictSame(more, [], `${title}: one answer`)
    await expectUnchanged(title)
  }
})

t.test('the simulator ignores upgrade requests and answers as usual', async (t) => {
  const { send, expectUnchanged } = await attackedSimulator(t)
  const upgrade = `GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`
  t.match(await send(upgrade), [{ status: 200 }])
  await expectUnchanged('an upgrade')
  t.match(await send(`GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n${upgrade}`), [{ status: 200 }, { status: 200 }])
  await expectUnchanged('an upgrade after another request')
  // Java's client offers HTTP/2 with every request.
  const offer = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']
  const body = '{"commands":[]}'
  const [whole] = await send(post(body, ...offer, `Content-Length: ${body.length}`))
  t.match(whole, { status: 400, body: /commandId/ }, 'the body arrives')
  const [pieces] = await send(
    post('3\r\n{"c\r\n', ...offer, 'Transfer-Encoding: chunked'),
    `c\r\n${body.slice(3)}\r\n0\r\n\r\n`,
  )
  t.equal(pieces?.body, whole?.body, 'in chunks, too')
  await expectUnchanged('an offer of HTTP/2')
})

t.test('a slow request is rejected with 408 in every state', async (t) => {
  const { environment, send, expectUnchanged } = await attackedSimulator(t, 1000)
  const partial: [title: string, text: string][] = [
    ['half of the head', `POST ${submitPath} HTTP/1.1\r\nHo`],
    ['half of the body', post('{"commands":', 'Content-Length: 1000')],
    ['half of a chunk', post('ff\r\n{"comm', 'Transfer-Encoding: chunked')],
  ]
  for (const [title, text] of partial) {
    const [answer] = await send(text)
    t.equal(answer?.status, 408, title)
    t.match(answer?.body, /did not arrive completely in time/)
    await expectUnchanged(title)
  }
  const socket = await connected(environment)
  const answers = receiveAll(socket)
  const timer = setInterval(() => socket.write(' '), 20)
  socket.write(post('{', 'Content-Length: 100000'))
  t.match(answersIn(await answers), [{ status: 408 }], 'byte by byte')
  clearInterval(timer)
  await expectUnchanged('byte by byte')
})

t.test('the simulator does not execute bytes that follow an answer', async (t) => {
  const { environment, expectUnchanged } = await attackedSimulator(t, 1000)
  const body = JSON.stringify(environment.submission())
  const valid = post(body, `Content-Length: ${Buffer.byteLength(body)}`)
  for (const [title, whole, length] of [
    ['the rest of a body', valid, valid.length - 5],
    ['the rest of a head', valid, 20],
    ['the rest of a head with an unknown path', 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n', 20],
  ] as const) {
    const socket = await connected(environment, true)
    const answers = receiveAll(socket)
    socket.write(whole.slice(0, length))
    socket.once('data', () => socket.end(whole.slice(length)))
    t.match(answersIn(await answers), [{ status: 408 }], title)
    await expectUnchanged(title)
  }
})

t.test('an endless body is discarded and rejected', async (t) => {
  const { environment, expectUnchanged } = await attackedSimulator(t, 500)
  const socket = await connected(environment)
  const answers = receiveAll(socket)
  const chunk = `80000\r\n${'x'.repeat(0x80000)}\r\n`
  let sent = 0
  const pour = (): void => {
    do sent += chunk.length
    while (!socket.destroyed && socket.write(chunk))
  }
  socket.on('drain', pour)
  socket.on('error', () => undefined) // the simulator closes during a write
  socket.write(post('', 'Transfer-Encoding: chunked'))
  pour()
  t.match(answersIn(await answers), [{ status: 408 }], `after ${sent >> 20} MiB`)
  await expectUnchanged('a flood')
})

t.test('a complete request is answered, whatever follows it', async (t) => {
  const { environment, send } = await attackedSimulator(t)
  const printed = t.capture(console, 'error')
  const body = JSON.stringify(environment.submission())
  const answers = await send(post(`${body}rubbish\r\n\r\n`, `Content-Length: ${Buffer.byteLength(body)}`))
  t.match(answers, [{ status: 200, body: /updateId/ }, { status: 400 }])
  t.strictSame(printed(), [])
})

t.test('clients that disconnect leave no state', async (t) => {
  const { environment, expectUnchanged } = await attackedSimulator(t)
  const length = 'Content-Length: 1000'
  const endings: [title: string, end: (socket: Socket) => void][] = [
    ['closes at once', (socket) => socket.end()],
    ['closes in the middle', (socket) => socket.end(post('{"commands":', length))],
    ['resets in the body', (socket) => socket.write(post('{"commands":', length), () => socket.resetAndDestroy())],
    ['resets in the head', (socket) => socket.write('POST / HT', () => socket.resetAndDestroy())],
  ]
  for (const [title, end] of endings) {
    const socket = await connected(environment)
    const closed = receiveAll(socket)
    end(socket)
    await closed
    await expectUnchanged(title)
  }
})

t.test('the simulator serves clients beside hundreds of silent ones', async (t) => {
  const { environment } = await attackedSimulator(t, 1000)
  const silent = await Promise.all(Array.from({ length: 400 }, () => connected(environment)))
  const closed = silent.map(receiveAll)
  const slow = silent.slice(0, 200)
  for (const socket of slow) socket.write(post('{', 'Content-Length: 9'))
  t.ok((await createdContract(environment)).contractId)
  const answers = await Promise.all(closed.slice(0, 200))
  t.ok(
    answers.every((text) => answersIn(text)[0]?.status === 408),
    'the slow ones receive 408',
  )
  for (const socket of silent) socket.destroy()
})

t.test('a connection is kept for the next request', async (t) => {
  const { environment } = await attackedSimulator(t)
  const wire = connect(environment.url, 1)
  t.teardown(() => wire.close())
  for (let round = 0; round < 3; round += 1) t.equal((await wire.send({ method: 'GET', path: '/livez' })).status, 200)
})
