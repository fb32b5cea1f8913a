/** A private key never leaves this module. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { keyFingerprint } from '../../interface/crypto-hash.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'

const kinds = {
  ed25519: { number: 1, spec: 'EC_CURVE25519', algorithm: 'ED25519', digest: null, format: 'CONCAT' },
  p256: { number: 2, spec: 'EC_P256', algorithm: 'EC_DSA_SHA_256', digest: 'sha256', format: 'DER' },
  p384: { number: 3, spec: 'EC_P384', algorithm: 'EC_DSA_SHA_384', digest: 'sha384', format: 'DER' },
  secp256k1: { number: 4, spec: 'EC_SECP256K1', algorithm: 'EC_DSA_SHA_256', digest: 'sha256', format: 'DER' },
} as const

const curves = { p256: 'prime256v1', p384: 'secp384r1', secp256k1: 'secp256k1' } as const

export type KeyKind = keyof typeof kinds
export const keyKinds = Object.keys(kinds) as KeyKind[] // the keys of the table above

interface Fingerprints {
  fingerprint: string
  /** Hash of the wrong encoding: raw bytes instead of SubjectPublicKeyInfo, or the reverse. */
  otherFingerprint: string
}

export interface Signer extends Fingerprints {
  /** Default: the digest of the key. */
  sign(message: Buffer, digest?: Digest): JsonObject
}

export type Digest = 'sha256' | 'sha384'

/** The key object of requests. */
export type PublicKey = { format: string; keyData: string; keySpec: string }

export interface SigningKey extends Signer {
  publicKey: PublicKey
  /** Number of the key spec in topology transactions. */
  topologyNumber: number
}

/**
 * A new random pair. `sign` returns the signature object of requests, with the signature in base64.
 * @example
 * const { publicKey, sign } = makeSigningKey('ed25519')
 * publicKey.keySpec // 'SIGNING_KEY_SPEC_EC_CURVE25519'
 * sign(Buffer.from('…hash…'))['format'] // 'SIGNATURE_FORMAT_CONCAT'
 */
export function makeSigningKey(kind: KeyKind): SigningKey {
  const { publicKey, privateKey } = makePair(kind)
  const { number, digest } = kinds[kind]
  const fingerprints = fingerprintsOf(kind, publicKey)
  return {
    publicKey: publicKeyOf(kind, publicKey.export({ type: 'spki', format: 'der' })),
    topologyNumber: number,
    ...fingerprints,
    sign: (message, otherDigest) => ({
      ...signatureWords(kind),
      signature: sign(otherDigest ?? digest, message, privateKey).toString('base64'),
      signedBy: fingerprints.fingerprint,
    }),
  }
}

export const publicKeyOf = (kind: KeyKind, spki: Buffer): PublicKey => ({
  format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
  keyData: spki.toString('base64'),
  keySpec: keySpecOf(kind),
})

export function fingerprintsOf(kind: KeyKind, publicKey: KeyObject): Fingerprints {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const [named, other] = kind === 'ed25519' ? [spki.subarray(-32), spki] : [spki, uncompressedPoint(publicKey)]
  return { fingerprint: keyFingerprint(named), otherFingerprint: keyFingerprint(other) }
}

export const keySpecOf = (kind: KeyKind): string => `SIGNING_KEY_SPEC_${kinds[kind].spec}`

/** Null if the algorithm includes the digest. */
export const hashAlgorithm = (kind: KeyKind): Digest | null => kinds[kind].digest

export const signatureWords = (kind: KeyKind): { format: string; signingAlgorithmSpec: string } => ({
  format: `SIGNATURE_FORMAT_${kinds[kind].format}`,
  signingAlgorithmSpec: `SIGNING_ALGORITHM_SPEC_${kinds[kind].algorithm}`,
})

function uncompressedPoint(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function makePair(kind: KeyKind): { publicKey: KeyObject; privateKey: KeyObject } {
  return kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curves[kind] })
}

/** Created keys exist only during the run. `drawn` receives each value that only this run can repeat. */
export class KeyRing {
  readonly #keys = new Map<string, Signer>()
  readonly #drawn: (value: JsonValue) => void

  constructor(drawn: (value: JsonValue) => void = () => undefined) {
    this.#drawn = drawn
  }

  make(kind: KeyKind): SigningKey {
    const key = makeSigningKey(kind)
    this.#drawn(key.publicKey.keyData)
    const own: SigningKey = {
      ...key,
      sign: (message, digest) => {
        const signature = key.sign(message, digest)
        this.#drawn(signature)
        return signature
      },
    }
    this.add(own)
    return own
  }

  add(key: Signer): void {
    this.#keys.set(key.fingerprint, key)
  }

  get(fingerprint: string): Signer | undefined {
    return this.#keys.get(fingerprint)
  }
}

/** `index` counts from 0. */
export const keyVariable = (party: string, index: number): string => `${party}.key-${index + 1}`
