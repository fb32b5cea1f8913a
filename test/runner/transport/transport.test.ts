/** The transport: evidence of exchanges, problems, limits and concurrency. */
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Evidence } from '../../../record/types/record.js'
import { AnswerMemory, inParallel } from '../../../runner/execute/in-parallel.js'
import type { BuiltRequest } from '../../../runner/transport/build-request.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { answering, listen, ok, type RawTarget, rawTarget } from '../../support/servers/raw-target.js'

const mebibyte = 1024 * 1024
const label = { step: 0, role: 'act' } as const
const post: BuiltRequest = { method: 'POST', path: '/v2', headers: [['x-a', '1']], body: Buffer.from('{}') }

const send = (url: string, request: Partial<BuiltRequest> = {}, timeLimit = 10_000): Promise<Evidence> =>
  createTransport(url, timeLimit).send({ ...post, ...request }, label)

const answeredBy = async (t: Test, answer: (socket: Socket) => void, timeLimit?: number): Promise<Evidence> =>
  send((await rawTarget(t, answer)).url, {}, timeLimit)

t.test('evidence contains the sent and the received bytes and headers', async (t) => {
  const head = 'HTTP/1.1 404 Nothing\r\nX-Two: b\r\ncontent-TYPE: Text/Plain\r\nx-two: \u00e9'
  const target = await rawTarget(t, answering('r\u00e9sum\u00e9 \u0000', head))
  const before = Date.now()
  const evidence = await send(`${target.url}/base/`)
  const { startedAt, milliseconds, ...rest } = evidence
  t.strictSame(rest, {
    ...label,
    request: { method: 'POST', url: `${target.url}/base/v2`, headers: [['x-a', '1']], body: { text: '{}', bytes: 2 } },
    response: {
      status: 404,
      headers: [
        ['X-Two', 'b'],
        ['content-TYPE', 'Text/Plain'],
        ['x-two', '\u00c3\u00a9'],
        ['Content-Length', '10'],
      ],
      body: { text: 'r\u00e9sum\u00e9 \u0000', bytes: 10 },
    },
  })
  t.ok(Date.parse(startedAt) >= before && Date.parse(startedAt) <= Date.now())
  t.ok(milliseconds > 0)
})

t.test('evidence contains complete bodies, as text if they are UTF-8, otherwise as base64', async (t) => {
  const bodies: [body: Buffer, kept: object][] = [
    [Buffer.from(''), { text: '', bytes: 0 }],
    [Buffer.from('\ufeff{}'), { text: '\ufeff{}', bytes: 5 }],
    [Buffer.from('7bff7d', 'hex'), { base64: 'e/99', bytes: 3 }],
    [Buffer.from('{"a":1}', 'utf16le'), { text: '{\u0000"\u0000a\u0000"\u0000:\u00001\u0000}\u0000', bytes: 14 }],
    [Buffer.alloc(5 * mebibyte, 'x'), { text: 'x'.repeat(5 * mebibyte), bytes: 5 * mebibyte }],
  ]
  for (const [body, kept] of bodies) {
    const { response } = await answeredBy(t, answering(body))
    t.strictSame(response?.body, kept)
  }
  const target = await rawTarget(t, (socket) => socket.write(ok))
  for (const [body, kept] of bodies.slice(1)) {
    t.strictSame((await send(target.url, { body })).request.body, kept)
    t.same(target.received.at(-1)?.subarray(-body.length), body, 'the sent body')
  }
})

const garbage: [what: string, bytes: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['no status', 'HTTP/1.1 99 x\r\nContent-Length: 2\r\n\r\n{}'],
  ['a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`],
  ['another end of chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nno trailer\r\n\r\n'],
  ['interim answers', `${'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(300)}HTTP/1.1 200 OK\r\n\r\n{}`],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
  [
    'length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ],
]
const broken: [what: string, bytes: string][] = [
  ['nothing', ''],
  ['half a header', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}'],
  ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}'],
]

/** An HTTP client sends most requests. A row about bytes has a reader of answers of its own. */
const paths: [path: string, form: Partial<BuiltRequest>][] = [
  ['by the HTTP client', {}],
  ['by bytes', { wire: { version: '1.1' } }],
]

t.test('every permitted end of an answer is read', async (t) => {
  const answers: [what: string, bytes: string][] = [
    ['trailers', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nServer-Timing: a\r\nX-Sum: b\r\n\r\n'],
    ['leading zeros', 'Transfer-Encoding: chunked\r\n\r\n00000000002\r\n{}\r\n0000000000\r\n\r\n'],
    ['an extension', 'Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0;c\r\n\r\n'],
    ['a length', 'Content-Length: 2\r\n\r\n{}'],
    ['a folded header', 'Content-Length: 2\r\nX-Text: one\r\n two\r\n\r\n{}'],
    ['the end of the connection', '\r\n{}'],
  ]
  for (const [what, bytes] of answers) {
    for (const [path, form] of paths) {
      const target = await rawTarget(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\n${bytes}`))
      t.match(await send(target.url, form), { response: { status: 200, body: { text: '{}' } } }, `${what}, ${path}`)
    }
  }
})

t.test('a malformed or partial answer is a problem with its cause', async (t) => {
  for (const [code, cases] of Object.entries({ malformed: garbage, reset: broken })) {
    for (const [path, form] of paths) {
      for (const [name, bytes] of cases) {
        const what = `${name}, ${path}`
        const target = await rawTarget(t, (socket) => socket.end(bytes))
        const evidence = await send(target.url, form)
        t.match(evidence.problem, { code, message: /\(.+\)/ }, what)
        t.equal(evidence.response, undefined, what)
        t.equal(target.received.length, 1, `${what}: sent once`)
        t.strictSame(evidence.request.body, { text: '{}', bytes: 2 })
      }
    }
  }
  t.match((await answeredBy(t, (socket) => socket.resetAndDestroy())).problem, { code: 'reset', message: /ECONNRESET/ })
})

t.test('an unreachable or untrusted target is distinguished from a broken connection', async (t) => {
  // Nothing listens on the reserved port 1.
  t.match((await send('http://127.0.0.1:1')).problem, {
    code: 'refused',
    message: 'the target cannot be reached (ECONNREFUSED)',
  })
  const { url } = await rawTarget(t, (socket) => socket.write(ok))
  const plain = await listen(
    t,
    createServer((socket) => socket.on('data', () => socket.end(ok))),
  )
  t.match((await send(plain.replace('http', 'https'))).problem, {
    code: 'refused',
    message: /cannot be reached \(.*SSL.*\)/,
  })
  t.equal((await send(url)).response?.status, 200)
})

t.test('the time limit ends an exchange in every state', async (t) => {
  const silent = await listen(t, createServer())
  const drip = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const hanging: [what: string, evidence: Promise<Evidence>][] = [
    ['before the answer', send(silent, {}, 150)],
    ['in the TLS handshake', send(silent.replace('http', 'https'), {}, 150)],
    ['in the headers', answeredBy(t, (socket) => socket.write('HTTP/1.1 200 OK\r\nX'), 150)],
    ['in the body, byte by byte', answeredBy(t, drip, 150)],
  ]
  for (const [what, promise] of hanging) {
    const { problem, response, milliseconds } = await promise
    t.strictSame(problem, { code: 'timeout', message: 'no complete answer within 0.15 s' }, what)
    t.equal(response, undefined)
    t.ok(milliseconds >= 140, `${what}: ${milliseconds} ms`)
  }
})

t.test('the time limit excludes time in which this process was halted', async (t) => {
  const target = await rawTarget(t, (socket) => {
    // Halts the process beyond the time limit while the answer arrives.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600))
    setTimeout(answering('{}'), 0, socket)
  })
  t.match(await send(target.url, {}, 300), { response: { status: 200 } })
  const silent = await rawTarget(t, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600))
  const { problem, milliseconds } = await send(silent.url, {}, 300)
  t.match(problem, { code: 'timeout' }, 'a silent target still times out')
  t.ok(milliseconds >= 600)
})

t.test('an endless answer is a problem before the time limit', async (t) => {
  const flood = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const chunk = Buffer.alloc(mebibyte, 'x')
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour)
    pour()
  }
  const evidence = await answeredBy(t, flood)
  t.strictSame(evidence.problem, {
    code: 'malformed',
    message: 'the answer exceeds 8 MiB and was not read completely',
  })
  t.equal((await answeredBy(t, answering(Buffer.alloc(8 * mebibyte)))).response?.body.bytes, 8 * mebibyte)
})

t.test('an answer with too many JSON values is a problem', async (t) => {
  const membersOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":[]`).join()}}`
  t.match(await answeredBy(t, answering(membersOf(66_000))), { response: { status: 200 } })
  for (const [path, form] of paths) {
    const target = await rawTarget(t, answering(membersOf(67_000)))
    const { problem, response } = await send(target.url, form)
    t.strictSame(
      problem,
      { code: 'malformed', message: 'the answer has more than 200000 JSON values and was not judged' },
      path,
    )
    t.equal(response, undefined)
  }
  const text = JSON.stringify({ text: '[{,:"\\\\'.repeat(100_000) })
  t.match(await answeredBy(t, answering(text)), { response: { body: { text } } }, 'brackets in a string are no values')
})

t.test('exchanges do not disturb each other', async (t) => {
  const all = (target: RawTarget, count: number): Promise<Evidence[]> => {
    const transport = createTransport(target.url, 10_000)
    return Promise.all(Array.from({ length: count }, () => transport.send(post, label)))
  }
  const closing = await rawTarget(t, (socket) => socket.write(ok, () => setImmediate(() => socket.destroy())))
  for (let round = 0; round < 20; round += 1) {
    const problems = (await all(closing, 8)).flatMap(({ problem }) => problem ?? [])
    t.strictSame(problems, [], 'connections that close after an answer')
  }
  t.equal(closing.received.length, 160)
  let answers = 0
  const twice = await rawTarget(t, (socket) => {
    answers += 1
    socket.write(`${ok}HTTP/1.1 400 Stale\r\nContent-Length: 0\r\n\r\n`)
  })
  for (let round = 0; round < 5; round += 1) t.equal((await send(twice.url)).response?.status, 200, 'no stale answer')
  t.equal(answers, 5)
  t.ok(
    twice.received.every((bytes) => bytes.toString().split('POST').length === 2),
    'one request on each connection',
  )
})

t.test('rows start while their estimated answers fit into memory', async (t) => {
  const memory = new AnswerMemory()
  const admit = (): { isAdmitted: boolean } => {
    const one = { isAdmitted: false }
    void memory.admit().then(() => {
      one.isAdmitted = true
    })
    return one
  }
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const first = Array.from({ length: 8 }, admit)
  await settle()
  t.ok(
    first.every(({ isAdmitted }) => isAdmitted),
    'without an estimate',
  )
  const leave = first.map(() => memory.finish(30 * mebibyte))
  const next = [admit(), admit(), admit(), admit()]
  await settle()
  t.strictSame(
    next.map(({ isAdmitted }) => isAdmitted),
    [false, false, false, false],
    'held answers exceed the limit',
  )
  for (const one of leave.slice(0, 6)) one()
  await settle()
  t.equal(next.filter(({ isAdmitted }) => isAdmitted).length, 1, 'two are held, and a third one fits')
  for (const one of leave.slice(6)) one()
  await settle()
  t.equal(next.filter(({ isAdmitted }) => isAdmitted).length, 3)
  memory.finish(200 * mebibyte)()
  memory.finish(0)()
  memory.finish(0)()
  await settle()
  t.equal(next.filter(({ isAdmitted }) => isAdmitted).length, 4, 'a row above the limit starts alone')
  memory.finish(0)()
  for (let small = 0; small < 40; small += 1) {
    await memory.admit()
    memory.finish(1000)()
  }
  const small = [admit(), admit(), admit()]
  await settle()
  t.ok(
    small.every(({ isAdmitted }) => isAdmitted),
    'small rows lower the estimate',
  )
})

t.test('inParallel keeps the order and the limit, and stops at the first error', async (t) => {
  let running = 0
  let most = 0
  const started: string[] = []
  const work = async (item: string | undefined, index: number): Promise<void> => {
    started.push(`${index}${item ?? ''}`)
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (item === 'x') throw new Error(`at ${index}`)
  }
  await inParallel(['a', undefined, 'b', 'c', 'd'], () => 2, work)
  t.strictSame([started, most, running], [['0a', '1', '2b', '3c', '4d'], 2, 0])
  await inParallel(['a', 'b'], () => 0, work)
  t.strictSame([started.slice(5), most], [['0a', '1b'], 2], 'at least one slot')
  await inParallel([], () => 4, work)
  t.equal(started.length, 7)
  await t.rejects(
    inParallel(['a', 'x', 'x', 'b', 'c', 'd'], () => 2, work),
    new Error('at 1'),
  )
  t.strictSame([started.slice(7), running], [['0a', '1x', '2x'], 0], 'running items complete, no new one starts')
})

t.test('a waiting row uses the memory of its answers so far', async (t) => {
  for (const [answered, expected] of [
    [1, true],
    [60, false],
  ] as const) {
    const memory = new AnswerMemory()
    await memory.admit()
    memory.finish(40 * mebibyte)()
    await memory.admit()
    await memory.admit()
    let isAdmitted = false
    void memory.admit().then(() => {
      isAdmitted = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    t.notOk(isAdmitted, 'three exceed the limit')
    let end: () => void = () => undefined
    const waiting = memory.releaseDuring(answered * mebibyte, new Promise<void>((resolve) => (end = resolve)))
    await new Promise((resolve) => setImmediate(resolve))
    t.equal(isAdmitted, expected, `${answered} MiB`)
    end()
    await waiting
  }
})
