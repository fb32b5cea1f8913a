/** Clients that speak no HTTP, or very slowly, or too much of it: each is told so, and nobody else notices. */
import { connect as connectSocket, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import {
  createdContract,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
} from '../../support/ledgers/simulator-environment.js'
import { connect } from '../../support/servers/wire.js'

/** `stubborn`: it goes on sending when the simulator has nothing more to say. */
const connected = (environment: SimulatorEnvironment, stubborn = false): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const place = { port: Number(new URL(environment.url).port), host: '127.0.0.1', allowHalfOpen: stubborn }
    const socket = connectSocket(place, () => resolve(socket))
    socket.on('error', reject)
  })

/** Everything that comes over a connection until the simulator closes it. */
const heard = (socket: Socket): Promise<string> =>
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

/** Takes answers apart; throws where one is not well-formed. */
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

/** A simulator that is patient for 300 ms. Afterwards it has to be as it was, and to have said nothing. */
async function besieged(t: Test) {
  const environment = await simulatorEnvironment(t, { receiveLimit: 300 })
  const printed = t.capture(console, 'error')
  const end = await environment.ledgerEnd()
  const stillWell = async (after: string): Promise<void> => {
    t.equal(await environment.ledgerEnd(), end, `${after}: nothing was done`)
    t.strictSame(printed(), [], `${after}: nothing to complain of`)
  }
  const say = async (...pieces: (string | Buffer)[]): Promise<RawAnswer[]> => {
    const socket = await connected(environment)
    const all = heard(socket)
    for (const piece of pieces) socket.write(piece)
    return answersIn(await all)
  }
  return { environment, say, stillWell }
}

const post = (body: string, ...headers: string[]): string =>
  [`POST ${submitPath} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')

t.test('what is no request is answered with what is wrong with it', async (t) => {
  const { say, stillWell } = await besieged(t)
  const requests: [title: string, bytes: string | Buffer, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method of nobody', 'EXPLODE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: a\r\n\r\n', 400],
    ['two lengths', post('{}', 'Content-Length: 2', 'Content-Length: 3'), 400],
    ['length and chunks', post('0\r\n\r\n', 'Content-Length: 2', 'Transfer-Encoding: chunked'), 400],
    ['a negative length', post('', 'Content-Length: -1'), 400],
    ['a length beyond all bounds', post('', `Content-Length: ${'9'.repeat(40)}`), 400],
    ['no chunk', post('zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'), 400],
    ['a long head', post('', `X-A: ${'a'.repeat(20_000)}`), 431],
    ['many headers', post('', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: a`)), 431],
    ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['a long chunk extension', post(`1;${'a'.repeat(20_000)}\r\n`, 'Transfer-Encoding: chunked'), 413],
    ['a tunnel', 'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n', 405],
  ]
  for (const [title, bytes, status] of requests) {
    const [answer, ...more] = await say(bytes)
    t.equal(answer?.status, status, title)
    t.match(answer?.headers.get('content-type'), /^text\/plain/, title)
    t.match(answer?.body, /^[\x20-\x7e]+$/, `${title}: ${answer?.body}`)
    t.strictSame(more, [], `${title}: one answer`)
    await stillWell(title)
  }
})

t.test('a request to change the protocol is a request like others', async (t) => {
  const { say, stillWell } = await besieged(t)
  const upgrade = `GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`
  t.match(await say(upgrade), [{ status: 200 }])
  await stillWell('an upgrade')
  t.match(await say(`GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n${upgrade}`), [{ status: 200 }, { status: 200 }])
  await stillWell('an upgrade behind another request')
  // Java's client offers HTTP/2 with every request.
  const offer = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']
  const body = '{"commands":[]}'
  const [whole] = await say(post(body, ...offer, `Content-Length: ${body.length}`))
  t.match(whole, { status: 400, body: /commandId/ }, 'the body arrives')
  const [pieces] = await say(
    post('3\r\n{"c\r\n', ...offer, 'Transfer-Encoding: chunked'),
    `c\r\n${body.slice(3)}\r\n0\r\n\r\n`,
  )
  t.equal(pieces?.body, whole?.body, 'in pieces, too')
  await stillWell('an offer of HTTP/2')
})

t.test('who is too slow is told so, wherever he dawdles', async (t) => {
  const { environment, say, stillWell } = await besieged(t)
  const begun: [title: string, text: string][] = [
    ['says half of the head', `POST ${submitPath} HTTP/1.1\r\nHo`],
    ['says half of the body', post('{"commands":', 'Content-Length: 1000')],
    ['says half of a chunk', post('ff\r\n{"comm', 'Transfer-Encoding: chunked')],
  ]
  for (const [title, text] of begun) {
    const [answer] = await say(text)
    t.equal(answer?.status, 408, title)
    t.match(answer?.body, /did not arrive completely in time/)
    await stillWell(title)
  }
  const socket = await connected(environment)
  const answers = heard(socket)
  const timer = setInterval(() => socket.write(' '), 20)
  socket.write(post('{', 'Content-Length: 100000'))
  t.match(answersIn(await answers), [{ status: 408 }], 'drips byte by byte')
  clearInterval(timer)
  await stillWell('a drip')
})

t.test('what comes after an answer is not carried out', async (t) => {
  const { environment, stillWell } = await besieged(t)
  const body = JSON.stringify(environment.submission())
  const valid = post(body, `Content-Length: ${Buffer.byteLength(body)}`)
  for (const [title, whole, length] of [
    ['the rest of a body', valid, valid.length - 5],
    ['the rest of a head', valid, 20],
    ['the rest of a head that leads nowhere', 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n', 20],
  ] as const) {
    const socket = await connected(environment, true)
    const answers = heard(socket)
    socket.write(whole.slice(0, length))
    socket.once('data', () => socket.end(whole.slice(length)))
    t.match(answersIn(await answers), [{ status: 408 }], title)
    await stillWell(title)
  }
})

t.test('a body without an end is dropped as it comes, and given up', async (t) => {
  const { environment, stillWell } = await besieged(t)
  const socket = await connected(environment)
  const answers = heard(socket)
  const chunk = `80000\r\n${'x'.repeat(0x80000)}\r\n`
  let sent = 0
  const pour = (): void => {
    do sent += chunk.length
    while (!socket.destroyed && socket.write(chunk))
  }
  socket.on('drain', pour)
  socket.on('error', () => undefined) // the simulator closes while more is on its way
  socket.write(post('', 'Transfer-Encoding: chunked'))
  pour()
  t.match(answersIn(await answers), [{ status: 408 }], `after ${sent >> 20} MiB`)
  await stillWell('a flood')
})

t.test('a request that did arrive is answered, whatever follows it', async (t) => {
  const { environment, say } = await besieged(t)
  const printed = t.capture(console, 'error')
  const body = JSON.stringify(environment.submission())
  const answers = await say(post(`${body}rubbish\r\n\r\n`, `Content-Length: ${Buffer.byteLength(body)}`))
  t.match(answers, [{ status: 200, body: /updateId/ }, { status: 400 }])
  t.strictSame(printed(), [])
})

t.test('who goes away leaves nothing behind', async (t) => {
  const { environment, stillWell } = await besieged(t)
  const length = 'Content-Length: 1000'
  const parting: [title: string, part: (socket: Socket) => void][] = [
    ['closes at once', (socket) => socket.end()],
    ['closes in the middle', (socket) => socket.end(post('{"commands":', length))],
    ['breaks off', (socket) => socket.write(post('{"commands":', length), () => socket.resetAndDestroy())],
    ['breaks off the head', (socket) => socket.write('POST / HT', () => socket.resetAndDestroy())],
  ]
  for (const [title, part] of parting) {
    const socket = await connected(environment)
    const closed = heard(socket)
    part(socket)
    await closed
    await stillWell(title)
  }
})

t.test('hundreds of silent clients keep nobody from working', async (t) => {
  const { environment } = await besieged(t)
  const silent = await Promise.all(Array.from({ length: 400 }, () => connected(environment)))
  const closed = silent.map(heard)
  const slow = silent.slice(0, 200)
  for (const socket of slow) socket.write(post('{', 'Content-Length: 9'))
  t.ok((await createdContract(environment)).contractId)
  const answers = await Promise.all(closed.slice(0, 200))
  t.ok(
    answers.every((text) => answersIn(text)[0]?.status === 408),
    'the slow ones are sent away',
  )
  for (const socket of silent) socket.destroy()
})

t.test('a connection is kept for the next request', async (t) => {
  const { environment } = await besieged(t)
  const wire = connect(environment.url, 1)
  t.teardown(() => wire.close())
  for (let round = 0; round < 3; round += 1) t.equal((await wire.send({ method: 'GET', path: '/livez' })).status, 200)
})
