/** Members with fixed values. */
const structure = new Set(['type', 'verdict', 'strength', 'role', 'kind', 'from', 'code', 'check', 'cause'])

export function poisoned<Value>(value: Value, change: (text: string) => string, name = ''): Value {
  if (typeof value === 'string') return (structure.has(name) ? value : change(value)) as Value // a string again
  if (Array.isArray(value)) return value.map((one: unknown) => poisoned(one, change, name)) as Value // an array with changed items
  if (typeof value !== 'object' || value === null || value instanceof Map) return value
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => [key, poisoned(one, change, key)])
  return Object.fromEntries(entries) as Value // with the same members
}
