import { createHash } from 'node:crypto'

export function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T) // within the list
}

const rank = (name: string): string => createHash('sha256').update(`sample ${name}`).digest('hex')

/** A pseudo-random sample that depends only on the names. */
export function sampleOf<T extends { name: string }>(items: readonly T[], most: number): T[] {
  return items
    .map((item) => ({ item, at: rank(item.name) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item)
}
