import { registerUrl } from '../../../lib/redaction/secrets.js'
import type { ConnectionSettings } from './connection-settings.js'

/** A variable for a proxy holds something else. No part of it is in the message: it may hold a password. */
export class ProxySettingError extends Error {
  override readonly name = 'ProxySettingError'
}

/**
 * The proxy for a request to that URL, if any: the one that is named, or that of the environment as curl reads it - save that
 * nobody reaches a loopback address of this machine through another one. Throws `ProxySettingError`.
 */
export function proxyFor(url: URL, { proxy, environment }: ConnectionSettings): URL | undefined {
  if (proxy) return proxy
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const text = read(name) || read('ALL_PROXY')
  if (text === '' || isLoopback(url.hostname) || isExcepted(url, read('NO_PROXY'))) return undefined
  return readProxy(text, name)
}

/** Throws `ProxySettingError`. */
export function readProxy(text: string, setting: string): URL {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  registerUrl(url, 'the proxy')
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return withCredentials(new URL(url), setting)
  throw new ProxySettingError(
    `${setting}: expected the http or https URL of a proxy, such as http://proxy.example:3128`,
  )
}

/** User and password are sent decoded, and by HTTP have no control characters. Throws `ProxySettingError`. */
function withCredentials(url: URL, setting: string): URL {
  try {
    if (!/\p{Cc}/u.test(decodeURIComponent(url.username + url.password))) return url
  } catch {
    // A broken escape.
  }
  throw new ProxySettingError(
    `${setting}: the user or the password of the proxy has a broken %-escape or a control character; write a % as %25`,
  )
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)

/** A list of host names, each with all names below it and with a port where one is given; `*` is every host. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80')
  return list
    .split(/[\s,]+/)
    .filter((item) => item !== '')
    .some((item) => {
      if (item === '*') return true
      const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(item.toLowerCase()) ?? []
      return (only === undefined || only === own) && (hostname === name || hostname.endsWith(`.${name}`))
    })
}
