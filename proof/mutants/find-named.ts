import { suggestion } from '../../lib/suggest.js'

/** The message suggests a known name. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName'
}

/** Finds an item by its name. Throws `UnknownName`. `kind`: the kind of item, for the message. */
export function findNamed<T extends { name: string }>(kind: string, name: string, among: readonly T[]): T {
  const found = among.find((item) => item.name === name)
  if (found) return found
  const hint = suggestion(name, new Set(among.map((item) => item.name)))
  throw new UnknownName(`unknown ${kind} ${JSON.stringify(name.slice(0, 100))}; ${hint}`)
}
