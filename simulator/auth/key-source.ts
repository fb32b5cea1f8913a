import { createPublicKey, createSecretKey, KeyObject } from 'node:crypto'
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTHeaderParameters } from 'jose'
import { inputReason } from '../../lib/files/file-errors.js'
import { readInput } from '../../lib/files/read-input.js'
import { registerSecret, registerUrl } from '../../lib/redaction/redaction.js'
import { SettingError } from '../base/errors.js'
import { log } from '../base/log.js'

/** Bytes; about ten times the longest key set of public providers. */
const longest = 256 * 1024
const mostKeys = 100

/** Rejects with an `Error` above a limit. Redirects are not followed: they may lead to any server. */
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
  // Leaving the loop early cancels the body.
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
    return // jose reports the error
  }
  const keys = found instanceof Object && 'keys' in found ? found.keys : undefined
  if (Array.isArray(keys) && keys.length > mostKeys) throw new Error(`the key set has more than ${mostKeys} keys`)
}

interface KeySource {
  /** Tokens with other algorithms are rejected unchecked. */
  algorithms: readonly string[]
  /** Rejects with errors of `jose`, and of the network. */
  keyFor(header: JWTHeaderParameters): Promise<KeyObject>
}

const keyPairs = {
  rs256: { algorithm: 'RS256', needs: 'an RSA key of at least 2048 bits' },
  es256: { algorithm: 'ES256', needs: 'a key on the curve P-256' },
  es512: { algorithm: 'ES512', needs: 'a key on the curve P-521' },
} as const

type KeyPairKind = keyof typeof keyPairs

const isKeyPairKind = (kind: string): kind is KeyPairKind => Object.hasOwn(keyPairs, kind)

/**
 * Reads `hs256:SECRET`, `rs256:FILE`, `es256:FILE`, `es512:FILE` (PEM public key or certificate) or `jwks:URL`. Rejects
 * with `SettingError`.
 */
export async function readKeySource(setting: string): Promise<KeySource> {
  const [kind = '', ...rest] = setting.split(':')
  const material = rest.join(':')
  if (material !== '') {
    if (kind === 'jwks') registerUrl(material, 'the URL of the key set')
    if (kind === 'hs256') registerSecret(material, 'signing secret')
    if (kind === 'hs256') return fixed('HS256', createSecretKey(material, 'utf8'))
    if (isKeyPairKind(kind)) return fixed(keyPairs[kind].algorithm, await readKey(kind, material))
    if (kind === 'jwks') return remote(material)
  }
  throw new SettingError(
    'authorization',
    'expected none, hs256:SECRET, rs256:FILE, es256:FILE, es512:FILE (FILE holds a PEM public key or certificate) or jwks:URL',
  )
}

const fixed = (algorithm: string, key: KeyObject): KeySource => ({
  algorithms: [algorithm],
  keyFor: async () => key,
})

async function readKey(kind: KeyPairKind, file: string): Promise<KeyObject> {
  const key = await readInput(file, 'a key, token or secret')
    .then(createPublicKey)
    .catch((error: unknown) => {
      throw new SettingError('authorization', `cannot read a public key from ${file}: ${inputReason(error)}`)
    })
  if (!fits(kind, key))
    throw new SettingError('authorization', `${kind} needs ${keyPairs[kind].needs}; ${file} contains another key`)
  return key
}

/** Another kind of key would reject every token without a message. */
function fits(kind: KeyPairKind, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (kind === 'rs256') return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  return asymmetricKeyDetails?.namedCurve === (kind === 'es256' ? 'prime256v1' : 'secp521r1')
}

/** Milliseconds. */
const longestWait = 5_000

/** Fetches the keys at the first token and for each unknown key id. */
function remote(address: string): KeySource {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new SettingError('authorization', 'jwks needs an http or https URL without a user name and password')
  }
  const keys = createRemoteJWKSet(url, { timeoutDuration: longestWait, [customFetch]: boundedFetch })
  const keyFor: KeySource['keyFor'] = async (header) => {
    try {
      return KeyObject.from(await keys(header))
    } catch (error) {
      // The query may contain a secret.
      if (!isAboutToken(error)) log(`cannot fetch keys from ${url.origin}${url.pathname}`, withCause(error))
      throw error
    }
  }
  return { algorithms: Object.values(keyPairs).map(({ algorithm }) => algorithm), keyFor }
}

const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported

/** `fetch` hides the reason in `cause`. */
const withCause = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${error.message} (${error.cause.message})` : String(error)
