/** Answers before the end of a request count; a request that was sent only in part is sent again once. */
import { connect, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { openSide } from '../../../explore/send/side.js'
import { findOverrides } from '../../../lab/find-overrides.js'
import { Redaction } from '../../../lib/redaction/redaction.js'
import type { Evidence } from '../../../record/types/record.js'
import { type ConnectionSettings, plainConnection } from '../../../runner/target/connection/connection-settings.js'
import type { BuiltRequest } from '../../../runner/transport/build-request.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { OutageGuard } from '../../../runner/transport/outage-guard.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { makeCertificates } from '../../support/servers/certificates.js'
import { listen, rawTarget } from '../../support/servers/raw-target.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { type EarlyServer, earlyServer } from './early-server.js'

const kibibyte = 1024
const label = { step: 0, role: 'act' } as const
const large: BuiltRequest = {
  method: 'POST',
  path: '/v2/commands/submit-and-wait',
  headers: [['content-type', 'application/json']],
  body: Buffer.alloc(9 * kibibyte * kibibyte, 'a'),
}

/** Statuses or problems of `count` requests, eight at a time, while this thread is mostly busy. */
async function answers(
  count: number,
  url: string,
  settings: Partial<ConnectionSettings> = {},
  request: Partial<BuiltRequest> = {},
): Promise<(number | string)[]> {
  const transport = createTransport(url, 30_000, { ...plainConnection, ...settings })
  const found: (number | string)[] = []
  const load = setInterval(() => {
    for (const end = performance.now() + 5; performance.now() < end; );
  }, 6)
  let started = 0
  const client = async (): Promise<void> => {
    while (started < count) {
      started += 1
      const { response, problem } = await transport.send({ ...large, ...request }, label)
      found.push(response?.status ?? problem?.message ?? 'neither')
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  clearInterval(load)
  return found
}

/** Requests of each kind. Use `EARLY_ANSWERS=200 node dist/test/runner/transport/early-answers.test.js` for 200. */
const times = Number(process.env['EARLY_ANSWERS'] ?? 12)
const all413 = Array.from({ length: times }, () => 413)
const answeredThen = (how: 'reset' | 'closed'): EarlyServer => ({
  endings: [`answered, then ${how}`],
  after: 64 * kibibyte,
})

for (const how of ['reset', 'closed'] as const) {
  t.test(`an early answer is read if the connection is then ${how}`, async (t) => {
    t.strictSame(await answers(times, await earlyServer(t, answeredThen(how))), all413)
  })
}

t.test('an early answer is read over TLS, through a proxy, and in wire forms', async (t) => {
  const { server: tls } = await makeCertificates(t.testdir({}))
  const secure = await earlyServer(t, { ...answeredThen('reset'), tls })
  t.strictSame(await answers(times, secure, { ca: tls.cert }), all413)
  const plain = await earlyServer(t, answeredThen('reset'))
  t.strictSame(await answers(times, 'http://participant.example', { proxy: new URL(plain) }), all413)
  t.strictSame(await answers(times, plain, {}, { wire: { chunked: true } }), all413)
})

/** Evidence of a request through the outage guard, whose probe succeeds. */
async function sentByRun(t: Test, url: string, request: BuiltRequest = large) {
  const version: Evidence = {
    ...label,
    request: { method: 'GET', url: '/v2/version', headers: [] },
    response: { status: 200, headers: [], body: { bytes: 0 } },
    startedAt: new Date().toISOString(),
    milliseconds: 0,
  }
  const options = { probe: async () => version, patience: 60_000, end: new EarlyEnd() }
  const guard = new OutageGuard(createTransport(url, 30_000), options)
  guard.targetHasWorked()
  const row = guard.forRow()
  const evidence = await row.send(request, label)
  t.equal(row.disruption, undefined)
  t.strictSame(guard.outages, [])
  return evidence
}

const earlyTarget = (t: Test, ...endings: EarlyServer['endings']) => earlyServer(t, { endings, after: 64 * kibibyte })
const lost = /^the connection ended before the request was sent completely, without an answer \(.+\)$/

t.test(
  'an unanswered request that was sent only in part is sent again once, with evidence of both attempts',
  async (t) => {
    const answered = await sentByRun(t, await earlyTarget(t, 'reset', 'answered, then reset'))
    t.equal(answered.response?.status, 413)
    t.match(answered.earlier, { message: lost, startedAt: String, milliseconds: Number })
    t.equal(answered.problem, undefined)
    const unanswered = await sentByRun(t, await earlyTarget(t, 'reset', 'reset', 'answered, then reset'))
    t.match(unanswered.problem, { code: 'reset', message: lost, partlySent: true }, 'only once')
    t.match(unanswered.earlier, { message: lost })
    const byBytes = { ...large, wire: { chunked: true } } as const
    t.match(await sentByRun(t, await earlyTarget(t, 'reset', 'answered, then reset'), byBytes), {
      response: { status: 413 },
      earlier: { message: lost },
    })
  },
)

t.test('the answer of a participant that cuts off large bodies is read', async (t) => {
  const simulator = await startSimulator({ overrides: findOverrides({ variants: ['large-bodies-cut-off'] }) })
  t.teardown(() => simulator.close())
  const { response } = await createTransport(simulator.url, 30_000).send(large, label)
  t.equal(response?.status, 413)
  t.ok(response?.headers.some(([name, value]) => name.toLowerCase() === 'connection' && value === 'close'))
})

t.test('an exploration also sends such a request again', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  // The proxy loses the first large request.
  let lostOnce = false
  const between = createServer((client) => {
    const onward = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    for (const socket of [client, onward]) socket.on('error', () => undefined)
    client.pipe(onward).pipe(client)
    client.on('data', () => {
      if (lostOnce || client.bytesRead < 64 * kibibyte) return
      lostOnce = true
      client.resetAndDestroy()
    })
    client.on('close', () => onward.destroy())
  })
  const side = await openSide({
    name: 'target',
    target: readTarget(await listen(t, between), 'none'),
    timeLimit: 30_000,
    patience: 60_000,
    redaction: new Redaction(),
    end: new EarlyEnd(),
    report: () => undefined,
  })
  t.match(await side.watch().send(large, label), { response: { status: 413 }, earlier: { message: lost } })
  await side.close()
})

t.test('a request that the target may have received is not sent again', async (t) => {
  const whole = await rawTarget(t, (socket) => socket.resetAndDestroy())
  for (const body of [Buffer.from('{}'), Buffer.alloc(300 * kibibyte, 'a')]) {
    const before = whole.received.length
    const evidence = await sentByRun(t, whole.url, { ...large, body })
    t.match(evidence.problem, { code: 'reset', message: /^the connection ended before the answer was complete/ })
    t.equal(evidence.earlier, undefined)
    t.equal(whole.received.length, before + 1, `${body.length} bytes: once`)
  }
  // The target may have executed the earlier request of the connection.
  const url = await earlyTarget(t, 'reset', 'answered, then reset')
  const behind: BuiltRequest = { ...large, wire: { before: ['{}'], pipelined: true } }
  t.match((await sentByRun(t, url, behind)).problem, { code: 'reset', partlySent: undefined })
})
