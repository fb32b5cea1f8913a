/** Requests in the wire forms of a suite, and their answers. */
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Evidence } from '../../../record/types/record.js'
import type { WireForm } from '../../../record/types/resolved-row.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { lookUpPath, simulatorEnvironment } from '../../support/ledgers/simulator-environment.js'
import { answering, listen, ok, rawTarget } from '../../support/servers/raw-target.js'

const label = { step: 0, role: 'act' } as const
const headers: [string, string][] = [['accept', 'application/json']]

const send = (url: string, wire: WireForm, body = '{"a":1}', path = '/v2', limit = 10_000): Promise<Evidence> =>
  createTransport(url, limit).send({ method: 'POST', path, headers, body: Buffer.from(body), wire }, label)

const describe = ({ response, problem }: Evidence): string =>
  problem ? `${problem.code}: ${problem.message}` : `${response?.status} ${response?.body.text}`

interface Listener {
  url: string
  /** All bytes of its connection, when that has ended. */
  text: Promise<string>
}

/** Calls `arrived` after each piece with all text so far. */
async function target(t: Test, arrived: (text: string, socket: Socket) => void): Promise<Listener> {
  const server = createServer()
  const text = new Promise<string>((resolve) => {
    server.once('connection', (socket: Socket) => {
      let all = ''
      socket.on('data', (bytes) => {
        all += bytes.toString('latin1')
        arrived(all, socket)
      })
      socket.on('close', () => resolve(all))
    })
  })
  return { url: await listen(t, server), text }
}

t.test('the transport writes the bytes of the wire form', async (t) => {
  const forms: [WireForm, string][] = [
    [{ version: '1.0' }, 'content-length: 7\r\nconnection: close\r\n\r\n{"a":1}'],
    [{ chunked: true }, 'transfer-encoding: chunked\r\nconnection: close\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n'],
  ]
  for (const [form, rest] of forms) {
    const { url, received } = await rawTarget(t, answering('{}'))
    t.equal(describe(await send(url, form)), '200 {}')
    const host = new URL(url).host
    const first = `POST /v2 HTTP/${form.version ?? '1.1'}\r\nhost: ${host}\r\naccept: application/json\r\n`
    t.equal(received[0]?.toString('latin1').slice(0, (first + rest).length), first + rest)
  }
})

t.test('with expect, the body is sent after 100 Continue or a wait, but not after a final answer', async (t) => {
  const patient = await target(t, (text, socket) => {
    if (text.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    if (text.endsWith('{"a":1}')) socket.write(ok)
  })
  t.equal(describe(await send(patient.url, { expect: true })), '200 {}')
  t.match(await patient.text, /\r\nexpect: 100-continue\r\n.*\r\n\r\n\{"a":1\}$/s)
  const inChunks = '4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n'
  const chunked = await target(t, (text, socket) => {
    if (text.endsWith('expect: 100-continue\r\nconnection: close\r\n\r\n'))
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    if (text.endsWith(inChunks)) socket.write(ok)
  })
  t.equal(describe(await send(chunked.url, { expect: true, chunked: true })), '200 {}', 'in chunks')
  const refusing = await target(t, (_, socket) => {
    socket.write('HTTP/1.1 417 No\r\ncontent-length: 2\r\n\r\nno')
  })
  t.equal(describe(await send(refusing.url, { expect: true })), '417 no')
  t.match(await refusing.text, /\r\n\r\n$/, 'without a body')
  const silent = await target(t, (text, socket) => {
    if (text.endsWith('{"a":1}')) socket.write(ok)
  })
  t.equal(describe(await send(silent.url, { expect: true })), '200 {}', 'without 100 Continue')
})

t.test('several requests share a connection, and the last answer is returned', async (t) => {
  for (const pipelined of [false, true]) {
    const environment = await simulatorEnvironment(t)
    const wire: WireForm = { before: ['{}', '{"contractId":7}'], ...(pipelined && { pipelined }) }
    const last = await send(environment.url, wire, '{"contractId":"x"}', lookUpPath)
    t.match(describe(last), /^400 .*INVALID_FIELD/s, pipelined ? 'pipelined' : 'one after the other')
  }
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('data', () => socket.write(ok))
  })
  t.equal(describe(await send(await listen(t, server), { before: ['{}'] })), '200 {}')
  t.equal(connections, 1)
})

t.test('a kept connection that the server closes is replaced once', async (t) => {
  for (const [ending, expected] of [
    [1, '200 {}'],
    [2, /^closed: .* was the last one on the connection$/],
  ] as const) {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      const isEnding = connections <= ending
      socket.on('data', () => (isEnding ? socket.end(ok) : socket.write(ok)))
    })
    t.match(describe(await send(await listen(t, server), { before: ['{}'] })), expected)
    t.equal(connections, 2)
  }
})

t.test('a 408 is the last answer of a connection', async (t) => {
  const server = createServer((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'))
  })
  t.equal(describe(await send(await listen(t, server), { before: ['{}'] })), '408 ')
})

t.test('all forms of HTTP/1 answers are read, and malformed ones are reported', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  const answers: [string, string][] = [
    [`${head}transfer-encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, '200 {}'],
    [`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${ok}`, '200 {}'],
    ['HTTP/1.0 204 \r\n\r\n', '204 '],
    [`${'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(20)}${ok}`, '200 {}'],
    [
      `${'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(21)}${ok}`,
      'malformed: the answer is not valid HTTP (more than 20 interim answers (1xx) before the final answer)',
    ],
    ['no HTTP at all\r\n\r\n', 'malformed: the answer is not valid HTTP (the status line is missing)'],
    [`${head}bad header\r\n\r\n{}`, 'malformed: the answer is not valid HTTP (a header line is invalid)'],
    [
      `${head}content-length: two\r\n\r\n{}`,
      'malformed: the answer is not valid HTTP (content-length is not a number)',
    ],
    [`${head}transfer-encoding: chunked\r\n\r\nx\r\n`, 'malformed: the answer is not valid HTTP (a chunk has no size)'],
    [
      `${head}transfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
      'malformed: the answer is not valid HTTP (a chunk is longer than its size)',
    ],
    ['x'.repeat(70_000), 'malformed: the answer is not valid HTTP (the header section exceeds 64 KiB)'],
  ]
  for (const [answer, expected] of answers) {
    const { url } = await rawTarget(t, (socket) => socket.write(answer))
    t.equal(describe(await send(url, { chunked: true, version: '1.1', before: [] })), expected)
  }
  const { url: unframed } = await rawTarget(t, (socket) => socket.end(`${head}\r\n{"open":"end"}`))
  t.equal(describe(await send(unframed, { version: '1.0' })), '200 {"open":"end"}')
  const { url: short } = await rawTarget(t, (socket) => socket.end(`${head}content-length: 9\r\n\r\n{}`))
  t.match(describe(await send(short, { version: '1.0' })), /^reset: /)
  const { url: endless } = await rawTarget(t, (socket) => {
    socket.write(`${head}content-length: 99999999\r\n\r\n${'x'.repeat(17 * 1024 * 1024)}`)
  })
  t.match(describe(await send(endless, { version: '1.0' })), /^malformed: the answer exceeds 8 MiB/)
})

t.test('a silent and an unreachable target are reported as for other requests', async (t) => {
  const { url } = await rawTarget(t, () => undefined)
  t.match(describe(await send(url, { version: '1.0' }, '{}', '/v2', 200)), /^timeout: /)
  t.match(describe(await send('http://127.0.0.1:1', { version: '1.0' })), /^refused: the target cannot be reached/)
})

t.test('an announced end of the connection is no missing answer', async (t) => {
  const closing = ok.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
  for (const announced of [closing, ok.replace('HTTP/1.1', 'HTTP/1.0')]) {
    const { url } = await target(t, (text, socket) => {
      if (text.endsWith('{"b":2}')) socket.end(announced)
    })
    t.match(describe(await send(url, { before: ['{"b":2}'] })), /^closed: the answer to an earlier request/)
  }
})
