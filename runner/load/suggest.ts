/** More names than this are not listed: nobody reads them. */
const listed = 24

/**
 * The hint for a name that is not known: the nearest of the allowed ones if one is near, and what is allowed. Undefined
 * where nothing is.
 */
export function suggestion(name: string, allowed: Iterable<string>): string | undefined {
  const names = [...allowed]
  const near = nearest(name, names)
  const parts = [
    ...(near === undefined ? [] : [`did you mean "${near}"?`]),
    ...(names.length > 0 && names.length <= listed ? [`allowed: ${names.join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : undefined
}

/** The allowed name with the fewest typing mistakes between it and the given one; undefined if there are too many. */
export function nearest(name: string, allowed: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3))
  let best: { name: string; mistakes: number } | undefined
  for (const candidate of allowed) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const mistakes = distance(name.toLowerCase(), candidate.toLowerCase())
    if (mistakes <= most && (!best || mistakes < best.mistakes)) best = { name: candidate, mistakes }
  }
  return best?.name
}

/** Characters to add, drop, change or swap with their neighbour (optimal string alignment). */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + changed,
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
