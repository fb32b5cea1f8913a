/**
 * @template T
 * @param {Iterable<T>} links what points from one name to another
 * @param {(link: T) => [from: string, to: string]} ends
 * @returns {T[][]} the shortest circle through each name that is in one, as a chain of links; no circle twice
 */
export function findCircles(links, ends) {
  /** @type {Map<string, T[]>} */
  const outgoing = new Map()
  for (const link of links) {
    const [from] = ends(link)
    outgoing.set(from, [...(outgoing.get(from) ?? []), link])
  }
  /** @type {Map<string, T[]>} */
  const circles = new Map()
  for (const start of [...outgoing.keys()].sort()) {
    const circle = shortestWayBack(start, outgoing, ends)
    if (!circle) continue
    const key = circle
      .map((link) => ends(link)[0])
      .sort()
      .join(' ')
    if (!circles.has(key)) circles.set(key, circle)
  }
  return [...circles.values()].sort((one, other) => one.length - other.length)
}

/**
 * Breadth first, so that the first way found is a shortest one.
 * @template T
 * @param {string} start
 * @param {Map<string, T[]>} outgoing
 * @param {(link: T) => [from: string, to: string]} ends
 * @returns {T[] | undefined}
 */
function shortestWayBack(start, outgoing, ends) {
  const reached = new Set()
  /** @type {T[][]} */
  let ways = [[]]
  while (ways.length > 0) {
    /** @type {T[][]} */
    const longer = []
    for (const way of ways) {
      const last = way.at(-1)
      for (const link of outgoing.get(last === undefined ? start : ends(last)[1]) ?? []) {
        const [, to] = ends(link)
        if (to === start) return [...way, link]
        if (reached.has(to)) continue
        reached.add(to)
        longer.push([...way, link])
      }
    }
    ways = longer
  }
  return undefined
}
