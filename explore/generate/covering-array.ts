/**
 * Covering arrays: few rows in which every combination of values of any `strength` parameters stands somewhere. IPOG (Lei, Kacker,
 * Kuhn, Okun and Lawrence 2007): all combinations of the first parameters, then one parameter more at a time, first in the rows that
 * are there, then in new ones.
 */

/** A value for each parameter, as an index; undefined: any will do. */
type Row = (number | undefined)[]

/** `levels`: how many values each parameter has. Throws a RangeError for a strength that is none, or a parameter without values. */
export function coveringArray(levels: readonly number[], strength: number): number[][] {
  if (strength < 1 || strength > levels.length)
    throw new RangeError(`strength ${strength} of ${levels.length} parameters`)
  if (levels.some((count) => count < 1)) throw new RangeError('a parameter without values')
  // The largest first makes for fewer rows.
  const order = levels.map((_, index) => index).sort((a, b) => (levels[b] ?? 0) - (levels[a] ?? 0))
  const sorted = order.map((index) => levels[index] ?? 1)
  let rows: Row[] = product(sorted.slice(0, strength))
  for (let column = strength; column < sorted.length; column += 1) rows = grown(rows, sorted, column, strength)
  return rows.map((row) => levels.map((_, index) => row[order.indexOf(index)] ?? 0))
}

const product = (levels: readonly number[]): number[][] =>
  levels.reduce<number[][]>(
    (rows, count) => rows.flatMap((row) => Array.from({ length: count }, (_, value) => [...row, value])),
    [[]],
  )

/** The rows with one column more. */
function grown(rows: readonly Row[], levels: readonly number[], column: number, strength: number): Row[] {
  const missing = tuplesOf(levels, column, strength)
  const extended = rows.map((row) => {
    const best = bestValue(row, levels[column] ?? 1, column, missing)
    const made = [...row, best]
    forget(made, missing)
    return made
  })
  for (const tuple of missing.values()) {
    const place = extended.find((row) =>
      tuple.every(([index, value]) => row[index] === undefined || row[index] === value),
    )
    const row = place ?? Array.from<number | undefined>({ length: column + 1 })
    for (const [index, value] of tuple) row[index] = value
    if (!place) extended.push(row)
  }
  return extended
}

type Tuple = readonly (readonly [column: number, value: number])[]

/** All combinations of the column with `strength - 1` of those before it, by their texts. */
function tuplesOf(levels: readonly number[], column: number, strength: number): Map<string, Tuple> {
  const found = new Map<string, Tuple>()
  for (const columns of choose(column, strength - 1)) {
    const all = [...columns, column]
    for (const values of product(all.map((index) => levels[index] ?? 1))) {
      const tuple = all.map((index, at) => [index, values[at] ?? 0] as const)
      found.set(keyOf(tuple), tuple)
    }
  }
  return found
}

/** All ascending lists of `count` numbers below `end`. */
function choose(end: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]]
  const found: number[][] = []
  for (let first = from; first <= end - count; first += 1)
    for (const rest of choose(end, count - 1, first + 1)) found.push([first, ...rest])
  return found
}

const keyOf = (tuple: Tuple): string => tuple.map(([column, value]) => `${column}:${value}`).join()

/** The value by which the row covers most of what is missing. */
function bestValue(row: Row, count: number, column: number, missing: ReadonlyMap<string, Tuple>): number {
  const gains = Array.from<number>({ length: count }).fill(0)
  for (const tuple of missing.values()) {
    const fits = tuple.every(([index, value]) => index === column || row[index] === value)
    const [, value = 0] = tuple.at(-1) ?? []
    if (fits) gains[value] = (gains[value] ?? 0) + 1
  }
  return gains.indexOf(Math.max(...gains))
}

function forget(row: Row, missing: Map<string, Tuple>): void {
  for (const [key, tuple] of missing) if (tuple.every(([index, value]) => row[index] === value)) missing.delete(key)
}
