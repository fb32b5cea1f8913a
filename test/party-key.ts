/** Key pairs of external parties, as their owners hold them. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { keyFingerprint } from '../interface/crypto-hash.js'
import type { JsonObject } from '../interface/json.js'

const kinds = {
  ed25519: { spec: 'EC_CURVE25519', algorithm: 'ED25519', digest: null, format: 'CONCAT' },
  p256: { spec: 'EC_P256', algorithm: 'EC_DSA_SHA_256', digest: 'sha256', format: 'DER' },
  p384: { spec: 'EC_P384', algorithm: 'EC_DSA_SHA_384', digest: 'sha384', format: 'DER' },
  secp256k1: { spec: 'EC_SECP256K1', algorithm: 'EC_DSA_SHA_256', digest: 'sha256', format: 'DER' },
} as const

const curves = { p256: 'prime256v1', p384: 'secp384r1', secp256k1: 'secp256k1' } as const

export type KeyKind = keyof typeof kinds
export const keyKinds = Object.keys(kinds) as KeyKind[] // the keys of the table above

export interface PartyKeyPair {
  /** As requests of the interface hold a public key. */
  publicKey: { format: string; keyData: string; keySpec: string }
  fingerprint: string
  /** A signature over the message, as requests of the interface hold one. */
  sign(message: Buffer): JsonObject
}

export function makePartyKey(kind: KeyKind): PartyKeyPair {
  const { publicKey, privateKey } = makePair(kind)
  const { spec, algorithm, digest, format } = kinds[kind]
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const fingerprint = keyFingerprint(kind === 'ed25519' ? spki.subarray(-32) : spki)
  return {
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keyData: spki.toString('base64'),
      keySpec: `SIGNING_KEY_SPEC_${spec}`,
    },
    fingerprint,
    sign: (message) => ({
      format: `SIGNATURE_FORMAT_${format}`,
      signature: sign(digest, message, privateKey).toString('base64'),
      signedBy: fingerprint,
      signingAlgorithmSpec: `SIGNING_ALGORITHM_SPEC_${algorithm}`,
    }),
  }
}

function makePair(kind: KeyKind): { publicKey: KeyObject; privateKey: KeyObject } {
  return kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curves[kind] })
}
