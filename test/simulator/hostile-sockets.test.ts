/** Hostile WebSocket clients: each is disconnected with a code, and other clients are served. */
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { SimulatorOptions } from '../../simulator/simulator.js'
import { type ControlledEnvironment, controlled, member } from '../support/ledgers/controlled-environment.js'
import { objectIn } from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import { closeCode, frame, rawSocket } from './handshake.js'
import { openStream } from './stream-client.js'
import { submitPings, updatesOf } from './streams.js'

async function watchedEnvironment(t: Test, options: SimulatorOptions = {}) {
  const environment = await controlled(t, { clock: stillClock(), ...options })
  const printed = t.capture(console, 'error')
  const request = { userId: 'user', parties: [environment.alice], beginExclusive: 0 }
  const healthy = await openStream(t, `${environment.url}/v2/commands/completions`, { request })
  const commit = async (id: string): Promise<void> => {
    const { updateId } = objectIn(await submitPings(environment, [id]))
    const completion = member(await healthy.next(), 'completionResponse', 'Completion', 'value')
    if (member(completion, 'updateId') !== updateId)
      throw new Error(`another completion: ${JSON.stringify(completion)}`)
  }
  const stillWell = async (after: string): Promise<void> => {
    await t.resolves(commit(after), `${after}: the other stream continues`)
    t.strictSame(printed(), [], `${after}: the simulator prints nothing`)
  }
  return { environment, path: `${environment.url}/v2/updates`, commit, stillWell }
}

async function closedWith({ control }: ControlledEnvironment, count: number): Promise<unknown[]> {
  for (;;) {
    const journal = objectIn(await control('GET /journal?operation=updates'))
    const entries = [journal['exchanges'] ?? []].flat().filter((entry) => member(entry, 'socket'))
    if (entries.length >= count) return entries.map((entry) => member(entry, 'socket', 'code'))
  }
}

const text = 1
const binary = 2
const ping = 9

t.test('closes a WebSocket with malformed input with the code of RFC 6455', async (t) => {
  const { environment, path, stillWell } = await watchedEnvironment(t)
  const request = JSON.stringify(updatesOf(environment.alice))
  const pieces: [title: string, bytes: Buffer, code: number][] = [
    ['a frame without a mask', frame(text, request, { masked: false }), 1002],
    ['an unknown opcode', frame(5, request), 1002],
    ['a reserved bit', Buffer.concat([Buffer.of(0xf1), frame(text, request).subarray(1)]), 1002],
    ['a continuation without a start', frame(0, request), 1002],
    ['a long ping', frame(ping, 'x'.repeat(126)), 1002],
    ['HTTP', Buffer.from('GET /v2/updates HTTP/1.1\r\nHost: localhost\r\n\r\n'), 1002],
    ['invalid UTF-8', frame(text, Buffer.of(0x22, 0xff, 0x22)), 1007],
    ['a binary message', frame(binary, request), 1003],
    ['a message above the body limit', frame(text, '{', { length: 9 * 1024 * 1024 }), 1009],
    ['a length of 62 bits', frame(text, '{', { length: 2 ** 62 }), 1009],
    ['a close frame with half a code', frame(8, 'x'), 1002],
    ['garbage after a request', Buffer.concat([frame(text, request), frame(5, 'x')]), 1002],
  ]
  for (const [title, bytes, code] of pieces) {
    const socket = await rawSocket(path)
    socket.write(bytes)
    t.equal(await closeCode(socket), code, title)
    await stillWell(title)
  }
  const parts = await rawSocket(path)
  for (const piece of [0, 1, 2])
    parts.write(frame(piece === 0 ? text : 0, 'x'.repeat(4 * 1024 * 1024), { final: false }))
  t.equal(await closeCode(parts), 1009, 'a message of many frames above the limit')
  await stillWell('many frames')
})

t.test('removes interrupted connections completely', async (t) => {
  const { environment, path, stillWell } = await watchedEnvironment(t)
  const request = JSON.stringify(updatesOf(environment.alice))
  const pieces = [Buffer.alloc(0), frame(text, request).subarray(0, 20), frame(text, request)]
  for (const piece of pieces) {
    const socket = await rawSocket(path)
    socket.write(piece)
    socket.resetAndDestroy()
  }
  t.strictSame(await closedWith(environment, pieces.length), [1006, 1006, 1006])
  await stillWell('a reset')
})

t.test('disconnects a client without a timely request', async (t) => {
  // A healthy stream may miss this limit too.
  const environment = await controlled(t, { socketLimits: { request: 100, farewell: 60_000 } })
  const path = `${environment.url}/v2/updates`
  const end = await environment.ledgerEnd()
  const silent = await openStream(t, path)
  t.match(await silent.ended, { code: 1008, reason: /request did not arrive in time/ })
  const dripping = await rawSocket(path)
  dripping.write(frame(text, '{', { length: 100_000 }))
  const timer = setInterval(() => dripping.write(' '), 20)
  t.equal(await closeCode(dripping), 1008, 'one that sends single bytes')
  clearInterval(timer)
  t.equal(await environment.ledgerEnd(), end)
})

/** Exceeds the buffers of the operating system. */
const large = 4
const idLength = 7 * 1024 * 1024

t.test('disconnects a client that does not read', async (t) => {
  const socketLimits = { unsent: 64 * 1024, stall: 100, farewell: 100 }
  const { environment, path, commit, stillWell } = await watchedEnvironment(t, { socketLimits })
  for (let index = 0; index < large; index += 1) await commit(`${index}`.padEnd(idLength, 'x'))
  const slow = new WebSocket(path, ['daml.ws.auth'])
  await once(slow, 'open')
  slow.pause()
  slow.send(JSON.stringify(updatesOf(environment.alice)))
  t.strictSame(await closedWith(environment, 1), [1013])
  slow.resume()
  await once(slow, 'close')
  await stillWell('a slow client')
})

t.test('a slow client receives all transactions, also those committed while the stream waits', async (t) => {
  const { environment, path, commit } = await watchedEnvironment(t, { socketLimits: { unsent: 1 } })
  for (let index = 0; index < large; index += 1) await commit(`${index}`.padEnd(idLength, 'x'))
  const socket = new WebSocket(path, ['daml.ws.auth'])
  await once(socket, 'open')
  const ids: unknown[] = []
  const complete = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      ids.push(/"id":"(\w+?)x*"/.exec(String(data))?.[1])
      if (ids.length === large + 1) resolve()
      socket.pause()
      const meanwhile = ids.length === 1 ? commit('last') : Promise.resolve()
      void meanwhile.then(() => setImmediate(() => socket.resume()))
    })
  })
  socket.send(JSON.stringify(updatesOf(environment.alice)))
  await complete
  t.strictSame(ids, ['0', '1', '2', '3', 'last'])
  socket.close()
})

t.test('disconnects a client that does not read the answers to its pings', async (t) => {
  const { environment, path, stillWell } = await watchedEnvironment(t, {
    socketLimits: { unsent: 1024, farewell: 100 },
  })
  const socket = await rawSocket(path)
  socket.on('error', () => undefined)
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => frame(ping, 'x'.repeat(125))))
  const send = (error?: Error | null): void => {
    if (!error) socket.write(pings, send)
  }
  send()
  t.strictSame(await closedWith(environment, 1), [1008])
  socket.destroy()
  await stillWell('pings')
})
