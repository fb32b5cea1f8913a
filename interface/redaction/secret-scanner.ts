import { counts, folded } from './characters.js'
import type { Hide } from './hidden-places.js'
import type { Piece, Reader } from './piece.js'
import { type Counted, RunFinder } from './run-finder.js'
import { tellingLength } from './secret-patterns.js'
import type { WindowIndex } from './window-index.js'

/** So many of the last units are still looked back at when the next piece comes. */
const kept = tellingLength * 2

const emptyCounted = (capacity: number): Counted => ({
  codes: new Uint16Array(capacity),
  from: new Int32Array(capacity),
  to: new Int32Array(capacity),
  unfolded: new Uint16Array(capacity),
  places: new Int32Array(capacity),
  fresh: 0,
  length: 0,
})

/** Finds secrets in one reading of a text: folds it, and has each piece looked through once for each width of windows. */
export class SecretScanner implements Reader {
  readonly #finders: readonly RunFinder[]
  readonly #counted: Counted
  #all = 0

  /** `longest`: no piece that it takes has more units. */
  constructor(indexes: readonly WindowIndex[], hide: Hide, longest: number) {
    this.#counted = emptyCounted(kept + longest)
    this.#finders = indexes.map((index) => new RunFinder(index, hide))
  }

  take(piece: Piece): void {
    if (this.#finders.length === 0) return
    this.#fold(piece)
    for (const finder of this.#finders) finder.look(this.#counted)
    this.#forget()
  }

  end(): void {
    for (const finder of this.#finders) finder.end(this.#counted)
  }

  #fold({ codes, from, to, length }: Piece): void {
    const counted = this.#counted
    let next = counted.length
    for (let index = 0; index < length; index += 1) {
      const code = codes[index] ?? 0
      const unit = folded(code)
      if (counts(unit)) {
        counted.codes[next] = unit
        counted.from[next] = from[index] ?? 0
        counted.to[next] = to[index] ?? 0
        counted.unfolded[next] = code
        counted.places[next] = this.#all + index
        next += 1
      }
    }
    counted.fresh = counted.length
    counted.length = next
    this.#all += length
  }

  #forget(): void {
    const { codes, from, to, unfolded, places, length } = this.#counted
    const gone = Math.max(0, length - kept)
    for (const list of [codes, from, to, unfolded, places]) list.copyWithin(0, gone, length)
    this.#counted.length = length - gone
    for (const finder of this.#finders) finder.forget(gone)
  }
}
