import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { SignJWT } from 'jose/jwt/sign'
import { inputReason } from '../../../lib/files/file-errors.js'
import { readInputTextSync } from '../../../lib/files/read-input.js'
import { once } from '../../../lib/made-once.js'
import { registerSecret } from '../../../lib/redaction/redaction.js'
import { CredentialError } from './credential-source.js'

export const keyKinds = ['hs256', 'rs256', 'es256', 'es512'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Header and claims of minted tokens, except user and expiry. */
export interface TokenForm {
  keyId?: string
  issuer?: string
  /** Replaces the audience that names the participant. */
  audience?: string
  scope?: string
  /** Seconds; the reference participant accepts at most 300. */
  life: number
}

export const defaultTokenForm: TokenForm = { life: 240 }

export interface MintingKey {
  kind: KeyKind
  form: TokenForm
  /** Records must not contain it. */
  secret: string
  /** For invalid tokens, `wrong` names another secret or algorithm. Rejects with `CredentialError` if the key does not support the algorithm. */
  sign(payload: JWTPayload, wrong?: WrongSignature): Promise<string>
}

export interface WrongSignature {
  /** A key other than HS256 is replaced by a new key. */
  secret?: string
  algorithm?: string
}

export function secretKey(secret: string, form: TokenForm = defaultTokenForm): MintingKey {
  registerSecret(secret, 'signing secret')
  return {
    kind: 'hs256',
    form,
    secret,
    sign: async (payload, { secret: own = secret, algorithm = 'HS256' } = {}) => {
      if (/^HS(?:256|384|512)$/.test(algorithm)) return signed(payload, new TextEncoder().encode(own), algorithm, form)
      throw new CredentialError(`the algorithm ${algorithm} cannot sign with a secret`)
    },
  }
}

/** `path`: a PEM file. Throws `CredentialError`. */
export function privateKey(
  kind: Exclude<KeyKind, 'hs256'>,
  path: string,
  form: TokenForm = defaultTokenForm,
): MintingKey {
  const pem = readPem(path)
  const key = keyIn(pem, path)
  if (!fits(kind, key)) throw new CredentialError(`${kind} requires ${needs[kind]}; ${path} contains another key`)
  const algorithm = kind.toUpperCase()
  const secret = pem.replace(/-----[^-]+-----|\s/g, '')
  registerSecret(secret, 'signing key')
  const foreign = once(() => anotherKey(kind))
  return {
    kind,
    form,
    secret,
    sign: async (payload, { secret: other, algorithm: wanted = algorithm } = {}) => {
      if (wanted === algorithm) return signed(payload, other === undefined ? key : foreign(), algorithm, form)
      throw new CredentialError(`the algorithm ${wanted} cannot sign with a key for ${algorithm}`)
    },
  }
}

const signed = (payload: JWTPayload, key: Uint8Array | KeyObject, alg: string, { keyId }: TokenForm): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) }).sign(key)

const needs = {
  rs256: 'a private RSA key of at least 2048 bits',
  es256: 'a private key on the curve P-256',
  es512: 'a private key on the curve P-521',
} as const

function readPem(path: string): string {
  try {
    return readInputTextSync(path, 'a key, token or secret')
  } catch (error) {
    throw new CredentialError(`the key file ${path} cannot be read (${inputReason(error)})`)
  }
}

function keyIn(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // Its message could reveal bytes of the key.
    throw new CredentialError(`the key file ${path} contains no private key in PEM without a passphrase`)
  }
}

function fits(kind: Exclude<KeyKind, 'hs256'>, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (kind === 'rs256') return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  return asymmetricKeyDetails?.namedCurve === curves[kind]
}

const curves = { es256: 'prime256v1', es512: 'secp521r1' } as const

const anotherKey = (kind: Exclude<KeyKind, 'hs256'>): KeyObject =>
  kind === 'rs256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: curves[kind] }).privateKey
