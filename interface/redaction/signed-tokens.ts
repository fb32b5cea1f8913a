import type { Hide } from './hidden-places.js'
import type { Piece, Reader } from './piece.js'

/** What stands between two dots, or is going to. */
interface Part {
  /** Its units. */
  length: number
  /** Where it first says `eyJ`, in units from its own start, or -1; and where in the text that is. */
  objectAt: number
  objectFrom: number
}

/** How a JSON object begins in base64. */
const objectBegins = Uint8Array.from('eyJ', (letter) => letter.charCodeAt(0))
/** Of a header or of claims, behind these three; and of a signature. */
const leastOfObject = 8
const leastOfSignature = 16
const dot = '.'.charCodeAt(0)

const inBase64Url = Uint8Array.from({ length: 0x80 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0))

/**
 * Finds signed tokens by their form: two JSON objects in base64url and a signature, with dots between them. Takes each unit
 * once, and goes back to none.
 */
export class SignedTokens implements Reader {
  readonly #hide: Hide
  /** The parts before the present one, each of which was followed by a dot. */
  #header: Part | undefined
  #claims: Part | undefined
  #part: Part | undefined
  /** How much of `eyJ` the last units say. */
  #said = 0
  /** Where the last unit ended. */
  #to = 0

  constructor(hide: Hide) {
    this.#hide = hide
  }

  /** False: as the text stands there is none in it. What its escapes stand for is not looked at. */
  static mayBeIn(text: string): boolean {
    return text.includes('eyJ')
  }

  take({ codes, from, to, length }: Piece): void {
    for (let index = 0; index < length; index += 1) {
      const code = codes[index] ?? 0
      if (code < 0x80 && inBase64Url[code] === 1) this.#extend(code, from[index] ?? 0)
      else if (this.#part || this.#claims) this.#endPart(code === dot)
      this.#to = to[index] ?? 0
    }
  }

  end(): void {
    this.#endPart(false)
  }

  #extend(code: number, from: number): void {
    this.#part ??= { length: 0, objectAt: -1, objectFrom: 0 }
    const part = this.#part
    part.length += 1
    if (part.objectAt >= 0) return
    this.#said = code === objectBegins[this.#said] ? this.#said + 1 : code === objectBegins[0] ? 1 : 0
    if (this.#said === 1) part.objectFrom = from
    if (this.#said === objectBegins.length) part.objectAt = part.length - objectBegins.length
  }

  #endPart(byDot: boolean): void {
    const [header, claims, part] = [this.#header, this.#claims, this.#part]
    this.#part = undefined
    this.#said = 0
    const isToken = isObject(header) && isObject(claims) && claims.objectAt === 0
    const isSigned = part !== undefined && part.length >= leastOfSignature
    if (isToken && isSigned) this.#hide(header.objectFrom, this.#to, 'a signed token')
    const goesOn = part !== undefined && byDot && !(isToken && isSigned)
    this.#header = goesOn ? claims : undefined
    this.#claims = goesOn ? part : undefined
  }
}

const isObject = (part: Part | undefined): part is Part =>
  part !== undefined && part.objectAt >= 0 && part.length - part.objectAt - objectBegins.length >= leastOfObject
