import type { LedgerError } from '../../base/errors.js'
import { lenientMessage, list, optional, text } from '../../json/decode.js'

export const updateMask = lenientMessage({ paths: optional(list(text), []) })

/**
 * The leaves that a mask names: a path of a parent stands for all its leaves, and a final dot has no effect (observed on
 * 3.5.10). Throws `refuse` of the problem.
 */
export function leavesIn<Leaf extends string>(
  paths: readonly string[],
  leaves: readonly Leaf[],
  refuse: (problem: string) => LedgerError,
): Set<Leaf> {
  if (paths.length === 0) throw refuse('The update mask contains no entries')
  const named = new Set<string>()
  const found = new Set<Leaf>()
  for (const given of paths) {
    const path = given.replace(/\.$/, '')
    const below = leaves.filter((leaf) => leaf === path || leaf.startsWith(`${path}.`))
    if (below.length === 0) throw refuse(`The update path: '${given}' points to an unknown field.`)
    if (named.has(path)) throw refuse(`The update path: '${given}' is duplicated.`)
    named.add(path)
    for (const leaf of below) found.add(leaf)
  }
  return found
}
