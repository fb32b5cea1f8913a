/** At most so many of the items, at even distances: the same ones each time. */
export function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T) // within the list
}
