/** The changes between two runs in groups with the same verdicts and cause. */
import { causeOf } from '../summary/cause.js'
import { type Change, type ChangeListName, type ComparedRow, type Comparison, changeLines } from './compare-runs.js'

export interface ChangeGroup<R> {
  /** `pass → fail`, or one verdict. */
  verdicts: string
  /** Cause in the later run, or else in the earlier one; empty if both pass. */
  cause: string
  changes: ({ id: string } & Partial<Change<R>>)[]
}

/** Most rows first. */
export function changeGroups<R extends ComparedRow>(found: Comparison<R>, list: ChangeListName): ChangeGroup<R>[] {
  const groups = new Map<string, ChangeGroup<R>>()
  for (const change of changeLines(found, list)) {
    const { before, after } = change
    const verdicts = [...new Set([before?.verdict, after?.verdict])].filter((one) => one !== undefined).join(' → ')
    const unpassed = [after, before].find((row) => row !== undefined && row.verdict !== 'pass')
    const cause = unpassed && list !== 'changedTiming' ? causeOf(unpassed) : ''
    const group = groups.get(`${verdicts} ${cause}`) ?? { verdicts, cause, changes: [] }
    groups.set(`${verdicts} ${cause}`, group)
    group.changes.push(change)
  }
  return [...groups.values()].toSorted((a, b) => b.changes.length - a.changes.length)
}
