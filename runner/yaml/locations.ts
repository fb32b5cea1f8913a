/**
 * Values of YAML files are plain maps and lists. This module finds the place of each in its file, once a finding or a report needs it. A scalar
 * has no place of its own, so the caller names its map or list and its name or index there.
 */
import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'

/** Undefined for members without a place of their own: they have that of the map or list. */
interface Origin {
  location: () => Location
  key: (name: string) => Location | undefined
  value: (name: string) => Location | undefined
}

const origins = new WeakMap<object, Origin>()

export function withOrigin<Value extends object>(value: Value, origin: Origin): Value {
  origins.set(value, origin)
  return value
}

/** Throws for a value that this program made without an origin. */
function originOf(container: object): Origin {
  const found = origins.get(container)
  if (found) return found
  throw new Error('the place of this map or list is unknown')
}

export const locationOf = (container: object): Location => originOf(container).location()

export const keyLocation = (map: object, name: string): Location => originOf(map).key(name) ?? locationOf(map)

export const valueLocation = (container: object, name: string | number): Location =>
  originOf(container).value(String(name)) ?? locationOf(container)

/** `location`: that of the name. */
export interface Entry<Shape> {
  name: string
  value: Shape
  location: Location
}

/** Undefined: none. */
export const entriesOf = <Shape>(map: Record<string, Shape> | undefined): Entry<Shape>[] =>
  map ? Object.entries(map).map(([name, value]) => ({ name, value, location: keyLocation(map, name) })) : []

type Container = Data[] | Record<string, Data>

/** The same members with other values, at the same places. */
export function replaceValues<From extends Container>(from: From, change: (value: Data, name: string) => Data): From {
  const changed = Object.entries(from).map(([name, value]) => [name, change(value, name)] as const)
  const value = Array.isArray(from) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
  return renamed(value, from, (name) => name) as From // the same members
}

/** `value` has the members of `parts`; later ones override earlier ones. By default, it has the location of the first part. */
export function composed<Value extends object>(
  value: Value,
  parts: readonly [object, ...object[]],
  location?: Location,
): Value {
  const partWith = (name: string): object => parts.findLast((part) => Object.hasOwn(part, name)) ?? parts[0]
  return withOrigin(value, {
    location: () => location ?? locationOf(parts[0]),
    key: (name) => keyLocation(partWith(name), name),
    value: (name) => valueLocation(partWith(name), name),
  })
}

/** `value` has members of `from` under other names. */
export const renamed = <Value extends object>(
  value: Value,
  from: object,
  originalName: (name: string) => string,
): Value =>
  withOrigin(value, {
    location: () => locationOf(from),
    key: (name) => keyLocation(from, originalName(name)),
    value: (name) => valueLocation(from, originalName(name)),
  })

/** With one place for all members. */
export const placedAt = <Value extends object>(value: Value, location: Location): Value =>
  withOrigin(value, { location: () => location, key: () => undefined, value: () => undefined })
