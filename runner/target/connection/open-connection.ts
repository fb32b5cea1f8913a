/** A connection of its own for one exchange, whatever lies between: TLS, a client certificate, a proxy. */
import { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import type { ConnectionSettings } from './connection-settings.js'
import { proxyFor } from './proxy-for.js'
import { isCutShort, readBeforeFailing } from './read-before-failing.js'

/** The proxy does not let us through. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'

  constructor(status: number) {
    super(`the proxy does not open the way to the target (${status})`)
  }
}

export interface Connection {
  client: Client
  /** What stands in front of the path in a request: a proxy without a tunnel is told the whole URL. */
  prefix: string
  /** To be sent as well. */
  headers: [name: string, value: string][]
  /** Ends whatever is under way with that error. */
  destroy(error: Error): Promise<void>
  /** What it goes over now, or went over at last; undefined where it has none yet, and where a proxy is between. */
  socket?(): Socket | undefined
  /** Whether a part of the last request could not be written: the other side has not received all of it. */
  isCutShort(): boolean
}

/** Throws `ProxySettingError`. */
export function openConnection(url: URL, settings: ConnectionSettings): Connection {
  const proxy = proxyFor(url, settings)
  if (!proxy) return direct(url, settings)
  return url.protocol === 'https:' ? tunnelled(url, proxy, settings) : forwarded(url, proxy, settings)
}

/** A socket of its own to a server, with TLS where its URL says so, and without a proxy. Rejects with what it could not be opened for. */
export function openSocket(url: URL, settings: ConnectionSettings): Promise<Socket> {
  const { protocol, hostname, port, host } = url
  const target = { protocol, hostname, port: port || (protocol === 'https:' ? '443' : '80'), host }
  return new Promise((resolve, reject) => {
    buildConnector(tlsOf(settings))({ ...target, servername: hostname }, (error, socket) =>
      error ? reject(error) : resolve(readBeforeFailing(socket)),
    )
  })
}

const patient = { headersTimeout: 0, bodyTimeout: 0 } as const

function direct(url: URL, settings: ConnectionSettings): Connection {
  const { connect, socket, isCutShort } = watched(buildConnector(tlsOf(settings)))
  const client = new Client(url.origin, { connect, ...patient })
  return { client, prefix: '', headers: [], destroy: (error) => client.destroy(error), socket, isCutShort }
}

/** A connector that shows the socket it opened last, which reads what the other side sent before a write fails. */
function watched(open: buildConnector.connector) {
  let present: Socket | undefined
  const connect: buildConnector.connector = (options, callback) =>
    open(options, (...opened) => {
      present = opened[1] ? readBeforeFailing(opened[1]) : undefined
      callback(...opened)
    })
  return { connect, socket: () => present, isCutShort: () => present !== undefined && isCutShort(present) }
}

function forwarded(url: URL, proxy: URL, settings: ConnectionSettings): Connection {
  const { connect, isCutShort } = watched(buildConnector(trustOf(settings)))
  const client = new Client(proxy.origin, { connect, ...patient })
  const headers: [string, string][] = [['host', url.host], ...credentialsOf(proxy)]
  return { client, prefix: url.origin, headers, destroy: (error) => client.destroy(error), isCutShort }
}

function tunnelled(url: URL, proxy: URL, settings: ConnectionSettings): Connection {
  const way = tunnel(url, proxy, settings)
  const { connect, isCutShort } = watched(way.connect)
  const client = new Client(url.origin, { ...patient, connect })
  const destroy = async (error: Error): Promise<void> => {
    await Promise.all([client.destroy(error), way.destroy(error)])
  }
  return { client, prefix: '', headers: [], destroy, isCutShort }
}

/** How a secure connection comes about, through whatever lies between. */
interface SecureConnector {
  connect: buildConnector.connector
  destroy(error: Error): Promise<void>
}

/** For an https URL. Throws `ProxySettingError`. */
export function secureConnector(url: URL, settings: ConnectionSettings): SecureConnector {
  const proxy = proxyFor(url, settings)
  return proxy
    ? tunnel(url, proxy, settings)
    : { connect: buildConnector(tlsOf(settings)), destroy: () => Promise.resolve() }
}

/** undici's own agent for proxies would share connections, and tell a time limit from a broken connection no more. */
function tunnel(url: URL, proxy: URL, settings: ConnectionSettings): SecureConnector {
  const secure = buildConnector(tlsOf(settings))
  const way = new Client(proxy.origin, { connect: buildConnector(trustOf(settings)), ...patient })
  const host = `${url.hostname}:${url.port || '443'}`
  const connect: buildConnector.connector = (options, callback) => {
    way.connect({ path: host, headers: Object.fromEntries([['host', host], ...credentialsOf(proxy)]) }).then(
      ({ socket, statusCode }) => {
        if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket)
          return secure({ ...options, httpSocket: socket }, callback)
        socket.on('error', () => undefined).destroy()
        callback(new ProxyRefused(statusCode), null)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
  return { connect, destroy: (error) => way.destroy(error) }
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
