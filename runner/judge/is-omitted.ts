/** Optional members that a body omits. */
import type { JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../template/pointer.js'

/** Whether one of the `optional` members on the path of the pointer is absent or null. A missing array item is no omission. */
export function isOmitted(body: JsonValue | undefined, pointer: string, optional: readonly string[]): boolean {
  let path = ''
  for (const part of pointer.split('/').slice(1)) {
    path += `/${part}`
    if ((valueAt(body, path) ?? null) === null) return optional.includes(path)
  }
  return false
}
