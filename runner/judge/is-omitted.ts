import type { JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../template/pointer.js'

/**
 * Whether there is nothing at the pointer because one of these members, which all stand on the way there, is left out or null.
 * A list that has too few items leaves nothing out.
 */
export function isOmitted(body: JsonValue | undefined, pointer: string, optional: readonly string[]): boolean {
  let path = ''
  for (const part of pointer.split('/').slice(1)) {
    path += `/${part}`
    if ((valueAt(body, path) ?? null) === null) return optional.includes(path)
  }
  return false
}
