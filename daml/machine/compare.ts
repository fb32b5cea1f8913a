/** Without recursion: values have any depth. */
import { printType } from '../language/types.js'
import { EvaluationFailure, illTyped } from './failures.js'
import { itemsOf, type MapValue, type Value } from './values.js'

/** Counts compared parts: values with shared parts can be exponentially large. */
export type Spend = (steps: number) => void

/** Negative if `a` comes first. Throws `EvaluationFailure` for functions. */
export function compareValues(a: Value, b: Value, spend: Spend): number {
  const left: Iterator<Value>[] = [[a].values()]
  const right: Iterator<Value>[] = [[b].values()]
  for (;;) {
    const [x, y] = [left.at(-1)?.next(), right.at(-1)?.next()]
    if (!x || !y) return 0
    if (x.done || y.done) {
      if (!x.done) return 1
      if (!y.done) return -1
      left.pop()
      right.pop()
      continue
    }
    spend(1)
    const difference = compareHeads(x.value, y.value)
    if (difference !== 0) return difference
    const [xs, ys] = [partsOf(x.value), partsOf(y.value)]
    if (xs && ys) {
      left.push(xs)
      right.push(ys)
    }
  }
}

export const areEqual = (a: Value, b: Value, spend: Spend): boolean =>
  typeof a === 'object' || typeof b === 'object' ? compareValues(a, b, spend) === 0 : a === b

/** Compares two values without their parts. */
function compareHeads(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a !== 'object' || typeof b !== 'object') return a === b ? 0 : a < b ? -1 : 1
  switch (a.kind) {
    case 'numeric':
      if (b.kind === 'numeric') return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
      break
    case 'enum':
    case 'variant':
      if (b.kind === a.kind) return a.rank - b.rank
      break
    case 'any':
    case 'typeRep':
      if (b.kind === a.kind) return compareText(printType(a.type), printType(b.type))
      break
    case 'closure':
    case 'host':
    case 'partial':
    case 'update':
    case 'task':
      throw new EvaluationFailure({ kind: 'notComparable' })
    case 'none':
    case 'some':
      if (b.kind === 'none' || b.kind === 'some') return Number(a.kind === 'some') - Number(b.kind === 'some')
      break
    case 'nil':
    case 'cons':
      if (b.kind === 'nil' || b.kind === 'cons') return 0
      break
    default:
      if (a.kind === b.kind) return 0
  }
  return illTyped(`a ${a.kind} is compared with a ${b.kind}`)
}

function partsOf(value: Value): Iterator<Value> | undefined {
  if (typeof value !== 'object') return undefined
  switch (value.kind) {
    case 'record':
    case 'struct':
      return value.fields.values()
    case 'variant':
    case 'some':
    case 'any':
      return [value.value].values()
    case 'nil':
    case 'cons':
      return itemsOf(value)
    case 'map':
      return entriesOf(value)
    default:
      return undefined
  }
}

function* entriesOf({ keys, values }: MapValue): Generator<Value> {
  for (const [index, key] of keys.entries()) {
    yield key
    const value = values[index]
    if (value !== undefined) yield value
  }
}

/** By code points, where JavaScript compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index += 1) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x === y) continue
    // Surrogates encode code points above all other units.
    const [isHighX, isHighY] = [isSurrogate(x), isSurrogate(y)]
    return isHighX === isHighY ? x - y : isHighX ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
