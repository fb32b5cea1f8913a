import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'

declare const shape: unique symbol

/** `Shape`: the type of the plain value by schema; `unknown` permits any access. */
export interface Located<Shape = unknown> {
  location: Location
  content: null | boolean | number | string | Located[] | Map<string, Entry>
  /** Only for the type checker. */
  readonly [shape]?: Shape
}

/** `key`: the location of the name. */
export interface Entry<Shape = unknown> {
  name: string
  key: Location
  value: Located<Shape>
}

type Plain<Shape> = unknown extends Shape ? Data : Shape
type MapIn<Shape> = Exclude<Extract<Shape, object>, readonly unknown[]>
export type NameIn<Shape> = unknown extends Shape
  ? string
  : MapIn<Shape> extends infer One
    ? One extends object
      ? keyof One & string
      : never
    : never
export type MemberIn<Shape, Name extends string> = unknown extends Shape
  ? unknown
  : Exclude<
      MapIn<Shape> extends infer One ? (One extends Partial<Record<Name, infer Value>> ? Value : never) : never,
      undefined
    >
export type ValueIn<Shape> = MemberIn<Shape, NameIn<Shape>>
export type ItemIn<Shape> = unknown extends Shape ? unknown : Extract<Shape, readonly unknown[]>[number]

// The schema check comes first: a wrong type is a fault of this program.

export function entriesOf<Shape>(node: Located<Shape> | undefined): Entry<ValueIn<Shape>>[] {
  if (!node) return []
  if (node.content instanceof Map) return [...node.content.values()] as Entry<ValueIn<Shape>>[] // by schema
  throw mismatch(node, 'a map')
}

export function itemsOf<Shape>(node: Located<Shape> | undefined): Located<ItemIn<Shape>>[] {
  if (!node) return []
  if (Array.isArray(node.content)) return node.content as Located<ItemIn<Shape>>[] // by schema
  throw mismatch(node, 'a list')
}

/** A later entry replaces an earlier one of the same name. */
export const mapOf = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.name, one]))

export function entry<Shape, Name extends NameIn<Shape>>(
  { content }: Located<Shape>,
  name: Name,
): Entry<MemberIn<Shape, Name>> | undefined {
  const found = content instanceof Map ? content.get(name) : undefined
  return found as Entry<MemberIn<Shape, Name>> | undefined // by schema
}

export function member<Shape, Name extends NameIn<Shape>>(
  node: Located<Shape>,
  name: Name,
): Located<MemberIn<Shape, Name>> | undefined {
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

export function optionalText(node: Located, name: string): string | undefined {
  const found = member(node, name)
  return found && textOf(found)
}

/** A member named `__proto__` stays an ordinary member. */
export const dataOf = <Shape>(node: Located<Shape>): Plain<Shape> => plainOf(node) as Plain<Shape> // by schema

function plainOf({ content }: Located): Data {
  if (Array.isArray(content)) return content.map(plainOf)
  if (!(content instanceof Map)) return content
  return Object.fromEntries([...content.values()].map(({ name, value }) => [name, plainOf(value)]))
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** As `exactOptionalPropertyTypes` requires. */
export function omitUndefined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members> // the same members without the undefined ones
}

function mismatch({ location }: Located, expected: string): Error {
  return new Error(
    `${location.file}:${location.line}:${location.column}: the schemas accept a value that is not ${expected}`,
  )
}
