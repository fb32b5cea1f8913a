import { createPublicKey, type KeyObject } from 'node:crypto'
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import { inputReason } from '../../lib/files/input-error.js'
import { readInput } from '../../lib/files/read-input.js'
import { registerSecret, registerUrl } from '../../lib/redaction/secrets.js'
import { log } from '../base/log.js'
import { SettingError } from '../base/setting-error.js'

// A fetch for key sets that somebody else publishes: what comes is read with limits, whoever answers.

/** Bytes of a key set; the longest of public providers have a tenth of it. */
const longest = 256 * 1024
const mostKeys = 100

/** Rejects with an `Error` that says which limit was passed. Redirects are not followed: they could lead anywhere. */
const boundedFetch: FetchImplementation = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const bytes = await readBounded(response)
  const text = bytes.toString('utf8')
  if (response.ok) refuseTooMany(text)
  return new Response(response.status === 204 || response.status === 304 ? null : text, {
    status: response.status === 0 ? 502 : response.status,
  })
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  // A body that is left early is cancelled, so that whoever sends it has to stop.
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > longest) throw new Error(`the key set has more than ${longest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function refuseTooMany(text: string): void {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return // who asked for it says what is wrong with it
  }
  const keys = found instanceof Object && 'keys' in found ? found.keys : undefined
  if (Array.isArray(keys) && keys.length > mostKeys) throw new Error(`the key set has more than ${mostKeys} keys`)
}

/** What tokens are checked with. */
export interface KeySource {
  /** Those of its keys; a token that names another algorithm is not looked at. */
  algorithms: readonly string[]
  key: JWTVerifyGetKey
}

/** The algorithms of key pairs, and the keys that each needs. */
const keyPairs = {
  rs256: { algorithm: 'RS256', needs: 'an RSA key of at least 2048 bits' },
  es256: { algorithm: 'ES256', needs: 'a key on the curve P-256' },
  es512: { algorithm: 'ES512', needs: 'a key on the curve P-521' },
} as const

type KeyPairKind = keyof typeof keyPairs

const isKeyPairKind = (kind: string): kind is KeyPairKind => Object.hasOwn(keyPairs, kind)

/**
 * Reads `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` (a PEM public key or certificate) or `jwks:URL`. Rejects
 * with `SettingError`.
 */
export async function readKeySource(setting: string): Promise<KeySource> {
  const [kind = '', ...rest] = setting.split(':')
  const material = rest.join(':')
  if (material !== '') {
    if (kind === 'jwks') registerUrl(material, 'the URL of the key set')
    if (kind === 'hs256') registerSecret(material, 'signing secret')
    if (kind === 'hs256') return fixed('HS256', new TextEncoder().encode(material))
    if (isKeyPairKind(kind)) return fixed(keyPairs[kind].algorithm, await readKey(kind, material))
    if (kind === 'jwks') return remote(material)
  }
  throw new SettingError(
    'authorization',
    'expected none, hs256:SECRET, rs256:FILE, es256:FILE, es512:FILE (FILE holds a PEM public key or certificate) or jwks:URL',
  )
}

const fixed = (algorithm: string, key: Uint8Array | KeyObject): KeySource => ({
  algorithms: [algorithm],
  key: () => key,
})

async function readKey(kind: KeyPairKind, file: string): Promise<KeyObject> {
  const key = await readInput(file, 'a key, token or secret')
    .then(createPublicKey)
    .catch((error: unknown) => {
      throw new SettingError('authorization', `no public key could be read from ${file}: ${inputReason(error)}`)
    })
  if (!fits(kind, key))
    throw new SettingError('authorization', `${kind} needs ${keyPairs[kind].needs}; ${file} holds none`)
  return key
}

/** A key of another kind would refuse every token, and say nothing. */
function fits(kind: KeyPairKind, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (kind === 'rs256') return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  return asymmetricKeyDetails?.namedCurve === (kind === 'es256' ? 'prime256v1' : 'secp521r1')
}

/** Milliseconds until a key set has to be there. */
const longestWait = 5_000

/** Keys that a server publishes. They are fetched when the first token comes, and again when a token names an unknown one. */
function remote(address: string): KeySource {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new SettingError('authorization', 'jwks needs an http or https URL without a user name and password')
  }
  const keys = createRemoteJWKSet(url, { timeoutDuration: longestWait, [customFetch]: boundedFetch })
  const key: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // A query may hold a secret.
      if (!isAboutToken(error)) log(`no keys from ${url.origin}${url.pathname}`, withCause(error))
      throw error
    }
  }
  return { algorithms: Object.values(keyPairs).map(({ algorithm }) => algorithm), key }
}

/** The keys are there, but none of them is the one that the token was signed with. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported

/** `fetch` keeps to itself why it failed. */
const withCause = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${error.message} (${error.cause.message})` : String(error)
