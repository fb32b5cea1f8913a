import { suggestion } from '../../lib/suggest.js'

/** Such as `targt; did you mean "target"?`. */
export function findUnknownName(names: Iterable<string>, known: readonly string[]): string | undefined {
  const unknown = [...names].find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const hint = suggestion(unknown, known)
  return hint === undefined ? unknown : `${unknown}; ${hint}`
}
