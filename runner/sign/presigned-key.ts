import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '../../lib/json/json.js'
import {
  type Digest,
  fingerprintsOf,
  hashAlgorithm,
  type KeyKind,
  keyKinds,
  keySpecOf,
  type PublicKey,
  type Signer,
  signatureWords,
} from './signing-key.js'

export class SignatureNotGiven extends Error {
  override readonly name = 'SignatureNotGiven'
  /** The beginning of its fingerprint. */
  readonly key: string

  constructor(fingerprint: string) {
    const key = fingerprint.slice(0, 12)
    super(`the target file has no signature by the key ${key}… over these bytes`)
    this.key = key
  }
}

/** The signature object of requests. */
export type PresignedSignature = { format: string; signature: string; signedBy: string; signingAlgorithmSpec: string }

export class PresignedKey implements Signer {
  readonly kind: KeyKind
  readonly publicKey: PublicKey
  readonly fingerprint: string
  readonly otherFingerprint: string
  readonly #key: KeyObject
  /** By message in base64. */
  readonly #signatures = new Map<string, PresignedSignature>()

  private constructor(kind: KeyKind, publicKey: PublicKey, key: KeyObject) {
    const { fingerprint, otherFingerprint } = fingerprintsOf(kind, key)
    this.kind = kind
    this.publicKey = publicKey
    this.fingerprint = fingerprint
    this.otherFingerprint = otherFingerprint
    this.#key = key
  }

  /** Undefined if invalid. */
  static read({ format, keyData, keySpec }: PublicKey): PresignedKey | undefined {
    const kind = keyKinds.find((known) => keySpecOf(known) === keySpec)
    try {
      const key = createPublicKey({ key: Buffer.from(keyData, 'base64'), type: 'spki', format: 'der' })
      return kind !== undefined && kindOf(key) === kind
        ? new PresignedKey(kind, { format, keyData, keySpec }, key)
        : undefined
    } catch {
      // Node throws many kinds of errors for an invalid key.
      return undefined
    }
  }

  /** `message`: base64. Returns the problem. */
  add(message: string, given: PresignedSignature): string | undefined {
    const { format, signature, signedBy, signingAlgorithmSpec } = given
    const words = signatureWords(this.kind)
    if (signedBy !== this.fingerprint) return `signedBy must be ${this.fingerprint}, the fingerprint of the key`
    if (format !== words.format) return `format must be ${words.format} for this key`
    if (signingAlgorithmSpec !== words.signingAlgorithmSpec)
      return `signingAlgorithmSpec must be ${words.signingAlgorithmSpec} for this key`
    const bytes = Buffer.from(signature, 'base64')
    if (!verify(hashAlgorithm(this.kind), Buffer.from(message, 'base64'), this.#key, bytes))
      return 'the signature is not valid for the hash and the key'
    // Requests have this order, whatever the order in the file of the user.
    this.#signatures.set(message, { format, signature, signedBy, signingAlgorithmSpec })
    return undefined
  }

  /** `message`: base64. */
  signatureOf(message: string): PresignedSignature | undefined {
    return this.#signatures.get(message)
  }

  sign(message: Buffer, digest: Digest | null = hashAlgorithm(this.kind)): JsonObject {
    const given = this.#signatures.get(message.toString('base64'))
    if (given && digest === hashAlgorithm(this.kind)) return { ...given }
    throw new SignatureNotGiven(this.fingerprint)
  }
}

const curves: Readonly<Record<string, KeyKind>> = { prime256v1: 'p256', secp384r1: 'p384', secp256k1: 'secp256k1' }

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyKind | undefined {
  return asymmetricKeyType === 'ed25519' ? 'ed25519' : curves[asymmetricKeyDetails?.namedCurve ?? '']
}
