import { type KeyKind, makeSigningKey, type SigningKey } from './signing-key.js'

/** The keys of one run, by their fingerprints. Made anew for each run and gone with it. */
export class KeyRing {
  readonly #keys = new Map<string, SigningKey>()

  make(kind: KeyKind): SigningKey {
    const key = makeSigningKey(kind)
    this.#keys.set(key.fingerprint, key)
    return key
  }

  get(fingerprint: string): SigningKey | undefined {
    return this.#keys.get(fingerprint)
  }
}

/** The variable that holds the fingerprint of one of a party's keys; the index counts from 0. */
export const keyVariable = (party: string, index: number): string => `${party}.key-${index + 1}`
