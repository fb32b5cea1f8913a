import type { RunHeader, RunRow } from '../../record/types/record.js'
import { count } from '../wording/words.js'
import { divergenceOf } from './failure-groups.js'

/** A recorded difference between the text and a profile that showed in a run, with what the target does. */
export interface SeenDivergence {
  id: string
  /** There where the record tells. */
  rule?: string
  statement?: string
  profile?: string
  /** Rows in which the target does as the profile says, and so not what the text says. */
  shared: number
  /** Rows in which it does what the text says. */
  followsTheText: number
  /** Rows in which it does neither. */
  neither: number
}

/** The divergences that rows were judged by, or that explain what they were not judged by, in the order of their ids. */
export function seenDivergences(
  rows: readonly (Pick<RunRow, 'verdict' | 'judgements' | 'known'> & { divergences?: string[] })[],
  header: Pick<RunHeader, 'profile' | 'otherProfiles'>,
): SeenDivergence[] {
  const seen = new Map<string, SeenDivergence>()
  const add = (id: string, what: 'shared' | 'followsTheText' | 'neither'): void => {
    const entry = seen.get(id) ?? { id, ...recordedDivergence(header, id), shared: 0, followsTheText: 0, neither: 0 }
    entry[what] += 1
    seen.set(id, entry)
  }
  for (const row of rows) {
    const unmet = new Set(row.judgements.flatMap(({ divergence, met }) => (met ? [] : (divergence ?? []))))
    const otherwise = row.verdict === 'follows-the-text' ? 'followsTheText' : 'neither'
    // What another profile knows of is what the target shares with that.
    for (const id of row.divergences ?? divergencesOf(row)) add(id, unmet.has(id) ? otherwise : 'shared')
  }
  return [...seen.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function recordedDivergence(
  header: Pick<RunHeader, 'profile' | 'otherProfiles'>,
  id: string,
): Pick<SeenDivergence, 'rule' | 'statement' | 'profile'> | undefined {
  const found = divergenceOf(header, id)
  return found && { rule: found.rule, statement: found.statement, profile: found.profile }
}

/** Those that a row was judged by, or that explain what it was not judged by. */
export const divergencesOf = ({ judgements, known = [] }: Pick<RunRow, 'judgements' | 'known'>): string[] => [
  ...new Set([...judgements.flatMap(({ divergence }) => divergence ?? []), ...known]),
]

/** `GEN-NO-SERVER-ERROR: 8 rows as canton-3.5, 2 rows as the text` */
export function divergenceInWords({
  profile = 'the profile',
  shared,
  followsTheText,
  neither,
}: SeenDivergence): string {
  const parts: [number, string][] = [
    [shared, `as ${profile}`],
    [followsTheText, 'as the text'],
    [neither, 'in another way'],
  ]
  return parts.flatMap(([rows, how]) => (rows > 0 ? [`${count(rows, 'row')} ${how}`] : [])).join(', ')
}
