import type { Hide } from './hidden-places.js'
import type { Piece, Reader } from './piece.js'

const dash = '-'.charCodeAt(0)
const blank = ' '.charCodeAt(0)
const [firstLetter, lastLetter] = ['A', 'Z'].map((letter) => letter.charCodeAt(0))
/** On either side of the name of a line. */
const dashes = 5
/** No name of a line is longer. */
const longestName = 64

/**
 * Finds private keys as files have them, from their first line to their last, or to the end of the text. Takes each unit once,
 * and goes back to none.
 */
export class PrivateKeys implements Reader {
  readonly #hide: Hide
  /** Dashes that came last, and where the last five of them or fewer begin. */
  #dashes = 0
  readonly #dashesFrom: number[] = []
  /** What stands behind five dashes, as long as it may be the name of a line. */
  #name: string | undefined
  #nameFrom = 0
  /** Where the key began that is not over. */
  #open: number | undefined
  #to = 0

  constructor(hide: Hide) {
    this.#hide = hide
  }

  /** False: as the text stands there is none in it. What its escapes stand for is not looked at. */
  static mayBeIn(text: string): boolean {
    return text.includes('PRIVATE KEY-----')
  }

  take({ codes, from, to, length }: Piece): void {
    for (let index = 0; index < length; index += 1) {
      const code = codes[index] ?? 0
      if (code === dash) this.#takeDash(from[index] ?? 0, to[index] ?? 0)
      else if (this.#dashes > 0 || this.#name !== undefined) this.#takeOther(code)
    }
    if (length > 0) this.#to = to[length - 1] ?? 0
  }

  end(): void {
    if (this.#open !== undefined) this.#hide(this.#open, this.#to, 'a private key')
  }

  #takeDash(from: number, to: number): void {
    this.#dashesFrom[this.#dashes % dashes] = from
    this.#dashes += 1
    if (this.#dashes === dashes) this.#endLine(to)
  }

  #takeOther(code: number): void {
    if (this.#dashes >= dashes) {
      this.#name = ''
      this.#nameFrom = this.#dashesFrom[this.#dashes % dashes] ?? 0
    } else if (this.#dashes > 0) this.#name = undefined
    this.#dashes = 0
    if (this.#name === undefined) return
    const mayBeNamed = code === blank || (code >= (firstLetter ?? 0) && code <= (lastLetter ?? 0))
    this.#name = mayBeNamed && this.#name.length < longestName ? this.#name + String.fromCharCode(code) : undefined
  }

  #endLine(to: number): void {
    const name = this.#name
    this.#name = undefined
    if (this.#open === undefined && isLine('BEGIN', name)) this.#open = this.#nameFrom
    if (this.#open === undefined || !isLine('END', name)) return
    this.#hide(this.#open, to, 'a private key')
    this.#open = undefined
  }
}

const isLine = (word: string, name: string | undefined): boolean =>
  name?.startsWith(`${word} `) === true && name.endsWith('PRIVATE KEY')
