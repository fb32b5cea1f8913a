/** Records of which every member is hostile. */

/** By these a report finds its way; the reader of records refuses others. */
const structure = new Set(['type', 'verdict', 'strength', 'role', 'kind', 'from'])

/** The same value with every text in it changed. */
export function poisoned<Value>(value: Value, change: (text: string) => string, name = ''): Value {
  if (typeof value === 'string') return (structure.has(name) ? value : change(value)) as Value // a text again
  if (Array.isArray(value)) return value.map((one: unknown) => poisoned(one, change, name)) as Value // of the same length and kind
  if (typeof value !== 'object' || value === null || value instanceof Map) return value
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => [key, poisoned(one, change, key)])
  return Object.fromEntries(entries) as Value // with the same members
}
