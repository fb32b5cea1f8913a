/** A server in a thread of its own that answers a request, or ends its connection, before the request has arrived. */
import { createServer, type Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { Test } from 'tap'

export interface EarlyServer {
  /** What becomes of the connections, one after the other; the last one for all that follow. */
  endings: readonly ('answered, then reset' | 'answered, then closed' | 'reset')[]
  /** Bytes of a connection that are read. */
  after: number
  tls?: { cert: string; key: string }
}

const tooLarge = 'too large'
const answer = `HTTP/1.1 413 Payload Too Large\r\nconnection: close\r\ncontent-length: ${tooLarge.length}\r\n\r\n${tooLarge}`

/** Its URL; it ends with the test. In a thread of its own it answers while the client is busy writing. */
export async function earlyServer(t: Pick<Test, 'teardown'>, server: EarlyServer): Promise<string> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: server })
  t.teardown(() => worker.terminate())
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  return `${server.tls ? 'https' : 'http'}://127.0.0.1:${port}`
}

function serve({ endings, after, tls }: EarlyServer): Server {
  let connections = 0
  // With Nagle's algorithm the kernel may hold the answer until session tickets are acknowledged; the reset would discard it.
  return createServer({ noDelay: true }, (plain) => {
    const socket = tls ? new TLSSocket(plain, { ...tls, isServer: true }) : plain
    const ending = endings[Math.min(connections, endings.length - 1)]
    connections += 1
    let seen = 0
    const read = (bytes: Buffer): void => {
      seen += bytes.length
      if (seen < after) return
      socket.off('data', read).pause()
      if (ending === 'reset') plain.resetAndDestroy()
      else
        socket.write(answer, () => {
          // A connection that is closed with something unread is reset by the kernel.
          if (ending === 'answered, then closed') plain.destroy()
          else plain.resetAndDestroy()
        })
    }
    plain.on('error', () => undefined)
    socket.on('error', () => undefined).on('data', read)
  })
}

const port = parentPort
if (port) {
  const server = serve(workerData as EarlyServer) // as `earlyServer` sends it
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    port.postMessage(typeof address === 'object' ? address?.port : undefined)
  })
}
