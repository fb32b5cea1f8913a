const listed = 24

/** Of many, those with the same first word. Undefined if none is allowed. */
export function suggestion(name: string, allowed: Iterable<string>): string | undefined {
  const names = [...allowed]
  if (names.length === 0) return undefined
  const near = nearest(name, names)
  const guess = near === undefined ? [] : [`did you mean "${near}"?`]
  if (names.length <= listed) return [...guess, `allowed: ${names.join(', ')}`].join(' ')
  return near === undefined ? selection(name, names) : guess.join()
}

function selection(name: string, names: readonly string[]): string {
  const first = firstWord(name)
  const alike = names.filter((candidate) => firstWord(candidate) === first)
  if (alike.length === 0) return `none of the ${names.length} that are allowed begins with ${first}`
  const rest = alike.length > listed ? ` and ${alike.length - listed} more` : ''
  return `allowed, and beginning alike: ${alike.slice(0, listed).join(', ')}${rest}`
}

const firstWord = (name: string): string => name.split(/[-.]/)[0] ?? name

/** Undefined if every distance is too large: more than a third of the letters, or more than `limit`. */
export function nearest(name: string, allowed: Iterable<string>, limit = Number.POSITIVE_INFINITY): string | undefined {
  const most = Math.min(limit, Math.max(1, Math.floor(name.length / 3)))
  let best: { name: string; mistakes: number } | undefined
  for (const candidate of allowed) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const mistakes = distance(name.toLowerCase(), candidate.toLowerCase())
    if (mistakes <= most && (!best || mistakes < best.mistakes)) best = { name: candidate, mistakes }
  }
  return best?.name
}

/** Optimal string alignment. */
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

/** Such as `targt; did you mean "target"?`. */
export function findUnknownName(names: Iterable<string>, known: readonly string[]): string | undefined {
  const unknown = [...names].find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const hint = suggestion(unknown, known)
  return hint === undefined ? unknown : `${unknown}; ${hint}`
}
