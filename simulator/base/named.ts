import { suggestion } from '../../lib/suggest.js'

/** A name that stands for nothing; the message tells those that are spelt like it. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName'
}

/** What bears that name. Throws `UnknownName`; `kind`: what it would be. */
export function named<T extends { name: string }>(kind: string, name: string, among: readonly T[]): T {
  const found = among.find((item) => item.name === name)
  if (found) return found
  const hint = suggestion(name, new Set(among.map((item) => item.name)))
  throw new UnknownName(`there is no ${kind} ${JSON.stringify(name.slice(0, 100))}; ${hint}`)
}
