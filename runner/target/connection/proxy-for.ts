import { isLoopback } from '../../../lib/loopback.js'
import { registerUrl } from '../../../lib/redaction/redaction.js'
import { UsageError } from '../../../lib/usage-error.js'
import type { ConnectionSettings } from './connection-settings.js'

/**
 * Follows the rules of curl, but ignores proxies of the environment for loopback addresses. Throws `UsageError`.
 */
export function proxyFor(url: URL, { proxy, environment }: ConnectionSettings): URL | undefined {
  if (proxy) return proxy
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const text = read(name) || read('ALL_PROXY')
  if (text === '' || isLoopback(url.hostname) || isExcepted(url, read('NO_PROXY'))) return undefined
  return readProxy(text, name)
}

/** Throws `UsageError` without the setting, which may contain a password. */
export function readProxy(text: string, setting: string): URL {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  registerUrl(url, 'the proxy')
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return withCredentials(new URL(url), setting)
  throw new UsageError(`${setting}: expected the http or https URL of a proxy, such as http://proxy.example:3128`)
}

/** HTTP forbids control characters. Throws `UsageError`. */
function withCredentials(url: URL, setting: string): URL {
  try {
    if (!/\p{Cc}/u.test(decodeURIComponent(url.username + url.password))) return url
  } catch {
    // An invalid escape.
  }
  throw new UsageError(
    `${setting}: the user or the password of the proxy has an invalid %-escape or a control character. Write % as %25.`,
  )
}

/** Hosts with an optional port, including subdomains; `*`: all. */
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
