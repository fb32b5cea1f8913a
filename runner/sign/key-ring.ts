import { type KeyKind, makeSigningKey, type Signer, type SigningKey } from './signing-key.js'

/** The keys of one run, by their fingerprints. Those that it makes itself are made anew for each run and gone with it. */
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

/** The variable that holds the fingerprint of one of a party's keys; the index counts from 0. */
export const keyVariable = (party: string, index: number): string => `${party}.key-${index + 1}`
