import type { Change, Comparison, changeLists } from './compare-runs.js'

export type ChangeListName = (typeof changeLists)[number][0]

/** The rows of one list, whatever side they are on. */
export function changeLines<R extends { id: string }>(
  found: Comparison<R>,
  list: ChangeListName,
): ({ id: string } & Partial<Change<R>>)[] {
  if (list === 'added') return found.added.map((after) => ({ id: after.id, after }))
  if (list === 'removed') return found.removed.map((before) => ({ id: before.id, before }))
  return found[list]
}
