/** A server in a separate thread that answers or closes before the request has arrived. */
import { createServer, type Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { Test } from 'tap'

export interface EarlyServer {
  /** For each connection in order; the last one repeats. */
  endings: readonly ('answered, then reset' | 'answered, then closed' | 'reset')[]
  /** Bytes that the server reads of a connection. */
  after: number
  tls?: { cert: string; key: string }
}

const tooLarge = 'too large'
const answer = `HTTP/1.1 413 Payload Too Large\r\nconnection: close\r\ncontent-length: ${tooLarge.length}\r\n\r\n${tooLarge}`

/** Returns its URL. In its own thread, the server answers while the client writes. */
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
          // The kernel resets a connection that is closed with unread data.
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
