/** Questions go over connections that other questions have left; nothing else does, and nobody is blamed for it. */
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { Evidence } from '../../../record/types/record.js'
import type { Role } from '../../../record/types/resolved-row.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { listen, ok } from '../../support/servers/raw-target.js'

interface Counting {
  ask(role: Role, method: string, path: string): Promise<Evidence>
  /** How many requests came over each connection, in the order in which they were opened. */
  counts: number[]
}

/** Answers each request with the text for its position on its connection; undefined ends the connection in place of an answer. */
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
  const transport = createTransport(await listen(t, server), 5000)
  return {
    ask: (role, method, path) => transport.send({ method, path, headers: [], body: undefined }, { step: 0, role }),
    counts,
  }
}

const version = ['GET', '/v2/version'] as const

t.test('what only looks shares a connection, under test or not; what may have an effect has its own', async (t) => {
  const { ask, counts } = await counting(t, () => ({ text: ok }))
  for (const role of ['probe-before', 'arrange', 'probe-after'] as const)
    t.equal((await ask(role, ...version)).response?.status, 200)
  await ask('probe-after', 'POST', '/v2/updates')
  t.strictSame(counts, [4])
  await ask('act', 'POST', '/v2/contracts/contract-by-id')
  t.strictSame(counts, [5])
  await ask('act', 'POST', '/v2/commands/submit-and-wait')
  await ask('arrange', 'POST', '/v2/commands/submit-and-wait')
  t.strictSame(counts, [5, 1, 1])
  await Promise.all([ask('probe-after', ...version), ask('act', ...version)])
  t.strictSame(counts, [6, 1, 1, 1], 'two at once do not share one')
})

t.test('a target that ends a connection that it kept is asked once more, and then over its own ones', async (t) => {
  const { ask, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : { text: '', end: true }))
  await ask('probe-before', ...version)
  t.equal((await ask('probe-after', ...version)).response?.status, 200)
  t.strictSame(counts, [2, 1])
  await ask('probe-after', ...version)
  await ask('act', ...version)
  t.strictSame(counts, [2, 1, 1, 1], 'nothing is kept any more')
})

t.test('a lookup under test is not held against a target that ends a connection that it kept', async (t) => {
  const { ask, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : { text: '', end: true }))
  const lookUp = ['POST', '/v2/contracts/contract-by-id'] as const
  for (let round = 0; round < 3; round += 1) t.equal((await ask('act', ...lookUp)).response?.status, 200)
  t.strictSame(counts, [2, 1, 1])
})

t.test('whatever has come of an answer is what came', async (t) => {
  const half = { text: 'HTTP/1.1 200 OK\r\nContent-Le', end: true } as const
  const { ask, counts } = await counting(t, (position) => (position === 1 ? { text: ok } : half))
  await ask('probe-before', ...version)
  t.equal((await ask('probe-after', ...version)).problem?.code, 'reset')
  t.strictSame(counts, [2], 'it is not asked again')
})

t.test('a target that never answers is not asked twice', async (t) => {
  const { ask, counts } = await counting(t, () => ({ text: '', end: true }))
  t.equal((await ask('probe-before', ...version)).problem?.code, 'reset')
  t.strictSame(counts, [1])
})

t.test('connections that end with their answer are no trouble', async (t) => {
  const { ask } = await counting(t, () => ({ text: ok, end: true }))
  for (let round = 0; round < 20; round += 1) t.equal((await ask('probe-after', ...version)).response?.status, 200)
})
