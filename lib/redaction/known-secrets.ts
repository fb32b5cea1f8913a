import { percentEncoded } from './percent-encoded.js'
import { readings } from './readings.js'

/** Shorter values are too common. */
export const shortestSecret = 8

/** Not an ordinary word or number. */
export const isDistinctive = (secret: string): boolean =>
  secret.length >= shortestSecret && !/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(secret)

/** UTF-16 units of a block. */
const block = 4
/** Units at the end of a writing whose blocks the search knows. Tokens of one issuer have equal beginnings. */
const searched = 16
/** The search moves so far behind a block that no writing contains. */
const longestMove = searched - block + 1
const mostFilterBits = 18
const spread = 0x9e3779b1

interface Writing {
  text: string
  label: string
  /** Hidden only as a whole word, because the value may be a part of an ordinary word. */
  isWord: boolean
}

/** Finds all encodings of secrets in one pass, which skips characters as Wu and Manber do. */
export class KnownSecrets {
  readonly #known = new Set<string>()
  /** By hash of a block: `longestMove` without the least distance from the block to the end of a writing. */
  readonly #nearness: Uint8Array
  /** From a 32-bit product to an index. */
  readonly #shift: number
  readonly #byTail = new Map<string, Writing[]>()
  #shortest = Number.POSITIVE_INFINITY

  /** `filterBits`: binary logarithm of the number of hashes. Few hashes are only slower; they miss no secret. */
  constructor(filterBits = mostFilterBits) {
    this.#nearness = new Uint8Array(2 ** filterBits)
    this.#shift = 32 - filterBits
  }

  /** Characters. No shorter text contains a secret, escaped or not. */
  get shortest(): number {
    return this.#shortest
  }

  get size(): number {
    return this.#known.size
  }

  /** Also the signature of a token, also in standard base64. `isWord`: without adjacent letters or digits. False if it is known. */
  add(secret: string, label: string, isWord = false): boolean {
    if (this.#known.has(secret)) return false
    this.#known.add(secret)
    for (const text of new Set(writingsOf(secret))) this.#addWriting(text, label, isWord && text === secret)
    // Also in decoded form, and with the blanks of a form. A backslash at the end begins an escape.
    const decoded = [...readings(secret.replace(/\\+$/, ''))].flatMap(({ text }) => [text, text.replaceAll(' ', '+')])
    for (const text of new Set(decoded))
      if (text !== secret) this.#addWriting(text, label, isWord || !isDistinctive(text))
    const signature = /^eyJ[\w-]+\.[\w-]+\.([\w-]{16,})$/.exec(secret)?.[1]
    if (signature === undefined) return true
    this.add(signature, label)
    // Hex of its bytes would fill the filter with blocks that each contract id contains.
    this.#addWriting(signature.replaceAll('-', '+').replaceAll('_', '/'), label, false)
    return true
  }

  #addWriting(text: string, label: string, isWord: boolean): void {
    if (text.length < block) return
    this.#shortest = Math.min(this.#shortest, text.length)
    for (let end = Math.max(block, text.length - searched + block); end <= text.length; end += 1) {
      const slot = Math.imul(hashOfBlock(text, end), spread) >>> this.#shift
      this.#nearness[slot] = Math.max(this.#nearness[slot] ?? 0, longestMove - (text.length - end))
    }
    const end = text.slice(-block)
    const writing = { text, label, isWord }
    const others = this.#byTail.get(end)
    if (others) others.push(writing)
    else this.#byTail.set(end, [writing])
  }

  find(text: string, hide: Hide): void {
    if (text.length < this.#shortest) return
    const [nearness, shift] = [this.#nearness, this.#shift]
    // A shorter writing may begin behind the block.
    const mostMove = Math.min(longestMove, this.#shortest - block + 1)
    for (let end = mostMove + block - 1; end <= text.length; ) {
      const near = nearness[Math.imul(hashOfBlock(text, end), spread) >>> shift] ?? 0
      if (near < longestMove) {
        end += Math.min(longestMove - near, mostMove)
        continue
      }
      for (const writing of this.#byTail.get(text.slice(end - block, end)) ?? []) {
        const from = end - writing.text.length
        // For long writings, startsWith takes many times as long.
        if (from < 0 || text.slice(from, end) !== writing.text) continue
        if (writing.isWord && !isWholeWord(text, from, end)) continue
        hide(from, end, writing.label)
      }
      end += 1
    }
  }
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

const isWholeWord = (text: string, from: number, to: number): boolean =>
  !wordCharacter.test(text[from - 1] ?? '') && !wordCharacter.test(text[to] ?? '')

/** Of the units before `end`. */
const hashOfBlock = (text: string, end: number): number =>
  (text.charCodeAt(end - 4) << 24) ^
  (text.charCodeAt(end - 3) << 16) ^
  (text.charCodeAt(end - 2) << 8) ^
  text.charCodeAt(end - 1)

/** Shorter encodings are too common. */
const shortestEncoded = 5

/** Without the escapes that `readings` undo. */
function writingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const text = bytes.toString('utf8')
  const inShell = text.replaceAll("'", "'\\''")
  const plain = [secret, text, inShell]
  if (bytes.length < shortestEncoded) return plain
  const form = new URLSearchParams({ a: text }).toString().slice(2)
  const escaped = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), percentEncoded(text), form]
  return [...plain, ...[...new Set(escaped)].flatMap((one) => encodedForms(Buffer.from(one, 'utf8')))]
}

function encodedForms(bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = base64Behind(bytes, before)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_'), text.replaceAll('+', ' ')]
  })
  return [hex, hex.replace(/..(?=.)/g, '$&:')].flatMap((text) => [text, text.toUpperCase()]).concat(base64)
}

/** Only characters that depend on no other bytes. */
function base64Behind(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}

export type Hide = (from: number, to: number, label: string) => void

/** Indices; `to` is exclusive. */
export interface Place {
  from: number
  to: number
}

export interface Hidden extends Place {
  label: string
}

/** Overlapping parts are one, with the label of the first. */
export function withoutParts(text: string, parts: readonly Hidden[]): string {
  if (parts.length === 0) return text
  const merged: Hidden[] = []
  for (const part of parts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1)
    if (last && part.from < last.to) last.to = Math.max(last.to, part.to)
    else merged.push({ ...part })
  }
  const kept: string[] = []
  let done = 0
  for (const { from, to, label } of merged) {
    const begin = Math.max(done, beforeEscape(text, from))
    kept.push(text.slice(done, begin), `[redacted: ${label}]`)
    done = afterEscape(text, to)
  }
  return kept.join('') + text.slice(done)
}

const longestEscape = 6

/** Half a JSON escape breaks the line of a record. */
function beforeEscape(text: string, from: number): number {
  const begun = /(\\+)(?:u[0-9a-f]{0,3})?$/i.exec(text.slice(Math.max(0, from - 2 * longestEscape), from))
  if (!begun || (begun[1]?.length ?? 0) % 2 === 0) return from
  return from - begun[0].length + (begun[1]?.length ?? 1) - 1
}

function afterEscape(text: string, to: number): number {
  const begun = /\\+$/.exec(text.slice(Math.max(0, to - 2 * longestEscape), to))
  return (begun?.[0].length ?? 0) % 2 === 0 ? to : Math.min(text.length, to + 1)
}
