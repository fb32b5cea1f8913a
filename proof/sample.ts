import { createHash } from 'node:crypto'

const rank = (name: string): string => createHash('sha256').update(`sample ${name}`).digest('hex')

/** So many of them at random: the same ones each time, as long as their names stay. */
export function sampleOf<T extends { name: string }>(items: readonly T[], most: number): T[] {
  return items
    .map((item) => ({ item, at: rank(item.name) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item)
}
