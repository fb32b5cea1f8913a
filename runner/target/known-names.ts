import { suggestion } from '../../lib/suggest.js'

/** The first name that is not known, with what may have been meant: `targt; did you mean "target"?`. Undefined: all are. */
export function findUnknownName(names: Iterable<string>, known: readonly string[]): string | undefined {
  const unknown = [...names].find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const hint = suggestion(unknown, known)
  return hint === undefined ? unknown : `${unknown}; ${hint}`
}
