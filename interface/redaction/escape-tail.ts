import { characterOfEntity, digitOf } from './characters.js'
import { emptyPiece, longestPiece, type Reader } from './piece.js'

/** No escape that is understood is longer. */
const longestEscape = 16

const percent = '%'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const ampersand = '&'.charCodeAt(0)
const semicolon = ';'.charCodeAt(0)
const [u, x] = ['u', 'x'].map((letter) => letter.charCodeAt(0))

/** What a backslash and one more unit stand for. Another backslash is none of them: those that are left over count for nothing. */
const simpleEscapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', "'": "'", '/': '/' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)],
  ),
)

/** Whether an escape may end with the unit. */
const mayEnd = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code === semicolon || simpleEscapes.has(code) || digitOf(code, 16) !== undefined ? 1 : 0,
)

/**
 * The end of a reading, as far as it can still change. An escape is taken back as soon as its last unit is there, and replaced
 * by what it stands for, which may be the last unit of a further one. As each replacement makes the tail shorter, a text of n
 * units costs n pushes and fewer than n replacements, each of which looks at no more than `longestEscape` units.
 */
export class EscapeTail {
  readonly #reader: Reader
  readonly #piece = emptyPiece()
  #length = 0
  /** Of the escape that was found last: how many units it is written with, and the code point that it stands for. */
  #units = 0
  #codePoint = 0

  constructor(reader: Reader) {
    this.#reader = reader
  }

  push(code: number, from: number, to: number): void {
    this.#append(code, from, to)
    if (code < 0x80 && mayEnd[code] === 0) return
    while (this.#endsWithEscape()) this.#replace()
  }

  end(): void {
    this.#flush(this.#length)
    this.#reader.end()
  }

  #replace(): void {
    const codePoint = this.#codePoint
    const first = this.#length - this.#units
    const from = this.#piece.from[first] ?? 0
    const to = this.#piece.to[this.#length - 1] ?? 0
    this.#length = first
    if (codePoint > 0xffff) {
      this.#append(0xd800 + ((codePoint - 0x10000) >> 10), from, to)
      this.#append(0xdc00 + ((codePoint - 0x10000) & 0x3ff), from, to)
    } else this.#append(codePoint, from, to)
  }

  #append(code: number, from: number, to: number): void {
    if (this.#length === longestPiece) this.#flush(longestPiece - longestEscape)
    const { codes, from: begins, to: ends } = this.#piece
    codes[this.#length] = code
    begins[this.#length] = from
    ends[this.#length] = to
    this.#length += 1
  }

  /** Hands on the first ones, which no escape reaches any more. */
  #flush(count: number): void {
    const { codes, from, to } = this.#piece
    this.#piece.length = count
    this.#reader.take(this.#piece)
    for (const list of [codes, from, to]) list.copyWithin(0, count, this.#length)
    this.#length -= count
  }

  /** The unit that far from the end; 1 is the last one. Beyond the beginning 0. */
  #back(distance: number): number {
    return this.#piece.codes[this.#length - distance] ?? 0
  }

  #endsWithEscape(): boolean {
    const last = this.#back(1)
    if (last >= 0x80) return last < 0xc0 && this.#endsWithUtf8()
    if (mayEnd[last] === 0) return false
    if (last === semicolon) return this.#endsWithEntity()
    const simple = this.#back(2) === backslash ? simpleEscapes.get(last) : undefined
    if (simple !== undefined) return this.#found(this.#withBackslashes(2), simple)
    if (this.#back(3) === percent) return this.#endsWithDigits(2, 3)
    if (this.#back(4) === backslash && this.#back(3) === x) return this.#endsWithDigits(2, this.#withBackslashes(4))
    if (this.#back(6) !== backslash || this.#back(5) !== u) return false
    return this.#endsWithDigits(4, this.#withBackslashes(6))
  }

  /** An escape that was escaped itself has more backslashes, all written in the same way. One that is written otherwise stands for itself. */
  #withBackslashes(units: number): number {
    const width = this.#widthAt(units)
    let all = units
    while (all < longestEscape && this.#back(all + 1) === backslash && this.#widthAt(all + 1) === width) all += 1
    return all
  }

  #widthAt(distance: number): number {
    const index = this.#length - distance
    return (this.#piece.to[index] ?? 0) - (this.#piece.from[index] ?? 0)
  }

  #found(units: number, codePoint: number): true {
    this.#units = units
    this.#codePoint = codePoint
    return true
  }

  #endsWithDigits(count: number, units: number): boolean {
    let codePoint = 0
    for (let distance = count; distance > 0; distance -= 1) {
      const digit = digitOf(this.#back(distance), 16)
      if (digit === undefined) return false
      codePoint = codePoint * 16 + digit
    }
    return this.#found(units, codePoint)
  }

  #endsWithEntity(): boolean {
    for (let units = 4; units <= longestEscape; units += 1) {
      if (this.#back(units) !== ampersand) continue
      const codePoint = characterOfEntity(this.#piece.codes, this.#length - units + 1, this.#length - 1)
      return codePoint !== undefined && this.#found(units, codePoint)
    }
    return false
  }

  /** Bytes that were escaped one by one, or read as Latin-1, as headers are. */
  #endsWithUtf8(): boolean {
    let codePoint = this.#back(1) & 0x3f
    for (let units = 2; units <= 4; units += 1) {
      const byte = this.#back(units)
      const lead = leads[units]
      if (lead !== undefined && byte >= lead.from && byte <= lead.to) {
        codePoint += (byte - lead.base) * 64 ** (units - 1)
        return codePoint <= 0x10ffff && this.#found(units, codePoint)
      }
      if (byte < 0x80 || byte > 0xbf) return false
      codePoint += (byte & 0x3f) * 64 ** (units - 1)
    }
    return false
  }
}

/** First bytes of UTF-8, by the length of the whole. */
const leads: readonly ({ from: number; to: number; base: number } | undefined)[] = [
  undefined,
  undefined,
  { from: 0xc2, to: 0xdf, base: 0xc0 },
  { from: 0xe0, to: 0xef, base: 0xe0 },
  { from: 0xf0, to: 0xf4, base: 0xf0 },
]
