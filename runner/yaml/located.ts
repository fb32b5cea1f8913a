import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'

/** A value of a suite file with the location of each of its parts. */
export interface Located {
  location: Location
  content: null | boolean | number | string | Located[] | Map<string, Entry>
}

/** A member of a map; `key` is where its name stands. */
export interface Entry {
  name: string
  key: Location
  value: Located
}

// The schemas have been checked before anything is read: a wrong type here is a fault of ours, never of a suite.

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

export function entry(node: Located, name: string): Entry | undefined {
  return node.content instanceof Map ? node.content.get(name) : undefined
}

export function member(node: Located, name: string): Located | undefined {
  return entry(node, name)?.value
}

export function textOf(node: Located): string {
  if (typeof node.content === 'string') return node.content
  throw mismatch(node, 'a text')
}

export function textAt(node: Located, name: string): string {
  const found = member(node, name)
  if (found) return textOf(found)
  throw mismatch(node, `a map with ${name}`)
}

/** The texts under the names, all of which are there. */
export function textsAt<Name extends string>(node: Located, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textAt(node, name)])) as Record<Name, string> // one for each name
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

/** The plain value; members called `__proto__` are members like others. */
export function dataOf({ content }: Located): Data {
  if (Array.isArray(content)) return content.map(dataOf)
  if (!(content instanceof Map)) return content
  return Object.fromEntries([...content.values()].map(({ name, value }) => [name, dataOf(value)]))
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that have a value: for objects whose optional members must not be there as undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  const there = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as Given<Members> // the same members without the undefined ones
}

function mismatch({ location }: Located, wanted: string): Error {
  return new Error(
    `${location.file}:${location.line}:${location.column}: the schemas let through what is not ${wanted}`,
  )
}
