import { compareText, compareValues } from '../compare.js'
import { type Host, hostFunction, listOf, type MapValue, type Value } from '../values.js'
import { at, map, optional } from './arguments.js'

const entriesPerStep = 64

/** The index, or where to insert. */
function place({ textual, keys }: MapValue, key: Value, host: Host): { index: number; found: boolean } {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = keys[middle]
    if (other === undefined) break
    const difference = textual
      ? compareText(String(other), String(key))
      : compareValues(other, key, (steps) => host.spend(steps))
    if (difference === 0) return { index: middle, found: true }
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return { index: low, found: false }
}

/** Rejects functions, even for an empty map. */
function comparable(key: Value, host: Host): Value {
  compareValues(key, key, (steps) => host.spend(steps))
  return key
}

function insert(key: Value, value: Value, into: MapValue, host: Host): MapValue {
  const { index, found } = place(into, comparable(key, host), host)
  host.spend(Math.floor(into.keys.length / entriesPerStep))
  if (found) return { kind: 'map', textual: into.textual, keys: into.keys, values: into.values.with(index, value) }
  return {
    kind: 'map',
    textual: into.textual,
    keys: into.keys.toSpliced(index, 0, key),
    values: into.values.toSpliced(index, 0, value),
  }
}

function remove(key: Value, from: MapValue, host: Host): MapValue {
  const { index, found } = place(from, comparable(key, host), host)
  if (!found) return from
  host.spend(Math.floor(from.keys.length / entriesPerStep))
  return {
    kind: 'map',
    textual: from.textual,
    keys: from.keys.toSpliced(index, 1),
    values: from.values.toSpliced(index, 1),
  }
}

function lookUp(key: Value, within: MapValue, host: Host): Value {
  const { index, found } = place(within, comparable(key, host), host)
  return optional(found ? within.values[index] : undefined)
}

const empty = (textual: boolean): MapValue => ({ kind: 'map', textual, keys: [], values: [] })
const insertion = hostFunction(3, (args, host) => insert(at(args, 0), at(args, 1), map(args, 2), host))
const deletion = hostFunction(2, (args, host) => remove(at(args, 0), map(args, 1), host))
const lookup = hostFunction(2, (args, host) => lookUp(at(args, 0), map(args, 1), host))
const size = hostFunction(1, (args) => BigInt(map(args, 0).keys.length))

export const maps = {
  TEXTMAP_EMPTY: empty(true),
  TEXTMAP_INSERT: insertion,
  TEXTMAP_LOOKUP: lookup,
  TEXTMAP_DELETE: deletion,
  TEXTMAP_SIZE: size,
  TEXTMAP_TO_LIST: hostFunction(1, (args, host) => {
    const { keys, values } = map(args, 0)
    host.spend(keys.length)
    return listOf(
      keys.map((key, index) => ({ kind: 'struct', labels: ['key', 'value'], fields: [key, at(values, index)] })),
    )
  }),
  GENMAP_EMPTY: empty(false),
  GENMAP_INSERT: insertion,
  GENMAP_LOOKUP: lookup,
  GENMAP_DELETE: deletion,
  GENMAP_SIZE: size,
  GENMAP_KEYS: hostFunction(1, (args, host) => {
    host.spend(map(args, 0).keys.length)
    return listOf(map(args, 0).keys)
  }),
  GENMAP_VALUES: hostFunction(1, (args, host) => {
    host.spend(map(args, 0).keys.length)
    return listOf(map(args, 0).values)
  }),
}
