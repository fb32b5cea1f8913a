import { TLSSocket } from 'node:tls'
import type { ConnectionSettings } from './connection-settings.js'
import { secureConnector } from './open-connection.js'

/** What a server shows of itself in a handshake. */
export interface ServerCertificate {
  subject: string
  issuer: string
  /** What it is good for, as `DNS:participant.example`. */
  names: string
  until: Date
  /** Why it is not trusted, as a code; undefined where it is. */
  distrust: string | undefined
}

/**
 * Shakes hands and hangs up: nothing is sent to whoever is there, as he may be somebody else. Rejects with what the sockets
 * say, with `ProxyRefused`, and with an `Error` after so many milliseconds.
 */
export async function fetchCertificate(
  url: URL,
  settings: ConnectionSettings,
  limit: number,
): Promise<ServerCertificate> {
  // A certificate that is not trusted is to be shown all the same.
  const way = secureConnector(url, { ...settings, insecure: true })
  let timer: NodeJS.Timeout | undefined
  try {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no handshake within ${limit / 1000} s`)), limit)
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      const place = { hostname, host: url.host, protocol: url.protocol, port: url.port || '443' }
      way.connect(place, (error, opened) => {
        if (opened instanceof TLSSocket) resolve(opened)
        else reject(error ?? new Error('no secure connection'))
      })
    })
    const shown = readCertificate(socket)
    socket.on('error', () => undefined).destroy()
    return shown
  } finally {
    clearTimeout(timer)
    await way.destroy(new Error('the certificate is known'))
  }
}

function readCertificate(socket: TLSSocket): ServerCertificate {
  const { subject, issuer, subjectaltname, valid_to } = socket.getPeerCertificate()
  const refused: unknown = socket.authorizationError // its type says Error; it is often the code alone
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: subjectaltname ?? '',
    // Whoever shows none has one that ended long ago.
    until: new Date(Date.parse(valid_to) || 0),
    distrust: socket.authorized ? undefined : codeIn(refused),
  }
}

const codeIn = (refused: unknown): string =>
  refused instanceof Error && 'code' in refused ? String(refused.code) : String(refused)

type Names = Readonly<Partial<Record<string, string | string[]>>>

const nameOf = (names: Names): string => [names['CN'] ?? names['O'] ?? 'nobody'].flat().join(', ')
