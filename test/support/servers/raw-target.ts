import { createServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface RawTarget {
  url: string
  /** By connection. */
  received: Buffer[]
}

/** On a free loopback port until the test ends. Returns the base URL. */
export async function listen(t: Pick<Test, 'teardown'>, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

/** Called once for each complete request. */
export async function rawTarget(t: Test, answer: (socket: Socket) => void): Promise<RawTarget> {
  const received: Buffer[] = []
  const server = createServer((socket) => {
    const index = received.push(Buffer.alloc(0)) - 1
    socket.on('data', (bytes) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), bytes])
      if (isComplete(received[index] ?? Buffer.alloc(0))) answer(socket)
    })
  })
  return { url: await listen(t, server), received }
}

function isComplete(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1] ?? '0'
  return bytes.length >= end + 4 + Number(length)
}

export const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

export const answering =
  (body: string | Buffer, head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json') =>
  (socket: Socket): void => {
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
    socket.write(body)
  }
