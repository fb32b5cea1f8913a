/** Replaces the answers of one path. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { listen } from './raw-target.js'

/** The answer of the target. */
export interface TrueAnswer {
  /** Without query. */
  path: string
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** `socket` is for bytes that are not HTTP. */
export type Hostile = (truth: TrueAnswer, response: ServerResponse, socket: Socket) => void

export interface HostileProxy {
  url: string
  /** Undefined: forwards all answers unchanged. */
  answerBy(hostile: { path: string; answer: Hostile } | undefined): void
  close(): Promise<void>
}

export async function hostileProxy(target: string): Promise<HostileProxy> {
  let current: { path: string; answer: Hostile } | undefined
  const closing: (() => unknown)[] = []
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
  return {
    url: await listen({ teardown: (close) => void closing.push(close) }, server),
    answerBy: (hostile) => {
      current = hostile
    },
    close: async () => {
      for (const close of closing) await close()
    },
  }
}

/** `{name}` matches one segment. */
const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

async function truthOf(target: string, request: IncomingMessage): Promise<TrueAnswer> {
  const received = await buffer(request)
  return new Promise((resolve, reject) => {
    const { method = 'GET', url = '/', headers } = request
    const sent = forward(
      new URL(url, target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        const type = answer.headers['content-type']
        const kept: Record<string, string> = type === undefined ? {} : { 'content-type': type }
        const [path = ''] = url.split('?')
        buffer(answer).then((body) => resolve({ path, status: answer.statusCode ?? 0, headers: kept, body }), reject)
      },
    )
    sent.on('error', reject)
    sent.end(received)
  })
}
