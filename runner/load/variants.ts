/** A file of cases that is read once for each of several operations: `{name}` in its texts stands for what each says of itself. */
import { type Entry, entriesOf, type Located, member, textAt, textOf } from './located.js'

export interface Variant {
  operation: string
  /** What `{name}` stands for. */
  names: ReadonlyMap<string, string>
}

/** The operations that the cases of a file are for. */
export function variantsOf(root: Located): Variant[] {
  const several = entriesOf(member(root, 'operations'))
  if (several.length === 0) return [{ operation: textAt(root, 'operation'), names: new Map() }]
  return several.map(({ name, value }) => ({
    operation: name,
    names: new Map(entriesOf(value).map((item) => [item.name, textOf(item.value)])),
  }))
}

/** The same piece of a file with the names filled in, each part in its location. */
export function fillNames(node: Located, names: ReadonlyMap<string, string>): Located {
  if (names.size === 0) return node
  const { location, content } = node
  if (typeof content === 'string') return { location, content: fillText(content, names) }
  if (Array.isArray(content)) return { location, content: content.map((item) => fillNames(item, names)) }
  if (!(content instanceof Map)) return node
  const filled = [...content.values()].map(
    ({ name, key, value }): Entry => ({ name: fillText(name, names), key, value: fillNames(value, names) }),
  )
  return { location, content: new Map(filled.map((item) => [item.name, item])) }
}

/** `${name}` is a variable of the run, not of the file. */
const fillText = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/(?<!\$)\{([a-z-]+)\}/g, (whole, name: string) => names.get(name) ?? whole)
