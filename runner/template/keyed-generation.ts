/** Values that take keys, such as signatures. */
import { type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { KeyRing } from '../sign/key-ring.js'

/** Gives the value that the function would make with the keys; undefined where it cannot be had. */
export type KeyedGeneration = (make: (keys: Pick<KeyRing, 'get'>) => JsonValue | undefined) => JsonValue | undefined

/** Makes values with these keys; what was made is added to `generated`, as JSON texts in the order of the template. */
export const byKeys =
  (keys: KeyRing, generated: string[] = []): KeyedGeneration =>
  (make) => {
    const value = make(keys)
    if (value !== undefined) generated.push(printJson(value))
    return value
  }

/** Where there are no keys, nothing can be made with them. */
export const withoutKeys: KeyedGeneration = () => undefined

/** Replays recorded values in their order: many signature schemes are randomized. */
export function replayGenerated(generated: readonly string[]): KeyedGeneration {
  const remaining = generated.values()
  return () => {
    const next = remaining.next()
    return next.done ? undefined : parseJson(next.value)
  }
}
