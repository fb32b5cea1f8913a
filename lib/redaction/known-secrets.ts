import type { Hide } from './hide.js'
import { writingsOf } from './writings.js'

/** Units at the end of a writing by which it is recognised. Tokens of one issuer all begin alike. */
const tail = 4
const filterBits = 20
const spread = 0x9e3779b1

interface Writing {
  text: string
  label: string
  /** It may be a part of an ordinary word, so only a whole word is hidden. */
  isWord: boolean
}

/** Secrets in all that they may be written in. A text is read once, however many there are. */
export class KnownSecrets {
  readonly #known = new Set<string>()
  readonly #filter = new Uint8Array(2 ** (filterBits - 3))
  readonly #byTail = new Map<string, Writing[]>()

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  get size(): number {
    return this.#known.size
  }

  /** `isWord`: only where no letter or digit stands beside it. */
  add(secret: string, label: string, isWord = false): void {
    if (this.#known.has(secret)) return
    this.#known.add(secret)
    for (const text of writingsOf(secret)) {
      if (text.length < tail) continue
      const slot = slotOf(hashAt(text, text.length))
      this.#filter[slot >>> 3] = (this.#filter[slot >>> 3] ?? 0) | (1 << (slot & 7))
      const end = text.slice(-tail)
      const others = this.#byTail.get(end)
      const writing = { text, label, isWord: isWord && text === secret }
      if (others) others.push(writing)
      else this.#byTail.set(end, [writing])
    }
  }

  find(text: string, hide: Hide): void {
    if (this.isEmpty) return
    const filter = this.#filter
    let hash = 0
    for (let index = 0; index < text.length; index += 1) {
      hash = ((hash << 8) + text.charCodeAt(index)) | 0
      const slot = Math.imul(hash, spread) >>> (32 - filterBits)
      if ((((filter[slot >>> 3] ?? 0) >>> (slot & 7)) & 1) === 1) this.#lookAt(text, index + 1, hide)
    }
  }

  #lookAt(text: string, end: number, hide: Hide): void {
    for (const writing of this.#byTail.get(text.slice(Math.max(0, end - tail), end)) ?? []) {
      const from = end - writing.text.length
      if (from < 0 || !text.startsWith(writing.text, from)) continue
      if (!writing.isWord || isWholeWord(text, from, end)) hide(from, end, writing.label)
    }
  }
}

const wordCharacter = /[\w\u0080-\uffff]/

const isWholeWord = (text: string, from: number, to: number): boolean =>
  !wordCharacter.test(text[from - 1] ?? '') && !wordCharacter.test(text[to] ?? '')

/** Of the last four units before `end`: further ones leave the 32 bits. */
function hashAt(text: string, end: number): number {
  let hash = 0
  for (let index = end - tail; index < end; index += 1) hash = ((hash << 8) + text.charCodeAt(index)) | 0
  return hash
}

const slotOf = (hash: number): number => Math.imul(hash, spread) >>> (32 - filterBits)
