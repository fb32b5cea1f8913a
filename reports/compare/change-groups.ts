import { causeOf } from '../summary/cause.js'
import { type ChangeListName, changeLines } from './change-lines.js'
import type { Change, ComparedRow, Comparison } from './compare-runs.js'

/** Rows of one list that changed in the same way, for the same reason. */
export interface ChangeGroup<R> {
  /** `pass → fail`, or the one verdict where both are alike or there is only one. */
  verdicts: string
  /** Why the rows do not pass now, or did not before; empty where they did and do. */
  cause: string
  changes: ({ id: string } & Partial<Change<R>>)[]
}

/** The changes of one list by what they have in common, most rows first. */
export function changeGroups<R extends ComparedRow>(found: Comparison<R>, list: ChangeListName): ChangeGroup<R>[] {
  const groups = new Map<string, ChangeGroup<R>>()
  for (const change of changeLines(found, list)) {
    const { before, after } = change
    const verdicts = [...new Set([before?.verdict, after?.verdict])].filter((one) => one !== undefined).join(' → ')
    const telling = [after, before].find((row) => row !== undefined && row.verdict !== 'pass')
    const cause = telling && list !== 'changedTiming' ? causeOf(telling) : ''
    const group = groups.get(`${verdicts} ${cause}`) ?? { verdicts, cause, changes: [] }
    groups.set(`${verdicts} ${cause}`, group)
    group.changes.push(change)
  }
  return [...groups.values()].toSorted((a, b) => b.changes.length - a.changes.length)
}
