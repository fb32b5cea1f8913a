/** Replaces the answers of one path. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { type Simulator, startSimulator } from '../../../simulator/simulator.js'
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

export async function proxiedSimulator(t: Test): Promise<HostileProxy & { simulator: Simulator }> {
  const simulator = await startSimulator()
  const proxy = await hostileProxy(simulator.url)
  t.teardown(() => Promise.all([proxy.close(), simulator.close()]))
  return { ...proxy, simulator }
}

/** Forwards all answers. Calls `reached` when the target has received this number of lookups. */
export function afterLookups(proxy: HostileProxy, number: number, reached: () => void): void {
  let lookups = 0
  proxy.answerBy({
    path: '/v2/contracts/contract-by-id',
    answer: ({ status, headers, body }, response) => {
      lookups += 1
      if (lookups === number) reached()
      response.writeHead(status, headers).end(body)
    },
  })
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
