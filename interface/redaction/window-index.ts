import { randomInt } from 'node:crypto'
import type { SecretPattern } from './secret-patterns.js'

/** By what hashes roll: odd, and another one in each process, so that nobody can send texts whose hashes all meet. */
const multiplier = randomInt(2 ** 24, 2 ** 31) * 2 + 1
/** The table of slots is at least so many times as large as what it holds. */
const roominess = 4
const firstBits = 10
/** Of the units of a window; it goes on from one piece of a reading to the next. */
export interface RollingHash {
  value: number
}

/** All windows of one width that patterns have, found by the rolling hash of their units. */
export class WindowIndex {
  /** Units of a window. */
  readonly width: number
  /** Slots and units that were looked at so far. */
  steps = 0
  /** What a unit has come to be worth when it leaves the window. */
  readonly #leaving: number
  #bits = firstBits
  /** Hash table with linear probing: entries, numbered from 1 on; 0 is an empty slot. */
  #slots = new Int32Array(2 ** firstBits)
  /** A bit for each slot that is taken: small enough to stay in the cache of a processor. */
  #taken = new Uint32Array(2 ** firstBits / 32)
  readonly #hashes: number[] = [0]
  readonly #offsets: number[] = [0]
  readonly #patterns: (SecretPattern | undefined)[] = [undefined]

  constructor(width: number) {
    this.width = width
    let leaving = 1
    for (let count = 0; count < width; count += 1) leaving = Math.imul(leaving, multiplier)
    this.#leaving = leaving
  }

  get isEmpty(): boolean {
    return this.#hashes.length === 1
  }

  /** From now on every window of the pattern is found. One that was known belongs to the pattern of which less has to be there. */
  add(pattern: SecretPattern): void {
    const { units } = pattern
    let hash = 0
    for (let index = 0; index < units.length; index += 1) {
      hash = this.#roll(hash, units[index] ?? 0, units[index - this.width] ?? 0)
      if (index >= this.width - 1) this.#insert(hash, pattern, index - this.width + 1)
    }
  }

  /**
   * Goes on from unit `last` to the first one, before `end`, with which a window ends that may be known; `end`, if there is
   * none. `hash` is that of the window before `last`.
   */
  next(codes: Uint16Array, last: number, end: number, hash: RollingHash): number {
    const { width } = this
    const [taken, leaving, shift] = [this.#taken, this.#leaving, 32 - this.#bits]
    let { value } = hash
    let at = last
    for (; at < end; at += 1) {
      const left = at < width ? 0 : (codes[at - width] ?? 0)
      value = (Math.imul(value, multiplier) + (codes[at] ?? 0) - Math.imul(left, leaving)) | 0
      const slot = value >>> shift
      if ((((taken[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1) break
    }
    hash.value = value
    return at
  }

  /** The entry with the units that begin at `start`, and have that hash; or 0. */
  find(hash: number, units: Uint16Array, start: number): number {
    const last = this.#slots.length - 1
    for (let slot = this.#slotOf(hash); ; slot = (slot + 1) & last) {
      const entry = this.#slots[slot] ?? 0
      if (entry === 0) return 0
      this.steps += 1
      if (this.#hashes[entry] === hash && this.#isAt(entry, units, start)) return entry
    }
  }

  patternOf(entry: number): SecretPattern | undefined {
    return this.#patterns[entry]
  }

  /** Goes on from the unit behind a window for as long as the pattern of its entry does; the first unit that differs, or `end`. */
  follow(entry: number, codes: Uint16Array, next: number, end: number, hash: RollingHash): number {
    const { units = codes } = this.#patterns[entry] ?? {}
    const ahead = (this.#offsets[entry] ?? 0) + this.width - next
    let at = next
    for (; at < end && units[ahead + at] === codes[at]; at += 1) {
      hash.value = this.#roll(hash.value, codes[at] ?? 0, codes[at - this.width] ?? 0)
    }
    return at
  }

  #roll(hash: number, entering: number, left: number): number {
    return (Math.imul(hash, multiplier) + entering - Math.imul(left, this.#leaving)) | 0
  }

  #isAt(entry: number, units: Uint16Array, start: number): boolean {
    this.steps += this.width
    const own = this.#patterns[entry]?.units
    const offset = this.#offsets[entry] ?? 0
    for (let index = 0; index < this.width; index += 1) {
      if (own?.[offset + index] !== units[start + index]) return false
    }
    return true
  }

  #insert(hash: number, pattern: SecretPattern, offset: number): void {
    const known = this.find(hash, pattern.units, offset)
    if (known === 0) {
      if (this.#hashes.length * roominess > this.#slots.length) this.#grow()
      this.#place(hash, this.#hashes.length)
      this.#hashes.push(hash)
    } else if (pattern.least >= (this.#patterns[known]?.least ?? 0)) {
      return
    }
    const entry = known === 0 ? this.#hashes.length - 1 : known
    this.#patterns[entry] = pattern
    this.#offsets[entry] = offset
  }

  #grow(): void {
    this.#bits += 1
    this.#slots = new Int32Array(2 ** this.#bits)
    this.#taken = new Uint32Array(2 ** this.#bits / 32)
    for (let entry = 1; entry < this.#hashes.length; entry += 1) this.#place(this.#hashes[entry] ?? 0, entry)
  }

  #place(hash: number, entry: number): void {
    const last = this.#slots.length - 1
    let slot = this.#slotOf(hash)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last
    this.#slots[slot] = entry
    this.#taken[slot >>> 5] = (this.#taken[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }

  /** By the upper bits: every unit of the window has a part in them. */
  #slotOf(hash: number): number {
    return hash >>> (32 - this.#bits)
  }
}
