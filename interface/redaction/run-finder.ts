import { isWordCharacter } from './characters.js'
import type { Hide } from './hidden-places.js'
import { tellingLength } from './secret-patterns.js'
import type { RollingHash, WindowIndex } from './window-index.js'

/** Folded units of a reading that count, and of each: itself, where it stands in the text, how many of all were before it. */
export interface Counted {
  readonly codes: Uint16Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly unfolded: Uint16Array
  readonly places: Int32Array
  /** From here on nobody has looked at them; those before are what may be looked back at. */
  fresh: number
  length: number
}

/** Windows in a row that were found, so far. */
interface Run {
  /** Its first unit; below zero when that is long gone. */
  first: number
  /** Where that begins in the text. */
  from: number
  /** Of the last window. */
  entry: number
}

/** Finds runs of windows of one width: each unit enters a rolling hash and costs one look at a table. */
export class RunFinder {
  readonly #index: WindowIndex
  readonly #hide: Hide
  readonly #hash: RollingHash = { value: 0 }
  #run: Run | undefined

  constructor(index: WindowIndex, hide: Hide) {
    this.#index = index
    this.#hide = hide
  }

  look(counted: Counted): void {
    const { codes, fresh, length } = counted
    const index = this.#index
    for (let next = fresh; ; ) {
      const last = index.next(codes, next, length, this.#hash)
      if (last > next) this.#close(counted, next)
      if (last === length) return
      const first = last - index.width + 1
      const entry = first < 0 ? 0 : index.find(this.#hash.value, codes, first)
      next = last + 1
      if (entry === 0) this.#close(counted, last)
      else {
        this.#extend(entry, first, counted)
        next = index.follow(entry, codes, next, length, this.#hash)
      }
    }
  }

  end(counted: Counted): void {
    this.#close(counted, counted.length)
  }

  /** So many units are dropped from the front. */
  forget(gone: number): void {
    if (this.#run) this.#run.first -= gone
  }

  #extend(entry: number, first: number, { from }: Counted): void {
    if (this.#run) this.#run.entry = entry
    else this.#run = { first, from: from[first] ?? 0, entry }
  }

  /** `end` is behind the last unit of the run. */
  #close(counted: Counted, end: number): void {
    const run = this.#run
    const pattern = run && this.#index.patternOf(run.entry)
    this.#run = undefined
    if (!run || !pattern || end - run.first < pattern.least) return
    const { uncounted } = pattern
    const mayBeAWord = end - run.first < tellingLength && uncounted !== undefined
    if (mayBeAWord && !isWord(counted, run.first, end, uncounted)) return
    this.#hide(run.from, counted.to[end - 1] ?? 0, pattern.label)
  }
}

/** Whether these units stand by themselves, with no more in between than belongs there. */
function isWord({ unfolded, places, length }: Counted, first: number, end: number, uncounted: number): boolean {
  const begin = places[first] ?? 0
  const last = places[end - 1] ?? 0
  if (last - begin + 1 - (end - first) > uncounted) return false
  const isWordAt = (index: number, place: number): boolean =>
    index >= 0 && index < length && places[index] === place && isWordCharacter(unfolded[index] ?? 0)
  return !isWordAt(first - 1, begin - 1) && !isWordAt(end, last + 1)
}
