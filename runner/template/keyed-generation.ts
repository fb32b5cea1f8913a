import { type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { KeyRing } from '../sign/signing-key.js'

/** Returns the result of `make`, or a recorded value. */
export type KeyedGeneration = (make: (keys: Pick<KeyRing, 'get'>) => JsonValue | undefined) => JsonValue | undefined

/** Appends each value to `generated` as JSON. */
export const byKeys =
  (keys: KeyRing, generated: string[] = []): KeyedGeneration =>
  (make) => {
    const value = make(keys)
    if (value !== undefined) generated.push(printJson(value))
    return value
  }

export const withoutKeys: KeyedGeneration = () => undefined

/** Many signature schemes are randomized. */
export function replayGenerated(generated: readonly string[]): KeyedGeneration {
  const remaining = generated.values()
  return () => {
    const next = remaining.next()
    return next.done ? undefined : parseJson(next.value)
  }
}
