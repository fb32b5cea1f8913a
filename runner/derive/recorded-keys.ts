/** The keys of a run, known by what it drew: the private keys are gone. */
import { createPublicKey } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { parsed } from '../../lib/json/parsed.js'
import {
  fingerprintsOf,
  type KeyKind,
  KeyRing,
  makeSigningKey,
  publicKeyOf,
  type Signer,
  type SigningKey,
} from '../sign/signing-key.js'

export class RecordedKeys extends KeyRing {
  readonly #drawn: Iterator<string>
  /** Of a row. */
  #generated: Iterator<string> | undefined
  readonly #otherFingerprints = new Set<string>()

  /** `drawn`: JSON texts. */
  constructor(drawn: readonly string[]) {
    super()
    this.#drawn = drawn.values()
  }

  /** The values in requests of a row; undefined after the rows. The other form of a fingerprint follows from its key. */
  use(generated: readonly string[] | undefined): void {
    const isDrawn = (text: string): boolean => !this.#otherFingerprints.has(String(parsed(text)))
    this.#generated = generated?.filter(isDrawn).values()
  }

  /** Values of the run that nothing used. A second call returns none. */
  takeUnused(): string[] {
    return [...{ [Symbol.iterator]: () => this.#drawn }]
  }

  /** Not the key of the run if the record has no such key. */
  override make(kind: KeyKind): SigningKey {
    const made = makeSigningKey(kind)
    const key: SigningKey = { ...made, ...publicPartOf(kind, this.#next()), sign: () => this.#signature() }
    this.#otherFingerprints.add(key.otherFingerprint)
    super.add(key)
    return key
  }

  /** The key of the settings has its signatures, which requests of rows contain among the others. */
  override add(key: Signer): void {
    const { fingerprint, otherFingerprint } = key
    this.#otherFingerprints.add(otherFingerprint)
    const sign: Signer['sign'] = (message, digest) => {
      const signature = key.sign(message, digest)
      this.#generated?.next()
      return signature
    }
    super.add({ fingerprint, otherFingerprint, sign })
  }

  /** `$signature` generates only the signature of the object. */
  #signature(): JsonObject {
    const value = this.#next()
    return isJsonObject(value) ? value : { signature: value ?? null }
  }

  #next(): JsonValue | undefined {
    const { done, value } = (this.#generated ?? this.#drawn).next()
    return done ? undefined : (parsed(value) as JsonValue | undefined) // JSON text
  }
}

function publicPartOf(kind: KeyKind, keyData: JsonValue | undefined): Partial<SigningKey> {
  if (typeof keyData !== 'string') return {}
  const spki = Buffer.from(keyData, 'base64')
  try {
    const key = createPublicKey({ key: spki, type: 'spki', format: 'der' })
    return { publicKey: publicKeyOf(kind, spki), ...fingerprintsOf(kind, key) }
  } catch {
    // Node throws many kinds of errors for an invalid key.
    return {}
  }
}
