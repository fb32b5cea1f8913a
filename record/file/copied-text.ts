/**
 * Stores a text as parts, so that a passage occurs once in a record. The reader keeps a source text and an index. A pair
 * sets both: the id of a text, or the name of a variable of the run, and the index. A number copies as many characters
 * from there. A string adds its characters. Numbers and strings move the index forward by their length.
 */

export type CopiedPart = string | number | readonly [text: number | string, index: number]
export type CopiedText = string | readonly CopiedPart[]

/** Characters whose hash finds an earlier passage. */
const window = 16
/** Only these positions of new characters can be found; it bounds the memory. */
const step = 8
/** Characters. Shorter passages need more bytes as a copy, after compression. */
const shortestCopy = 32
/** Of the same source, behind new characters. */
const shortestContinuation = 12
/** Characters of all sources; it bounds the memory. */
const longestSources = 64 * 1024 * 1024
/** Binary logarithm of the size of a filter in bits. Most positions begin no earlier passage, and the filter finds them fast. */
const filterBits = 22

const factor = 0x01000193
/** `factor` to the power of `window - 1`: the weight of the first character. */
const firstWeight = Array.from({ length: window - 1 }).reduce((weight: number) => Math.imul(weight, factor), 1)

interface Place {
  id: number | string
  text: string
  index: number
}

/** A passage from `start`, as long as `length`. */
interface Passage {
  place: Place
  start: number
  length: number
}

/** Indices count UTF-16 units; `jq` counts characters. A text with surrogates is stored whole, so both are equal. */
const hasSurrogate = /[\ud800-\udfff]/

/** The texts of a record, in the order of their ids. */
export class TextHistory {
  readonly #places = new Map<number, Place>()
  readonly #filter = new Uint32Array(2 ** (filterBits - 5))
  #characters = 0

  /** The parts of a text, which later texts can refer to by its id; a variable has its name as id. */
  store(id: number | string, text: string): CopiedText {
    if (hasSurrogate.test(text)) return text
    const own = new Map<number, Place>()
    const parts = new PartsWriter(id, text, {
      find: (hash) => (this.#mayKnow(hash) ? [own.get(hash), this.#places.get(hash)] : []),
      add: (hash, place) => {
        if (own.has(hash)) return
        own.set(hash, place)
        const bit = hash >>> (32 - filterBits)
        this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
      },
    }).parts()
    if (this.#characters + text.length > longestSources) return parts
    this.#characters += text.length
    for (const [hash, place] of own) if (!this.#places.has(hash)) this.#places.set(hash, place)
    return parts
  }

  #mayKnow(hash: number): boolean {
    const bit = hash >>> (32 - filterBits)
    return (((this.#filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1
  }
}

interface Places {
  find(hash: number): readonly (Place | undefined)[]
  /** The first place of a hash stays. */
  add(hash: number, place: Place): void
}

class PartsWriter {
  readonly #id: number | string
  readonly #text: string
  readonly #places: Places
  readonly #parts: CopiedPart[] = []
  /** End of the stored characters. */
  #stored = 0
  #source: { text: string; ahead: number } | undefined

  constructor(id: number | string, text: string, places: Places) {
    this.#id = id
    this.#text = text
    this.#places = places
  }

  parts(): CopiedText {
    const text = this.#text
    let hash: number | undefined
    for (let index = 0; index < text.length; ) {
      const continued = this.#continuation(index)
      if (continued > 0) {
        this.#copy(index, continued)
        index = this.#stored
        hash = undefined
        continue
      }
      if (index + window > text.length) {
        index += 1
        continue
      }
      hash ??= hashAt(text, index)
      const found = this.#longest(index, hash)
      if (found) {
        const { id, text: source, index: from } = found.place
        this.#literal(found.start)
        this.#parts.push([id, from])
        this.#copy(found.start, found.length)
        // The characters of a text so far end where they are copied to, so they have no continuation.
        this.#source = id === this.#id ? undefined : { text: source, ahead: from - found.start }
        index = this.#stored
        hash = undefined
        continue
      }
      if (index % step === 0) this.#places.add(hash, { id: this.#id, text, index })
      hash = nextHash(text, index, hash)
      index += 1
    }
    this.#literal(text.length)
    const [only] = this.#parts
    return this.#parts.length <= 1 && typeof only !== 'object' ? text : this.#parts
  }

  #literal(end: number): void {
    if (end > this.#stored) this.#parts.push(this.#text.slice(this.#stored, end))
    this.#stored = end
  }

  #copy(start: number, length: number): void {
    this.#literal(start)
    this.#parts.push(length)
    this.#stored = start + length
  }

  /** Characters at `index` that the source has at the same distance; 0 if they are too few. */
  #continuation(index: number): number {
    if (!this.#source) return 0
    const { text, ahead } = this.#source
    const length = equalLength(this.#text, index, text, index + ahead, text.length)
    return length >= shortestContinuation || (length > 0 && index + length === this.#text.length) ? length : 0
  }

  #longest(index: number, hash: number): Passage | undefined {
    let longest: Passage | undefined
    for (const place of this.#places.find(hash)) {
      if (!place) continue
      const end = place.id === this.#id ? index : place.text.length
      const after = equalLength(this.#text, index, place.text, place.index, end)
      if (after < window) continue
      let before = 0
      while (
        index - before > this.#stored &&
        place.index - before > 0 &&
        this.#text.charCodeAt(index - before - 1) === place.text.charCodeAt(place.index - before - 1)
      )
        before += 1
      // The text so far ends where its copy starts.
      const length = place.id === this.#id ? Math.min(before + after, index - place.index) : before + after
      if (length < shortestCopy || length <= (longest?.length ?? 0)) continue
      longest = { place: { ...place, index: place.index - before }, start: index - before, length }
    }
    return longest
  }
}

function hashAt(text: string, index: number): number {
  let hash = 0
  for (let offset = 0; offset < window; offset += 1)
    hash = (Math.imul(hash, factor) + text.charCodeAt(index + offset)) | 0
  return hash
}

const nextHash = (text: string, index: number, hash: number): number =>
  (Math.imul((hash - Math.imul(text.charCodeAt(index), firstWeight)) | 0, factor) + text.charCodeAt(index + window)) | 0

function equalLength(text: string, index: number, source: string, from: number, end: number): number {
  const most = Math.min(text.length - index, end - from)
  let length = 0
  while (length < most && text.charCodeAt(index + length) === source.charCodeAt(from + length)) length += 1
  return length
}
