/** YAML values with the locations of their parts, and typed access to them. */
import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'

export interface Located {
  location: Location
  content: null | boolean | number | string | Located[] | Map<string, Entry>
}

/** A member of a map; `key` is the location of its name. */
export interface Entry {
  name: string
  key: Location
  value: Located
}

// The schema check comes first, so a wrong type below is a fault of this program, not of a suite.

export function entriesOf(node: Located | undefined): Entry[] {
  if (!node) return []
  if (node.content instanceof Map) return [...node.content.values()]
  throw mismatch(node, 'a map')
}

export function itemsOf(node: Located | undefined): Located[] {
  if (!node) return []
  if (Array.isArray(node.content)) return node.content
  throw mismatch(node, 'a list')
}

/** A map of entries by name; a later entry replaces an earlier one of the same name. */
export const mapOf = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.name, one]))

export function entry(node: Located, name: string): Entry | undefined {
  return node.content instanceof Map ? node.content.get(name) : undefined
}

export function member(node: Located, name: string): Located | undefined {
  return entry(node, name)?.value
}

export function textOf(node: Located): string {
  if (typeof node.content === 'string') return node.content
  throw mismatch(node, 'a string')
}

export function textAt(node: Located, name: string): string {
  const found = member(node, name)
  if (found) return textOf(found)
  throw mismatch(node, `a map with ${name}`)
}

/** Throws if a member is missing. */
export function textsAt<Name extends string>(node: Located, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textAt(node, name)])) as Record<Name, string> // one member for each name
}

export function optionalText(node: Located, name: string): string | undefined {
  const found = member(node, name)
  return found && textOf(found)
}

export function optionalNumber(node: Located, name: string): number | undefined {
  const found = member(node, name)
  if (!found) return undefined
  if (typeof found.content === 'number') return found.content
  throw mismatch(found, 'a number')
}

/** The plain value; a member named `__proto__` stays an ordinary member. */
export function dataOf({ content }: Located): Data {
  if (Array.isArray(content)) return content.map(dataOf)
  if (!(content instanceof Map)) return content
  return Object.fromEntries([...content.values()].map(({ name, value }) => [name, dataOf(value)]))
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** Removes the undefined members, as `exactOptionalPropertyTypes` requires. */
export function omitUndefined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members> // the same members without the undefined ones
}

function mismatch({ location }: Located, expected: string): Error {
  return new Error(
    `${location.file}:${location.line}:${location.column}: the schemas accept a value that is not ${expected}`,
  )
}
