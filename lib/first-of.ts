/**
 * The first items, and one that stands for the others.
 * @example firstOf(['a', 'b', 'c'], 1, (left) => `and ${left} more`) // ['a', 'and 2 more']
 */
export function firstOf<Item>(items: readonly Item[], most: number, more: (left: number) => Item): Item[] {
  return items.length > most ? [...items.slice(0, most), more(items.length - most)] : [...items]
}
