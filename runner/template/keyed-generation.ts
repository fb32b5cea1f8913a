/** Values that take keys, such as signatures: made with the keys of a run, or as a record has them. */
import { type JsonValue, parseJson, printJson } from '../../interface/json.js'
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

/** Gives what was made before, in the same order: many signatures are others each time. */
export function asRecorded(generated: readonly string[]): KeyedGeneration {
  const left = generated.values()
  return () => {
    const next = left.next()
    return next.done ? undefined : parseJson(next.value)
  }
}

/** Where there are no keys, nothing can be made with them. */
export const withoutKeys: KeyedGeneration = () => undefined
