import { type KeyKind, makeSigningKey, type Signer, type SigningKey } from './signing-key.js'

/** Created keys exist only during the run. */
export class KeyRing {
  readonly #keys = new Map<string, Signer>()

  make(kind: KeyKind): SigningKey {
    const key = makeSigningKey(kind)
    this.add(key)
    return key
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
