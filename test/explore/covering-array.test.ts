/** Covering arrays: complete and small. */
import t from 'tap'
import { coveringArray } from '../../explore/generate/covering-array.js'
import fc from '../support/records/properties.js'

/** Number of missing combinations of any `strength` columns. */
function uncovered(rows: readonly number[][], levels: readonly number[], strength: number): number {
  const columnsOf = (from: number, count: number): number[][] =>
    count === 0
      ? [[]]
      : levels.flatMap((_, first) =>
          first < from ? [] : columnsOf(first + 1, count - 1).map((rest) => [first, ...rest]),
        )
  let missing = 0
  for (const columns of columnsOf(0, strength)) {
    const seen = new Set(rows.map((row) => columns.map((column) => row[column]).join()))
    missing += columns.reduce((product, column) => product * (levels[column] ?? 1), 1) - seen.size
  }
  return missing
}

const coversEverything = fc.property(
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 7 }),
  fc.integer({ min: 1, max: 3 }),
  (levels, strength) => {
    const rows = coveringArray(levels, strength)
    return (
      rows.every((row) => row.length === levels.length && row.every((value, index) => value < (levels[index] ?? 0))) &&
      uncovered(rows, levels, strength) === 0
    )
  },
)

t.test('a row contains each combination', async (t) => {
  t.doesNotThrow(() => fc.assert(coversEverything, { numRuns: 60 }))
})

t.test('the array has few rows', async (t) => {
  t.equal(coveringArray([3, 3], 2).length, 9)
  t.ok(coveringArray(new Array(10).fill(2), 2).length <= 12, 'of 1,024')
  t.ok(coveringArray([8, 8, 7, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2], 2).length <= 90)
})

t.test('rejects impossible strengths and empty parameters', async (t) => {
  t.throws(() => coveringArray([2, 2], 3), RangeError)
  t.throws(() => coveringArray([2, 0], 1), RangeError)
  t.throws(() => coveringArray([2, 2], 0), RangeError)
})
