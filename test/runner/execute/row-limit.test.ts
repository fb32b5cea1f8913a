/** The number of rows in flight, from the answers of the target. */
import t from 'tap'
import { inParallel } from '../../../runner/execute/in-parallel.js'
import { RowLimit } from '../../../runner/execute/row-limit.js'

/** The limits after each window of answers. `capacity`: most answers at the same time; each takes a second. */
function limitsOf(capacity: number, most: number, windows: number): number[] {
  let clock = 0
  const limit = new RowLimit(most, 8, () => clock)
  return Array.from({ length: windows }, () => {
    const count = limit.startRow()
    const { rows } = limit
    for (let answer = 0; answer < 8 * rows; answer += 1) {
      clock += 1000 / Math.min(rows, capacity)
      count('usual')
    }
    return limit.rows
  })
}

t.test('the limit grows while the target returns more answers in the same time', (t) => {
  t.strictSame(limitsOf(1000, 32, 4), [16, 32, 32, 32], 'up to the given limit')
  t.strictSame(limitsOf(1000, 20, 3), [16, 20, 20])
  t.strictSame(limitsOf(1000, 6, 2), [6, 6])
  t.strictSame(limitsOf(8, 32, 4), [16, 8, 8, 8], 'twice the rows gained nothing')
  t.strictSame(limitsOf(16, 32, 4), [16, 32, 16, 16])
  t.end()
})

t.test('an overload reduces the limit once for the rows that caused it, and the limit recovers row by row', (t) => {
  const limit = new RowLimit(8)
  const rows = Array.from({ length: 8 }, () => limit.startRow())
  for (const count of rows) count('busy')
  t.equal(limit.rows, 6)
  for (const count of rows) count('busy')
  t.equal(limit.rows, 6, 'rows that started before the reduction exceed the limit')
  limit.startRow()('busy')
  t.equal(limit.rows, 4)
  const answer = (times: number): void => {
    const count = limit.startRow()
    for (let one = 0; one < times; one += 1) count('usual')
  }
  answer(8 * 4)
  t.equal(limit.rows, 5)
  answer(8 * (5 + 6 + 7 + 8 + 8))
  t.equal(limit.rows, 8)
  for (let times = 0; times < 12; times += 1) limit.startRow()('failed')
  t.equal(limit.rows, 4, 'the failures may follow from the requests')
  for (let times = 0; times < 12; times += 1) limit.startRow()('busy')
  t.equal(limit.rows, 1)
  const five = new RowLimit(5)
  five.startRow()('failed')
  t.equal(five.rows, 4)
  t.end()
})

t.test('rows in flight follow a limit that changes', async (t) => {
  let limit = 1
  let running = 0
  const seen: number[] = []
  await inParallel(
    Array.from({ length: 12 }, (_, index) => index),
    () => limit,
    async (index) => {
      running += 1
      seen.push(running)
      await new Promise((resolve) => setImmediate(resolve))
      if (index === 1) limit = 4
      if (index === 6) limit = 2
      running -= 1
    },
  )
  t.strictSame(seen.slice(0, 2), [1, 1])
  t.equal(Math.max(...seen), 4)
  t.strictSame(seen.slice(-2), [2, 2])
})

t.test('several rested rows continue when the limit grows', async (t) => {
  let limit = 1
  let running = 0
  let most = 0
  let wake = (): void => undefined
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  await inParallel(
    ['a', 'b', 'c', 'last'],
    () => limit,
    async (item, _, rest) => {
      if (item === 'last') {
        wake()
        // The others wait for a slot, and the end of this row frees only one.
        await new Promise((resolve) => setImmediate(resolve))
        limit = 3
        return
      }
      await rest(woken)
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    },
  )
  t.equal(most, 3)
})
