/** The way to a target: its name, the proxy in between, and its certificate. No request is sent. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { excerpt } from '../../lib/json/json.js'
import type { ConnectionSettings } from '../target/connection/connection-settings.js'
import { fetchCertificate, type ServerCertificate } from '../target/connection/fetch-certificate.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import { type Finding, good, unreachable, warning } from './finding.js'

/** Days before the end of a certificate from which on people should hear of it. */
const soon = 14
const day = 24 * 60 * 60 * 1000

/** `limit`: milliseconds for the handshake. The last finding says where the way ends, if it does. Throws `ProxySettingError`. */
export async function checkConnectivity(
  url: URL,
  settings: ConnectionSettings,
  limit: number,
  now: Date,
): Promise<Finding[]> {
  const proxy = proxyFor(url, settings)
  const named = await lookUp((proxy ?? url).hostname)
  const findings = [...(proxy ? [good('way', 'proxy', `requests go through the proxy ${proxy.origin}`)] : []), ...named]
  if (url.protocol !== 'https:' || named.some(({ level }) => level === 'unreachable')) return findings
  try {
    return [...findings, ...judged(await fetchCertificate(url, settings, limit), settings, now)]
  } catch (error) {
    return [...findings, withoutHandshake(url, error)]
  }
}

async function lookUp(hostname: string): Promise<Finding[]> {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return []
  try {
    const addresses = (await lookup(name, { all: true })).map(({ address }) => address)
    return [good('way', 'name', `${name} is ${addresses.join(', ')}`, { facts: { name, addresses } })]
  } catch (error) {
    const advice = 'is it spelt right, and known to the name servers of this machine? Behind a proxy, give --proxy'
    return [
      unreachable('way', 'name-unknown', `no address is known for the name ${name} (${codeOf(error)})`, { advice }),
    ]
  }
}

function judged(shown: ServerCertificate, { insecure, ca }: ConnectionSettings, now: Date): Finding[] {
  const days = Math.floor((shown.until.getTime() - now.getTime()) / day)
  const facts = {
    ...shown,
    until: shown.until.toISOString(),
    days,
    trust: ca === undefined ? 'the usual authorities' : 'the certificates of the setting ca',
  }
  const what = `the certificate of ${quoted(shown.subject)}, issued by ${quoted(shown.issuer)}, is good until ${facts.until.slice(0, 10)} (${days} days)`
  if (insecure) {
    const advice = 'leave --insecure out, and give the certificates to trust by --ca FILE'
    return [
      warning('way', 'certificate-unchecked', `${what}; nobody checks it, and every report says so`, { advice, facts }),
    ]
  }
  if (shown.distrust !== undefined)
    return [
      unreachable(
        'way',
        'certificate-untrusted',
        `the certificate of ${quoted(shown.subject)}, issued by ${quoted(shown.issuer)}, is not trusted (${shown.distrust})`,
        {
          advice: adviceFor(shown, ca !== undefined),
          facts,
        },
      ),
    ]
  const trusted = `${what}; it is trusted by ${facts.trust}`
  return days < soon
    ? [warning('way', 'certificate-ends', trusted, { advice: 'have it renewed', facts })]
    : [good('way', 'certificate', trusted, { facts })]
}

function adviceFor({ distrust, names }: ServerCertificate, hasOwn: boolean): string {
  if (distrust === 'CERT_HAS_EXPIRED') return 'it has ended: have it renewed, or put the clock of this machine right'
  if (distrust === 'CERT_NOT_YET_VALID') return 'it is not good yet: is the clock of this machine right?'
  if (distrust === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `call the target by a name that the certificate is for${names === '' ? '' : `: ${quoted(names)}`}`
  return hasOwn
    ? 'the setting ca does not hold who issued it'
    : 'if it is the right one, give the certificate of who issued it by --ca FILE'
}

function withoutHandshake(url: URL, error: unknown): Finding {
  const code = codeOf(error)
  const isOurs = /SSL|TLS|EPROTO/.test(code)
  const advice = isOurs ? 'does that port speak https at all?' : undefined
  const what = `no secure connection to ${url.host} comes about (${code})`
  return unreachable('way', 'no-handshake', what, advice === undefined ? {} : { advice })
}

/** Whoever is there says so; it may steer no terminal. */
const quoted = (text: string): string => excerpt(text, 200)

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
