import type { Hide } from './hide.js'
import { hashOf, PartHashes, powerFor } from './part-hashes.js'
import { readings } from './readings.js'
import { writingsOf } from './writings.js'

/** A shorter one could be anything. */
export const shortestSecret = 8

/** Whether it is no ordinary word or number. */
export const isDistinctive = (secret: string): boolean =>
  secret.length >= shortestSecret && !/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(secret)

/** Units at the end of a writing by which it is recognised. Tokens of one issuer all begin alike. */
const tail = 4
/** Of a filter for all secrets of a process. */
const mostFilterBits = 20
const spread = 0x9e3779b1

interface Writing {
  text: string
  label: string
  /** It may be a part of an ordinary word, so only a whole word is hidden. */
  isWord: boolean
  hash: number
  power: number
}

/** Secrets in all that they may be written in. A text is read once, however many there are. */
export class KnownSecrets {
  readonly #known = new Set<string>()
  readonly #filter: Uint8Array
  /** By how much a product of 32 bits is shifted to be a place in the filter. */
  readonly #shift: number
  readonly #byTail = new Map<string, Writing[]>()

  /** `filterBits`: binary logarithm of the filter's size in bits. A filter that is too small costs time alone. */
  constructor(filterBits = mostFilterBits) {
    this.#filter = new Uint8Array(2 ** (filterBits - 3))
    this.#shift = 32 - filterBits
  }

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  get size(): number {
    return this.#known.size
  }

  /** The signature of a token is a secret by itself. `isWord`: only where no letter or digit stands beside it. */
  add(secret: string, label: string, isWord = false): void {
    if (this.#known.has(secret)) return
    this.#known.add(secret)
    for (const text of writingsOf(secret)) this.#addWriting(text, label, isWord && text === secret)
    // A secret that reads like escapes is found where its own escapes are undone.
    for (const { text } of readings(secret))
      if (text !== secret) this.#addWriting(text, label, isWord || !isDistinctive(text))
    const signature = /^eyJ[\w-]+\.[\w-]+\.([\w-]{16,})$/.exec(secret)?.[1]
    if (signature !== undefined) this.add(signature, label)
  }

  #addWriting(text: string, label: string, isWord: boolean): void {
    if (text.length < tail) return
    const slot = Math.imul(hashOfTail(text), spread) >>> this.#shift
    this.#filter[slot >>> 3] = (this.#filter[slot >>> 3] ?? 0) | (1 << (slot & 7))
    const end = text.slice(-tail)
    const writing = { text, label, isWord, hash: hashOf(text), power: powerFor(text.length) }
    const others = this.#byTail.get(end)
    if (others) others.push(writing)
    else this.#byTail.set(end, [writing])
  }

  find(text: string, hide: Hide): void {
    if (this.isEmpty) return
    const [filter, shift] = [this.#filter, this.#shift]
    const hashes = new PartHashes(text)
    const last = new Map<Writing, number>()
    let hash = 0
    for (let index = 0; index < text.length; index += 1) {
      hash = ((hash << 8) + text.charCodeAt(index)) | 0
      const slot = Math.imul(hash, spread) >>> shift
      if ((((filter[slot >>> 3] ?? 0) >>> (slot & 7)) & 1) === 0) continue
      const end = index + 1
      for (const writing of this.#byTail.get(text.slice(Math.max(0, end - tail), end)) ?? []) {
        const from = end - writing.text.length
        if (from < 0 || hashes.of(from, end, writing.power) !== writing.hash) continue
        // Secrets can repeat themselves: what overlaps the last one is not compared again, or a text full of one takes too long.
        if (from >= (last.get(writing) ?? 0) && !text.startsWith(writing.text, from)) continue
        if (writing.isWord && !isWholeWord(text, from, end)) continue
        last.set(writing, end)
        hide(from, end, writing.label)
      }
    }
  }
}

const wordCharacter = /[\w\u0080-\uffff]/

const isWholeWord = (text: string, from: number, to: number): boolean =>
  !wordCharacter.test(text[from - 1] ?? '') && !wordCharacter.test(text[to] ?? '')

/** Of the last four units: further ones leave the 32 bits. */
function hashOfTail(text: string): number {
  let hash = 0
  for (let index = text.length - tail; index < text.length; index += 1)
    hash = ((hash << 8) + text.charCodeAt(index)) | 0
  return hash
}
