import { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import type { ConnectionSettings } from './connection-settings.js'
import { proxyFor } from './proxy-for.js'

export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'

  constructor(status: number) {
    super(`the proxy refused the connection to the target (${status})`)
  }
}

export interface Connection {
  client: Client
  /** A proxy without a tunnel needs the complete URL. */
  prefix: string
  headers: [name: string, value: string][]
  destroy(error: Error): Promise<void>
  /** The last one; undefined with a proxy. */
  socket?(): Socket | undefined
  /** The peer did not receive the complete last request. */
  isCutShort(): boolean
}

/**
 * Throws `UsageError`.
 * Opens no socket before the first request. `url`: scheme, host and port count.
 * @example
 * const proxied = { ...plainConnection, proxy: new URL('http://proxy.example:3128') }
 * openConnection(new URL('http://ledger.example'), proxied).prefix // 'http://ledger.example'
 */
export function openConnection(url: URL, settings: ConnectionSettings): Connection {
  const proxy = proxyFor(url, settings)
  if (!proxy) return direct(url, settings)
  return url.protocol === 'https:' ? tunnelled(url, proxy, settings) : forwarded(url, proxy, settings)
}

/** Ignores proxies. */
export function openSocket(url: URL, settings: ConnectionSettings): Promise<Socket> {
  const { protocol, hostname, port, host } = url
  const target = { protocol, hostname, port: port || (protocol === 'https:' ? '443' : '80'), host }
  return new Promise((resolve, reject) => {
    buildConnector(tlsOf(settings))({ ...target, servername: hostname }, (error, socket) =>
      error ? reject(error) : resolve(readBeforeFailing(socket)),
    )
  })
}

const noTimeLimit = { headersTimeout: 0, bodyTimeout: 0 } as const

function direct(url: URL, settings: ConnectionSettings): Connection {
  const { connect, socket, isCutShort } = watched(buildConnector(tlsOf(settings)))
  const client = new Client(url.origin, { connect, ...noTimeLimit })
  return { client, prefix: '', headers: [], destroy: (error) => client.destroy(error), socket, isCutShort }
}

function watched(open: buildConnector.connector) {
  let current: Socket | undefined
  const connect: buildConnector.connector = (options, callback) =>
    open(options, (...opened) => {
      current = opened[1] ? readBeforeFailing(opened[1]) : undefined
      callback(...opened)
    })
  return { connect, socket: () => current, isCutShort: () => current !== undefined && isCutShort(current) }
}

function forwarded(url: URL, proxy: URL, settings: ConnectionSettings): Connection {
  const { connect, isCutShort } = watched(buildConnector(trustOf(settings)))
  const client = new Client(proxy.origin, { connect, ...noTimeLimit })
  const headers: [string, string][] = [['host', url.host], ...credentialsOf(proxy)]
  return { client, prefix: url.origin, headers, destroy: (error) => client.destroy(error), isCutShort }
}

function tunnelled(url: URL, proxy: URL, settings: ConnectionSettings): Connection {
  const secure = tunnel(url, proxy, settings)
  const { connect, isCutShort } = watched(secure.connect)
  const client = new Client(url.origin, { ...noTimeLimit, connect })
  const destroy = async (error: Error): Promise<void> => {
    await Promise.all([client.destroy(error), secure.destroy(error)])
  }
  return { client, prefix: '', headers: [], destroy, isCutShort }
}

interface SecureConnector {
  connect: buildConnector.connector
  destroy(error: Error): Promise<void>
}

/** Throws `UsageError`. */
export function secureConnector(url: URL, settings: ConnectionSettings): SecureConnector {
  const proxy = proxyFor(url, settings)
  return proxy
    ? tunnel(url, proxy, settings)
    : { connect: buildConnector(tlsOf(settings)), destroy: () => Promise.resolve() }
}

/** ProxyAgent of undici shares connections and conceals time limits. */
function tunnel(url: URL, proxy: URL, settings: ConnectionSettings): SecureConnector {
  const secure = buildConnector(tlsOf(settings))
  const proxyClient = new Client(proxy.origin, { connect: buildConnector(trustOf(settings)), ...noTimeLimit })
  const host = `${url.hostname}:${url.port || '443'}`
  const connect: buildConnector.connector = (options, callback) => {
    proxyClient.connect({ path: host, headers: Object.fromEntries([['host', host], ...credentialsOf(proxy)]) }).then(
      ({ socket, statusCode }) => {
        if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket)
          return secure({ ...options, httpSocket: socket }, callback)
        socket.on('error', () => undefined).destroy()
        callback(new ProxyRefused(statusCode), null)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
  return { connect, destroy: (error) => proxyClient.destroy(error) }
}

const trustOf = ({ ca, insecure }: ConnectionSettings): buildConnector.BuildOptions => ({
  ...(ca !== undefined && { ca }),
  ...(insecure && { rejectUnauthorized: false }),
})

const tlsOf = (settings: ConnectionSettings): buildConnector.BuildOptions => ({
  ...trustOf(settings),
  ...(settings.client && { cert: settings.client.certificate, key: settings.client.key }),
  ...(settings.client?.passphrase !== undefined && { passphrase: settings.client.passphrase }),
})

function credentialsOf({ username, password }: URL): [string, string][] {
  if (username === '' && password === '') return []
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [['proxy-authorization', `Basic ${Buffer.from(text).toString('base64')}`]]
}

/** Limits interim answers (1xx), of which HTTP permits any number. */

const limit = 20

export class TooManyInterimAnswers extends Error {
  override readonly name = 'TooManyInterimAnswers'

  constructor() {
    super(`more than ${limit} interim answers (1xx) before the final answer`)
  }
}

/** The function counts the interim answers of one exchange. It throws `TooManyInterimAnswers`. */
export function countInterimAnswers(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > limit) throw new TooManyInterimAnswers()
  }
}

type Written = (error?: Error | null) => void

interface Piece {
  chunk: Buffer | string
  encoding: BufferEncoding
}

/** Bytes of one write. */
const pieceBytes = 64 * 1024

const unfinished = new WeakSet<Socket>()

/** False proves nothing: accepted bytes may never arrive. */
export const isCutShort = (socket: Socket): boolean => unfinished.has(socket)

/** Node destroys the socket after a failed write, even if the server answered a large request early. */
function readBeforeFailing(socket: Socket): Socket {
  const { _write: write, _writev: writeTogether } = socket

  const fail = (error: Error, written: Written): void => {
    unfinished.add(socket)
    let isReported = false
    const report = (): void => {
      if (!isReported) written(error)
      isReported = true
    }
    if (socket.readableEnded || socket.destroyed) report()
    else socket.once('end', report).once('close', report)
  }

  const writeFrom = (index: number, pieces: readonly Piece[], written: Written): void => {
    const piece = pieces[index]
    // A destroyed socket reports no failed write.
    if (!piece || socket.destroyed) return void written()
    if (index + 1 < pieces.length) unfinished.add(socket)
    else unfinished.delete(socket)
    write.call(socket, piece.chunk, piece.encoding, (error) => {
      if (error) fail(error, written)
      else writeFrom(index + 1, pieces, written)
    })
  }

  socket._write = (chunk: Buffer | string, encoding, written) => writeFrom(0, piecesOf({ chunk, encoding }), written)
  if (writeTogether) {
    socket._writev = (chunks: Piece[], written) => {
      const length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0)
      if (length > pieceBytes) writeFrom(0, chunks.flatMap(piecesOf), written)
      else
        writeTogether.call(socket, chunks, (error) => {
          if (error) fail(error, written)
          else written()
        })
    }
  }
  return socket
}

function piecesOf({ chunk, encoding }: Piece): Piece[] {
  if (typeof chunk === 'string') return [{ chunk, encoding }]
  const count = Math.max(1, Math.ceil(chunk.length / pieceBytes))
  return Array.from({ length: count }, (_, index) => ({
    chunk: chunk.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    encoding,
  }))
}
