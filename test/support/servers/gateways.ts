import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import type { Certificates } from './certificates.js'
import { listen } from './raw-target.js'

export interface Gateway {
  url: string
  /** `METHOD URL` */
  seen: string[]
}

/** `body`: if already read. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  path: string,
  body?: Buffer,
): void {
  const { port, hostname, host } = new URL(target)
  const { method } = request
  const headers = { ...request.headers, host }
  const onward = httpRequest({ host: hostname, port, path, method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  if (body) onward.end(body)
  else request.pipe(onward)
}

/** Requires TLS with a client certificate, a base path and a header. */
export async function tlsGateway(
  t: Test,
  target: string,
  { server: { cert, key } }: Certificates,
  { base, header }: { base: string; header: readonly [name: string, value: string] },
): Promise<Gateway> {
  const seen: string[] = []
  const server = createTlsServer(
    { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { url = '', headers, socket } = request
      seen.push(`${request.method} ${url}`)
      const isKnown = (socket as TLSSocket).authorized && headers[header[0]] === header[1] // a TLS server has no others
      if (!isKnown || !url.startsWith(base)) return void response.writeHead(418).end()
      forwardRequest(request, response, target, url.slice(base.length))
    },
  )
  return { url: `${(await listen(t, server)).replace('http', 'https')}${base}`, seen }
}

/** Returns 404 for other paths. */
export async function narrowGateway(t: Test, target: string, paths: readonly string[]): Promise<Gateway> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    seen.push(`${request.method} ${url}`)
    if (paths.includes(url)) forwardRequest(request, response, target, url)
    else response.writeHead(404).end()
  })
  return { url: await listen(t, server), seen }
}

export interface SeenRequest {
  method: string
  /** Without query. */
  path: string
  body: string
}

/** Rejected requests receive the status and text, or no answer. */
export async function recordingGateway(
  t: Pick<Test, 'teardown'>,
  target: string,
  isRejected: (request: SeenRequest) => boolean = () => false,
  status: number | 'never' = 403,
  text = '{}',
): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await buffer(request)
    const one = { method, path: url.split('?')[0] ?? '', body: body.toString('utf8') }
    seen.push(one)
    if (isRejected(one)) return status === 'never' ? undefined : void response.writeHead(status).end(text)
    forwardRequest(request, response, target, url, body)
  })
  return { url: await listen(t, server), seen }
}

/** Connects every host to the target. */
export async function forwardProxy(t: Test, target: string, credentials: string): Promise<Gateway> {
  const seen: string[] = []
  const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    seen.push(`${request.method} ${url}`)
    if (headers['proxy-authorization'] !== wanted) return void response.writeHead(407).end()
    forwardRequest(request, response, target, URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`)
    if (request.headers['proxy-authorization'] !== wanted)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const onward = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const url = new URL(await listen(t, server))
  ;[url.username, url.password] = credentials.split(':').map(encodeURIComponent) as [string, string] // both are there
  return { url: url.href.replace(/\/$/, ''), seen }
}

export async function brokenGateway(t: Test, target: string, path: string, status: number): Promise<string> {
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (url !== path) return forwardRequest(request, response, target, url)
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"code":"BROKEN"}')
    })
  })
  return listen(t, server)
}
