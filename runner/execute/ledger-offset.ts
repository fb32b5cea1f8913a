import type { JsonValue } from '../../lib/json/json.js'

/** A place in a ledger as a target tells it, and its beginning in place of what is none: nothing that is told may keep others from being read. */
export function offsetIn(value: JsonValue | undefined): number {
  const offset = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(offset) ? offset : 0
}
