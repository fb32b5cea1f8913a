/** A proxy in front of a target that answers one of its paths otherwise than the target does. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What the target answered in truth. */
export interface TrueAnswer {
  /** What was asked for, without its query. */
  path: string
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Answers in place of the target; `socket` is there for what is no HTTP any more. */
export type Hostile = (truth: TrueAnswer, response: ServerResponse, socket: Socket) => void

export interface HostileProxy {
  url: string
  /** From now on answers to calls of this path are left to it; undefined: all go through as they are. */
  answerBy(hostile: { path: string; answer: Hostile } | undefined): void
  close(): Promise<void>
}

export async function hostileProxy(target: string): Promise<HostileProxy> {
  let current: { path: string; answer: Hostile } | undefined
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void truthOf(target, request).then(
      (truth) => {
        if (current && matches(current.path, truth.path)) current.answer(truth, response, request.socket)
        else response.writeHead(truth.status, truth.headers).end(truth.body)
      },
      () => request.socket.destroy(),
    )
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    answerBy: (hostile) => {
      current = hostile
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** `{name}` in a path stands for one part of it. */
const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

async function truthOf(target: string, request: IncomingMessage): Promise<TrueAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return new Promise((resolve, reject) => {
    const { method = 'GET', url = '/', headers } = request
    const sent = forward(
      new URL(url, target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const type = answer.headers['content-type']
          const body = Buffer.concat(parts)
          const [path = ''] = url.split('?')
          const kept: Record<string, string> = type === undefined ? {} : { 'content-type': type }
          resolve({ path, status: answer.statusCode ?? 0, headers: kept, body })
        })
      },
    )
    sent.on('error', reject)
    sent.end(Buffer.concat(chunks))
  })
}
