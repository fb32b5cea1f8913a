import type { DamlValue } from '../../interface/daml-value.js'
import { compareText } from '../machine/compare.js'
import { type DamlType, partsOf } from './schema.js'

type SortKey = number | bigint | string | SortKey[]

/**
 * The order of GenMap keys. Negative, zero or positive.
 * @example compareDaml({ type: 'int64' }, { kind: 'int64', value: 2n }, { kind: 'int64', value: 10n }) < 0 // true
 */
export function compareDaml(type: DamlType, a: DamlValue, b: DamlValue): number {
  return compareKeys(sortKey(type, a), sortKey(type, b))
}

function sortKey(type: DamlType, value: DamlValue): SortKey {
  const parts = partsOf(type, value).map(([of, part]) => sortKey(of, part))
  switch (value.kind) {
    case 'unit':
      return 0
    case 'bool':
      return Number(value.value)
    case 'numeric':
      return unscaled(value.value)
    case 'variant':
      return [rank(type, value.constructor), ...parts]
    case 'enum':
      return rank(type, value.constructor)
    case 'optional':
    case 'list':
    case 'textMap':
    case 'genMap':
    case 'record':
      return parts
    default:
      return value.value
  }
}

/** A string that is not canonical (rejected later) sorts as a string. */
function unscaled(numeric: string): bigint | string {
  const digits = numeric.replace('.', '')
  return /^-?\d{1,38}$/.test(digits) ? BigInt(digits) : numeric
}

function rank(type: DamlType, chosen: string): number {
  if (type.type === 'enum') return type.constructors.indexOf(chosen)
  if (type.type === 'variant') return type.constructors.findIndex(([name]) => name === chosen)
  return 0
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, item] of a.entries()) {
      const other = b[index]
      const difference = other === undefined ? 1 : compareKeys(item, other)
      if (difference !== 0) return difference
    }
    return a.length - b.length
  }
  if (typeof a !== typeof b) return compareText(typeof a, typeof b)
  return a < b ? -1 : a > b ? 1 : 0
}
