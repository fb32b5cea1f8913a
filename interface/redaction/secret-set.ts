import { patternsOf, type SecretPattern, tellingLength } from './secret-patterns.js'
import { WindowIndex } from './window-index.js'

/** Widths of windows, the widest first: a pattern is in the index of the widest that fits into the least that is hidden of it. */
const widths = [tellingLength, 8, 4] as const

/** All secrets that were registered, as windows of everything that they may be repeated in. */
export class SecretSet {
  readonly #indexes = widths.map((width) => new WindowIndex(width))
  readonly #known = new Set<string>()

  /** Those that hold anything. */
  get indexes(): WindowIndex[] {
    return this.#indexes.filter(({ isEmpty }) => !isEmpty)
  }

  add(secret: string, label: string): void {
    if (this.#known.has(secret)) return
    this.#known.add(secret)
    for (const pattern of patternsOf(secret, label)) this.#indexFor(pattern)?.add(pattern)
  }

  #indexFor({ least }: SecretPattern): WindowIndex | undefined {
    return this.#indexes.find(({ width }) => width <= least)
  }
}
