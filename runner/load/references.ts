import { suggestion } from '../../interface/suggest.js'
import type { Reading, ReferenceKind } from './reading.js'

/** The names that there are, by kind; undefined where a file with such names could not be read. */
export type KnownNames = Record<ReferenceKind, Iterable<string> | undefined>

/** Every name that something refers to must be there. */
export function checkReferences(known: KnownNames, { references, findings }: Reading): void {
  const sets = new Map(Object.entries(known).map(([kind, names]) => [kind, names && new Set(names)]))
  for (const { kind, name, location } of references) {
    const names = sets.get(kind)
    if (names && !names.has(name)) findings.add(location, `unknown ${kind} "${name}"`, suggestion(name, names))
  }
}
