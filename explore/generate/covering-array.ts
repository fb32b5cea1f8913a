/**
 * Rows that contain all value combinations of any `strength` parameters. Algorithm: IPOG (Lei, Kacker, Kuhn, Okun and
 * Lawrence 2007).
 */

/** Undefined permits any value. */
type Row = (number | undefined)[]

/** `levels`: numbers of values. Throws a RangeError for an impossible strength or no values. */
export function coveringArray(levels: readonly number[], strength: number): number[][] {
  if (strength < 1 || strength > levels.length)
    throw new RangeError(`strength ${strength} is not between 1 and ${levels.length}, the number of parameters`)
  if (levels.some((count) => count < 1)) throw new RangeError('a parameter has no values')
  // Fewer rows result if the largest parameters come first.
  const order = levels.map((_, index) => index).sort((a, b) => (levels[b] ?? 0) - (levels[a] ?? 0))
  const sorted = order.map((index) => levels[index] ?? 1)
  let rows: Row[] = product(sorted.slice(0, strength))
  for (let column = strength; column < sorted.length; column += 1) rows = addColumn(rows, sorted, column, strength)
  return rows.map((row) => levels.map((_, index) => row[order.indexOf(index)] ?? 0))
}

const product = (levels: readonly number[]): number[][] =>
  levels.reduce<number[][]>(
    (rows, count) => rows.flatMap((row) => Array.from({ length: count }, (_, value) => [...row, value])),
    [[]],
  )

function addColumn(rows: readonly Row[], levels: readonly number[], column: number, strength: number): Row[] {
  const missing = new Missing(levels, column, strength)
  const extended = rows.map((row) => {
    const made = [...row, missing.bestValue(row)]
    missing.remove(made)
    return made
  })
  for (const tuple of missing.tuples()) {
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

/** Missing combinations of a column with `strength - 1` earlier columns. */
class Missing {
  readonly #levels: readonly number[]
  readonly #column: number
  /** `first`: number of its first combination. */
  readonly #groups: { columns: readonly number[]; first: number }[] = []
  readonly #isMissing: Uint8Array

  constructor(levels: readonly number[], column: number, strength: number) {
    this.#levels = levels
    this.#column = column
    let count = 0
    for (const columns of choose(column, strength - 1)) {
      this.#groups.push({ columns, first: count })
      count += [...columns, column].reduce((product, index) => product * this.#levelsOf(index), 1)
    }
    this.#isMissing = new Uint8Array(count).fill(1)
  }

  bestValue(row: Row): number {
    const gains = Array.from<number>({ length: this.#levelsOf(this.#column) }).fill(0)
    for (const group of this.#groups) {
      const number = this.#numberOf(group, row)
      if (number !== undefined)
        for (let value = 0; value < gains.length; value += 1)
          gains[value] = (gains[value] ?? 0) + (this.#isMissing[number + value] ?? 0)
    }
    return gains.indexOf(Math.max(...gains))
  }

  remove(row: Row): void {
    for (const group of this.#groups) {
      const number = this.#numberOf(group, row)
      if (number !== undefined) this.#isMissing[number + (row[this.#column] ?? 0)] = 0
    }
  }

  *tuples(): Generator<Tuple> {
    for (const { columns, first } of this.#groups) {
      const all = [...columns, this.#column]
      const combinations = product(all.map((index) => this.#levelsOf(index)))
      for (const [at, values] of combinations.entries())
        if (this.#isMissing[first + at]) yield all.map((index, place) => [index, values[place] ?? 0] as const)
    }
  }

  #numberOf({ columns, first }: { columns: readonly number[]; first: number }, row: Row): number | undefined {
    let number = 0
    for (const index of columns) {
      const value = row[index]
      if (value === undefined) return undefined
      number = number * this.#levelsOf(index) + value
    }
    return first + number * this.#levelsOf(this.#column)
  }

  #levelsOf(column: number): number {
    return this.#levels[column] ?? 1
  }
}

/** Ascending lists below `end`. */
function choose(end: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]]
  const found: number[][] = []
  for (let first = from; first <= end - count; first += 1)
    for (const rest of choose(end, count - 1, first + 1)) found.push([first, ...rest])
  return found
}
