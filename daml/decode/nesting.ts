import { malformed } from './malformed.js'

/** How deep the entries of a table may be nested in each other: far more than compilers make, and recursion goes so deep. */
const deepest = 300

/** Depths of the entries of a table, each of which is made of those before it. */
export class Nesting<T extends object> {
  readonly #parts: (item: T) => readonly (T | string)[]
  readonly #depths = new WeakMap<T, number>()

  constructor(parts: (item: T) => readonly (T | string)[]) {
    this.#parts = parts
  }

  /** Throws `ArchiveError` for an entry that lies too deep. */
  demand(item: T, what: string): void {
    if (this.#depth(item) > deepest) throw malformed(`${what} are nested more than ${deepest} deep`)
  }

  #depth(item: T): number {
    const known = this.#depths.get(item)
    if (known !== undefined) return known
    let below = 0
    for (const part of this.#parts(item)) if (typeof part !== 'string') below = Math.max(below, this.#depth(part))
    this.#depths.set(item, below + 1)
    return below + 1
  }
}
