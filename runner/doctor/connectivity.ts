import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { excerpt } from '../../lib/json/json.js'
import type { ConnectionSettings } from '../target/connection/connection-settings.js'
import { fetchCertificate, type ServerCertificate } from '../target/connection/fetch-certificate.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import { type Finding, good, unreachable, warning } from './finding.js'

/** Days. */
const soon = 14
/** Milliseconds. */
const day = 24 * 60 * 60 * 1000

/**
 * `limit`: milliseconds. Throws `UsageError`.
 * Resolves the name and reads the certificate; sends no request. `now`: for the days until the certificate ends.
 * @example
 * const findings = await checkConnectivity(new URL('https://ledger.example'), settings, 10_000, new Date())
 * findings[0]?.what // 'the host name ledger.example has no address (ENOTFOUND)'
 */
export async function checkConnectivity(
  url: URL,
  settings: ConnectionSettings,
  limit: number,
  now: Date,
): Promise<Finding[]> {
  const proxy = proxyFor(url, settings)
  const named = await resolveName((proxy ?? url).hostname)
  const findings = [...(proxy ? [good('way', 'proxy', `requests use the proxy ${proxy.origin}`)] : []), ...named]
  if (url.protocol !== 'https:' || named.some(({ level }) => level === 'unreachable')) return findings
  try {
    return [...findings, checkCertificate(await fetchCertificate(url, settings, limit), settings, now)]
  } catch (error) {
    return [...findings, handshakeFailure(url, error)]
  }
}

async function resolveName(hostname: string): Promise<Finding[]> {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return []
  try {
    const addresses = (await lookup(name, { all: true })).map(({ address }) => address)
    return [good('way', 'name', `${name} resolves to ${addresses.join(', ')}`, { facts: { name, addresses } })]
  } catch (error) {
    const advice = 'Check the host name and the DNS of this machine. Behind a proxy, add --proxy.'
    return [unreachable('way', 'name-unknown', `the host name ${name} has no address (${codeOf(error)})`, { advice })]
  }
}

function checkCertificate(shown: ServerCertificate, { insecure, ca }: ConnectionSettings, now: Date): Finding {
  const days = Math.floor((shown.until.getTime() - now.getTime()) / day)
  const facts = {
    ...shown,
    until: shown.until.toISOString(),
    days,
    trust: ca === undefined ? 'the public authorities' : 'the certificates of the setting ca',
  }
  const certificate = `the certificate of ${quoted(shown.subject)}, issued by ${quoted(shown.issuer)},`
  const valid = `${certificate} is valid until ${facts.until.slice(0, 10)} (${days} days)`
  if (insecure) {
    const advice = 'Remove --insecure, and give the trusted certificates with --ca FILE.'
    return warning('way', 'certificate-unchecked', `${valid}, but --insecure skips its check`, { advice, facts })
  }
  if (shown.distrust !== undefined) {
    const advice = adviceFor(shown, ca !== undefined)
    return unreachable('way', 'certificate-untrusted', `${certificate} is not trusted (${shown.distrust})`, {
      advice,
      facts,
    })
  }
  const trusted = `${valid} and trusted by ${facts.trust}`
  return days < soon
    ? warning('way', 'certificate-ends', trusted, { advice: 'Renew the certificate.', facts })
    : good('way', 'certificate', trusted, { facts })
}

function adviceFor({ distrust, names }: ServerCertificate, hasOwn: boolean): string {
  if (distrust === 'CERT_HAS_EXPIRED') return 'Renew the certificate, or correct the clock of this machine.'
  if (distrust === 'CERT_NOT_YET_VALID') return 'Correct the clock of this machine, or replace the certificate.'
  if (distrust === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `Use a host name of the certificate${names === '' ? '' : `: ${quoted(names)}`}.`
  return hasOwn
    ? 'Add the certificate of the issuer to the setting ca.'
    : 'If the server is the intended one, add the certificate of its issuer with --ca FILE.'
}

function handshakeFailure(url: URL, error: unknown): Finding {
  const code = codeOf(error)
  if (/SSL|TLS|EPROTO/.test(code)) {
    const advice = 'Does this port support https?'
    return unreachable('way', 'no-handshake', `the TLS handshake with ${url.host} failed (${code})`, { advice })
  }
  const advice = 'Check host and port, and that the participant runs.'
  return unreachable('way', 'no-handshake', `no TLS connection to ${url.host} (${code})`, { advice })
}

/** Escapes control characters of the server. */
const quoted = (text: string): string => excerpt(text, 200)

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
