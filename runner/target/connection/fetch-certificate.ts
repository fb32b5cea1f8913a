import { TLSSocket } from 'node:tls'
import type { ConnectionSettings } from './connection-settings.js'
import { secureConnector } from './open-connection.js'

export interface ServerCertificate {
  subject: string
  issuer: string
  /** Such as `DNS:participant.example`. */
  names: string
  until: Date
  /** Undefined: trusted. */
  distrust: string | undefined
}

/** Sends no request. Rejects with socket errors, `ProxyRefused`, and an `Error` after `limit` milliseconds. */
export async function fetchCertificate(
  url: URL,
  settings: ConnectionSettings,
  limit: number,
): Promise<ServerCertificate> {
  // Reads untrusted certificates, too.
  const connector = secureConnector(url, { ...settings, insecure: true })
  let timer: NodeJS.Timeout | undefined
  try {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no handshake within ${limit / 1000} s`)), limit)
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      const address = { hostname, host: url.host, protocol: url.protocol, port: url.port || '443' }
      connector.connect(address, (error, opened) => {
        if (opened instanceof TLSSocket) resolve(opened)
        else reject(error ?? new Error('no secure connection'))
      })
    })
    const certificate = readCertificate(socket)
    socket.on('error', () => undefined).destroy()
    return certificate
  } finally {
    clearTimeout(timer)
    await connector.destroy(new Error('the certificate is known'))
  }
}

function readCertificate(socket: TLSSocket): ServerCertificate {
  const { subject, issuer, subjectaltname, valid_to } = socket.getPeerCertificate()
  const refused: unknown = socket.authorizationError // its type is Error, but it is often the code alone
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: subjectaltname ?? '',
    // Without a certificate: 1970.
    until: new Date(Date.parse(valid_to) || 0),
    distrust: socket.authorized ? undefined : codeIn(refused),
  }
}

const codeIn = (refused: unknown): string =>
  refused instanceof Error && 'code' in refused ? String(refused.code) : String(refused)

type Names = Readonly<Partial<Record<string, string | string[]>>>

const nameOf = (names: Names): string => [names['CN'] ?? names['O'] ?? 'unknown'].flat().join(', ')
