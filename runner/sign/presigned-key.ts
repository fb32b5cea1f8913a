/** A key that somebody else holds, who has given some signatures: it can sign nothing else. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '../../lib/json/json.js'
import {
  type Digest,
  digestOf,
  fingerprintsOf,
  type KeyKind,
  keyKinds,
  keySpecOf,
  type PublicKey,
  type Signer,
  signatureWords,
} from './signing-key.js'

/** The owner of the key has not signed these bytes. */
export class SignatureNotGiven extends Error {
  override readonly name = 'SignatureNotGiven'

  constructor(fingerprint: string) {
    super(`no signature by ${fingerprint.slice(0, 12)}… over these bytes is given`)
  }
}

/** A signature as requests of the interface hold one. */
type PresignedSignature = { format: string; signature: string; signedBy: string; signingAlgorithmSpec: string }

export class PresignedKey implements Signer {
  readonly kind: KeyKind
  readonly fingerprint: string
  readonly otherFingerprint: string
  readonly #publicKey: KeyObject
  /** By what was signed, as base64. */
  readonly #signatures = new Map<string, PresignedSignature>()

  private constructor(kind: KeyKind, publicKey: KeyObject) {
    const { fingerprint, otherFingerprint } = fingerprintsOf(kind, publicKey)
    this.kind = kind
    this.fingerprint = fingerprint
    this.otherFingerprint = otherFingerprint
    this.#publicKey = publicKey
  }

  /** Undefined: the bytes are no public key, or one of another kind than is said. */
  static read({ keyData, keySpec }: PublicKey): PresignedKey | undefined {
    const kind = keyKinds.find((one) => keySpecOf(one) === keySpec)
    try {
      const key = createPublicKey({ key: Buffer.from(keyData, 'base64'), type: 'spki', format: 'der' })
      return kind !== undefined && kindOf(key) === kind ? new PresignedKey(kind, key) : undefined
    } catch {
      // What keeps node from reading a key has many names, and means one thing.
      return undefined
    }
  }

  /** Takes a signature over the message; in words why not, where it is none by which a request could be right. */
  take(message: string, given: PresignedSignature): string | undefined {
    const words = signatureWords(this.kind)
    if (given.signedBy !== this.fingerprint) return `signedBy names another key than ${this.fingerprint}`
    if (given.format !== words.format) return `the format of a signature with such a key is ${words.format}`
    if (given.signingAlgorithmSpec !== words.signingAlgorithmSpec)
      return `the algorithm of such a key is ${words.signingAlgorithmSpec}`
    const bytes = Buffer.from(given.signature, 'base64')
    if (!verify(digestOf(this.kind), Buffer.from(message, 'base64'), this.#publicKey, bytes))
      return 'the signature is none over the hash with this key'
    this.#signatures.set(message, given)
    return undefined
  }

  sign(message: Buffer, digest: Digest | null = digestOf(this.kind)): JsonObject {
    const given = this.#signatures.get(message.toString('base64'))
    if (given && digest === digestOf(this.kind)) return { ...given }
    throw new SignatureNotGiven(this.fingerprint)
  }
}

const curves: Readonly<Record<string, KeyKind>> = { prime256v1: 'p256', secp384r1: 'p384', secp256k1: 'secp256k1' }

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyKind | undefined {
  return asymmetricKeyType === 'ed25519' ? 'ed25519' : curves[asymmetricKeyDetails?.namedCurve ?? '']
}
