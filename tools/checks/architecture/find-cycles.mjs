/**
 * Finds cycles of links between names.
 * @template T
 * @param {Iterable<T>} links
 * @param {(link: T) => [from: string, to: string]} ends
 * @returns {T[][]} the shortest cycle through each name, each cycle once, as a chain of links
 */
export function findCycles(links, ends) {
  /** @type {Map<string, T[]>} */
  const outgoing = new Map()
  for (const link of links) {
    const [from] = ends(link)
    outgoing.set(from, [...(outgoing.get(from) ?? []), link])
  }
  /** @type {Map<string, T[]>} */
  const cycles = new Map()
  for (const start of [...outgoing.keys()].sort()) {
    const cycle = shortestCycle(start, outgoing, ends)
    if (!cycle) continue
    const key = cycle
      .map((link) => ends(link)[0])
      .sort()
      .join(' ')
    if (!cycles.has(key)) cycles.set(key, cycle)
  }
  return [...cycles.values()].sort((one, other) => one.length - other.length)
}

/**
 * Searches breadth first, so that the first cycle is a shortest one.
 * @template T
 * @param {string} start
 * @param {Map<string, T[]>} outgoing
 * @param {(link: T) => [from: string, to: string]} ends
 * @returns {T[] | undefined}
 */
function shortestCycle(start, outgoing, ends) {
  const reached = new Set()
  /** @type {T[][]} */
  let paths = [[]]
  while (paths.length > 0) {
    /** @type {T[][]} */
    const longer = []
    for (const path of paths) {
      const last = path.at(-1)
      for (const link of outgoing.get(last === undefined ? start : ends(last)[1]) ?? []) {
        const [, to] = ends(link)
        if (to === start) return [...path, link]
        if (reached.has(to)) continue
        reached.add(to)
        longer.push([...path, link])
      }
    }
    paths = longer
  }
  return undefined
}
