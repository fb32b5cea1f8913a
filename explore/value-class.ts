import { isJsonObject, type JsonValue } from '../interface/json.js'
import type { Data } from '../record/resolved-row.js'

/** What kind of value a member of a request holds, roughly: what explorations tell that they met. */
export function valueClass(value: Data | JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return value < 0 ? 'negative number' : value === 0 ? 'zero' : 'number'
  if (typeof value === 'string') return value === '' ? 'empty text' : value.length > 200 ? 'long text' : 'text'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : value.length === 1 ? 'one item' : 'several items'
  if (isJsonObject(value as JsonValue) && Object.keys(Object(value)).length === 0) return 'empty object'
  return 'object'
}
