import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { KeyRing } from '../sign/signing-key.js'

/** Returns the result of `make`. */
export type KeyedGeneration = (make: (keys: KeyRing) => JsonValue | undefined) => JsonValue | undefined

/** Appends each value to `generated` as JSON. */
export const byKeys =
  (keys: KeyRing, generated: string[] = []): KeyedGeneration =>
  (make) => {
    const value = make(keys)
    if (value !== undefined) generated.push(printJson(value))
    return value
  }

export const withoutKeys: KeyedGeneration = () => undefined
