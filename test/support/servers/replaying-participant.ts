/** Replays recorded answers of a conforming participant, with current ids. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listen } from './raw-target.js'

export interface RecordedExchange {
  request: string
  status: number
  contentType: string | null
  body: string
}

const marker = /[0-9a-f]{8}-[0r]\d{5}-[0-9a-f]{6}/g
const runOf = (request: string): string | undefined => /(?:alice|ping)-([0-9a-f]{8})/.exec(request)?.[1]

const requestLine = (
  method: string,
  path: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
) => [method, path, headers['content-type'], headers['accept'], body].join(' ')

const ofConnection: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
])

/** `exchanges` grows with each request. */
export async function recordingProxy(
  t: Pick<Test, 'teardown'>,
  url: string,
): Promise<{ url: string; exchanges: RecordedExchange[] }> {
  const exchanges: RecordedExchange[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request
      const sent = await buffer(request)
      const others = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { accept: '*/*', ...Object.fromEntries(others.map(([name, value]) => [name, String(value)])) },
        ...(sent.length > 0 && { body: sent }),
      })
      const body = await answer.text()
      const type = answer.headers.get('content-type')
      exchanges.push({
        request: requestLine(method, path, headers, sent.toString()),
        status: answer.status,
        contentType: type,
        body,
      })
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
      response.end(body)
    })().catch(() => response.destroy())
  })
  return { url: await listen(t, server), exchanges }
}

/** Ignores ids, markers, times, signatures and offsets. Unknown requests receive the next answer of their path. */
export function replayingParticipant(
  t: Pick<Test, 'teardown'>,
  exchanges: readonly RecordedExchange[],
): Promise<string> {
  const oldRun = exchanges.flatMap(({ request }) => runOf(request) ?? [])[0] ?? ''
  const [equal, samePath] = [new Map<string, RecordedExchange[]>(), new Map<string, RecordedExchange[]>()]
  const file = (map: typeof equal, key: string, one: RecordedExchange): void =>
    void map.set(key, [...(map.get(key) ?? []), one])
  for (const exchange of exchanges) {
    file(equal, shapeOf(exchange.request, oldRun), exchange)
    file(samePath, pathOf(exchange.request), exchange)
  }
  // Recorded markers by current ones.
  const rows = new Map<string, string>()
  let run = ''
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request
      const received = requestLine(method, path, headers, (await buffer(request)).toString())
      run ||= runOf(received) ?? ''
      const list = equal.get(shapeOf(received, run)) ?? samePath.get(pathOf(received)) ?? []
      const [row] = received.match(marker) ?? []
      const known = list.findIndex((one) => row !== undefined && one.request.match(marker)?.[0] === rows.get(row))
      const [found] = list.splice(Math.max(known, 0), 1)
      if (!found) {
        response.writeHead(404).end()
        return
      }
      list.push(found)
      const [old] = found.request.match(marker) ?? []
      if (row !== undefined && old !== undefined && !rows.has(row)) rows.set(row, old)
      const current = new Map([...rows].map(([now, before]) => [before, now]))
      const body = found.body.replace(marker, (one) => current.get(one) ?? one).replaceAll(oldRun, run)
      response.writeHead(found.status, found.contentType === null ? {} : { 'content-type': found.contentType })
      response.end(body)
    })().catch(() => response.destroy())
  })
  return listen(t, server)
}

const pathOf = (request: string): string => request.split(' ', 2).join(' ')

const shapeOf = (request: string, run: string): string =>
  (run === '' ? request : request.replaceAll(run, 'RUN'))
    .replace(/RUN-[0r]\d{5}-[0-9a-f]{6}/g, 'MARKER')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"[A-Za-z0-9+/]{86}=="/g, 'SIGNATURE')
    .replace(/"(beginExclusive|endInclusive)":\d+/g, '$1')
