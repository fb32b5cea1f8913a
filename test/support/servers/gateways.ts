/** What stands between a run and its target elsewhere: reverse proxies and forward proxies, which tell what they saw. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import type { Certificates } from './certificates.js'
import { listen } from './raw-target.js'

export interface Gateway {
  url: string
  /** Requests that came, as `METHOD URL`. */
  seen: string[]
}

/** Hands a request on to the target, with that path. */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, target: string, path: string): void {
  const { port, hostname, host } = new URL(target)
  const { method } = request
  const headers = { ...request.headers, host }
  const onward = httpRequest({ host: hostname, port, path, method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}

/** TLS with a client certificate, below a base path, and with a header that everybody must send. */
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

/** Lets through what begins with one of these, and answers 404 to everything else. */
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
  /** Without its query. */
  path: string
  body: string
}

/** Lets everything through but what is refused, which is answered with that status and text, or never, and goes no further; tells all of it. */
export async function recordingGateway(
  t: Pick<Test, 'teardown'>,
  target: string,
  isRefused: (request: SeenRequest) => boolean = () => false,
  status: number | 'never' = 403,
  text = '{}',
): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(chunks)
    const one = { method, path: url.split('?')[0] ?? '', body: body.toString('utf8') }
    seen.push(one)
    if (isRefused(one)) return status === 'never' ? undefined : void response.writeHead(status).end(text)
    const { port, hostname, host } = new URL(target)
    const onward = httpRequest(
      { host: hostname, port, path: url, method, headers: { ...headers, host }, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  return { url: await listen(t, server), seen }
}

/** A proxy that asks for a name and a password, and takes every host for the one target. */
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

/** Hands on every request but those to one path, which it answers itself. */
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
