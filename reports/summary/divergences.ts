import type { RowResult, RunHeader } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { count } from '../wording/words.js'
import { divergenceOf } from './failure-causes.js'

export interface SeenDivergence {
  id: string
  rule?: string
  statement?: string
  profile?: string
  /** Rows in which the target behaves as the profile, not as the text. */
  shared: number
  /** Rows in which it behaves as the text. */
  followsTheText: number
  neither: number
}

/** Divergences that judged a row or explain its failure, sorted by id. */
export function seenDivergences(
  rows: readonly (RowResult & { divergences?: string[]; verdictByText?: Verdict })[],
  header: RunHeader,
): SeenDivergence[] {
  const seen = new Map<string, SeenDivergence>()
  const add = (id: string, what: 'shared' | 'followsTheText' | 'neither'): void => {
    const entry = seen.get(id) ?? { id, ...recordedDivergence(header, id), shared: 0, followsTheText: 0, neither: 0 }
    entry[what] += 1
    seen.set(id, entry)
  }
  for (const row of rows) {
    const unmet = new Set(row.judgements.flatMap(({ divergence, met }) => (met ? [] : (divergence ?? []))))
    // A row that follows the text can fail by another expectation of the profile.
    const followsTheText = row.verdict === 'follows-the-text' || row.verdictByText === 'pass'
    const otherwise = followsTheText ? 'followsTheText' : 'neither'
    // A divergence without an unmet judgement comes from another profile.
    for (const id of row.divergences ?? divergencesOf(row)) add(id, unmet.has(id) ? otherwise : 'shared')
  }
  return [...seen.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function recordedDivergence(
  header: RunHeader,
  id: string,
): { rule: string; statement: string; profile: string } | undefined {
  const found = divergenceOf(header, id)
  return found && { rule: found.rule, statement: found.statement, profile: found.profile }
}

export const divergencesOf = ({ judgements, known = [] }: RowResult): string[] => [
  ...new Set([...judgements.flatMap(({ divergence }) => divergence ?? []), ...known]),
]

/** `8 rows match canton-3.5, 2 rows match the text` */
export function divergenceInWords({
  profile = 'the profile',
  shared,
  followsTheText,
  neither,
}: SeenDivergence): string {
  const parts: [number, string][] = [
    [shared, profile],
    [followsTheText, 'the text'],
    [neither, 'neither'],
  ]
  return parts
    .flatMap(([rows, what]) => (rows > 0 ? [`${count(rows, 'row matches', 'rows match')} ${what}`] : []))
    .join(', ')
}

/** `10 recorded divergences of canton-3.5 from the text: the target shares 3, follows the text in 6, matches neither in 1` */
export function divergencesInWords(seen: readonly SeenDivergence[], profile: string): string {
  const neither = seen.filter((one) => one.neither > 0).length
  const text = seen.filter((one) => one.neither === 0 && one.followsTheText > 0).length
  const parts: [number, string][] = [
    [seen.length - text - neither, 'shares'],
    [text, 'follows the text in'],
    [neither, 'matches neither in'],
  ]
  const found = parts.flatMap(([number, what]) => (number > 0 ? [`${what} ${number}`] : []))
  return `${count(seen.length, 'recorded divergence')} of ${profile} from the text: the target ${found.join(', ')}`
}
