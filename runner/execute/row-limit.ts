import type { Load } from '../transport/availability.js'

/** Answers for each permitted row between two changes: fewer show the mix of the rows rather than the target. */
const answersPerRow = 8
/** Twice the rows must return this many times the answers in the same time. */
const worthwhile = 1.2
/** Of the rows that overloaded the target. */
const afterOverload = 0.75
/** After failures, which can follow from the requests themselves. */
const fewestAfterFailure = 4

/** `double`: until twice the rows return hardly more answers. `add`: after an overload, because the limit is near. */
type Growth = 'double' | 'add' | 'none'

/** How many rows may be in flight, from the answers of the target. No verdict depends on it. */
export class RowLimit {
  readonly #most: number
  readonly #now: () => number
  #rows: number
  #rowsBefore: number
  #growth: Growth = 'double'
  #changes = 0
  #answers = 0
  #since: number
  /** Answers per millisecond at the limit before. */
  #rateBefore = 0

  /** `now`: a monotonic clock in milliseconds. */
  constructor(most: number, first = most, now: () => number = () => performance.now()) {
    this.#most = most
    this.#rows = Math.min(first, most)
    this.#rowsBefore = this.#rows
    this.#now = now
    this.#since = now()
  }

  get rows(): number {
    return this.#rows
  }

  /** Call the result for each answer of the row. */
  startRow(): (load: Load) => void {
    const begun = this.#changes
    return (load) => {
      if (load === 'usual') this.#countAnswer()
      // Rows that started before a reduction exceed the limit until they end, so their answers show nothing about it.
      else if (begun === this.#changes) this.#reduce(load === 'busy' ? 1 : fewestAfterFailure)
    }
  }

  #countAnswer(): void {
    this.#answers += 1
    if (this.#growth === 'none' || this.#answers < answersPerRow * this.#rows) return
    const rate = this.#answers / Math.max(1, this.#now() - this.#since)
    if (this.#growth === 'add') this.#set(this.#rows + 1, 'add')
    else if (rate < worthwhile * this.#rateBefore) this.#set(this.#rowsBefore, 'none')
    else {
      this.#rateBefore = rate
      this.#rowsBefore = this.#rows
      this.#set(2 * this.#rows, this.#rows === this.#most ? 'none' : 'double')
    }
  }

  #reduce(fewest: number): void {
    if (this.#rows > fewest) this.#set(Math.max(fewest, Math.floor(afterOverload * this.#rows)), 'add')
  }

  #set(rows: number, growth: Growth): void {
    const permitted = Math.min(rows, this.#most)
    if (permitted !== this.#rows) this.#changes += 1
    this.#rows = permitted
    this.#growth = growth
    this.#answers = 0
    this.#since = this.#now()
  }
}
