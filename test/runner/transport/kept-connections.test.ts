/** Read-only requests share connections; a closed one is no problem of the target. */
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { Evidence } from '../../../record/types/record.js'
import type { Role } from '../../../record/types/resolved-row.js'
import { performRow } from '../../../runner/execute/perform-row.js'
import type { Session } from '../../../runner/execute/perform-step.js'
import { KeyRing } from '../../../runner/sign/signing-key.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { resolvedRow } from '../../support/records/judged-row.js'
import { listen, ok } from '../../support/servers/raw-target.js'
import { requestOf, stepOf, suiteOf } from '../../support/suites/small-suite.js'

interface Counting {
  send(role: Role, method: string, path: string): Promise<Evidence>
  /** Requests of each connection, in the order of opening. */
  counts: number[]
  /** Milliseconds of the clock of the transport. */
  time: { now: number }
}

/** Answers each request with the text for its position on its connection. */
async function counting(t: Test, answer: (position: number) => { text: string; end?: true }): Promise<Counting> {
  const counts: number[] = []
  const server = createServer((socket) => {
    const index = counts.push(0) - 1
    socket.on('data', () => {
      counts[index] = (counts[index] ?? 0) + 1
      const { text, end } = answer(counts[index] ?? 0)
      if (end) socket.end(text)
      else socket.write(text)
    })
  })
  const time = { now: 0 }
  const transport = createTransport(await listen(t, server), 5000, undefined, () => time.now)
  return {
    time,
    send: (role, method, path) => transport.send({ method, path, headers: [], body: undefined }, { step: 0, role }),
    counts,
  }
}

const version = ['GET', '/v2/version'] as const

t.test('read-only requests share a connection; each other request has its own', async (t) => {
  const { send, counts } = await counting(t, () => ({ text: ok }))
  for (const role of ['probe-before', 'arrange', 'probe-after'] as const)
    t.equal((await send(role, ...version)).response?.status, 200)
  await send('probe-after', 'POST', '/v2/updates')
  t.strictSame(counts, [4])
  await send('act', 'POST', '/v2/contracts/contract-by-id')
  t.strictSame(counts, [5])
  await send('act', 'POST', '/v2/commands/submit-and-wait')
  await send('arrange', 'POST', '/v2/commands/submit-and-wait')
  t.strictSame(counts, [5, 1, 1])
  await Promise.all([send('probe-after', ...version), send('act', ...version)])
  t.strictSame(counts, [6, 1, 1, 1], 'concurrent requests do not share one')
})

t.test('a connection that was idle for more than two seconds is not used', async (t) => {
  const { send, counts, time } = await counting(t, () => ({ text: ok }))
  await send('probe-before', ...version)
  time.now += 2000
  await send('act', ...version)
  t.strictSame(counts, [2])
  time.now += 2001
  await send('probe-after', ...version)
  t.strictSame(counts, [2, 1])
  await send('act', ...version)
  t.strictSame(counts, [2, 2], 'later ones are kept')
})

t.test('a request on a closed kept connection is sent again, and later ones have their own connections', async (t) => {
  const { send, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : { text: '', end: true }))
  await send('probe-before', ...version)
  t.equal((await send('probe-after', ...version)).response?.status, 200)
  t.strictSame(counts, [2, 1])
  await send('probe-after', ...version)
  await send('act', ...version)
  t.strictSame(counts, [2, 1, 1, 1], 'no connection is kept')
})

t.test('a lookup under test does not fail because the target closes a kept connection', async (t) => {
  const { send, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : { text: '', end: true }))
  const lookUp = ['POST', '/v2/contracts/contract-by-id'] as const
  for (let round = 0; round < 3; round += 1) t.equal((await send('act', ...lookUp)).response?.status, 200)
  t.strictSame(counts, [2, 1, 1])
})

t.test('a partial answer on a kept connection is a problem', async (t) => {
  const half = { text: 'HTTP/1.1 200 OK\r\nContent-Le', end: true } as const
  const { send, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : half))
  await send('probe-before', ...version)
  t.equal((await send('probe-after', ...version)).problem?.code, 'reset')
  t.strictSame(counts, [2], 'not sent again')
})

t.test('a missing answer on a new connection is not sent again', async (t) => {
  const { send, counts } = await counting(t, () => ({ text: '', end: true }))
  t.equal((await send('probe-before', ...version)).problem?.code, 'reset')
  t.strictSame(counts, [1])
})

t.test('connections that close with their answer are no problem', async (t) => {
  const { send } = await counting(t, () => ({ text: ok, end: true }))
  for (let round = 0; round < 20; round += 1) t.equal((await send('probe-after', ...version)).response?.status, 200)
})

t.test('a step can use the connection of the step before it', async (t) => {
  const used: number[] = []
  let opened = 0
  const server = createServer((socket) => {
    opened += 1
    const own = opened
    socket.on('data', () => {
      used.push(own)
      socket.write(ok)
    })
  })
  const session: Session = {
    transport: createTransport(await listen(t, server), 5000),
    tokens: { header: async () => undefined },
    keys: new KeyRing(),
    lateDelay: 0,
  }
  const suite = suiteOf({ requests: new Map([['submit', requestOf('submit', 'submit-and-wait', { body: {} })]]) })
  const step = (name: string) => stepOf({ request: 'submit', name })
  const steps = [step('first'), { ...step('second'), sameConnection: true as const }, step('third')]
  await performRow(resolvedRow(steps, { suite }), new Map([['user.operator', 'operator']]), session)
  t.strictSame(used, [1, 1, 2])
})
