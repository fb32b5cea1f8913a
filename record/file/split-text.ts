/** Finds the parts of a text that can occur again: identifiers, encoded bytes, and parts of long generated values. */

export interface TextPart {
  text: string
  recurs: boolean
}

/** Characters. A reference to a shorter part saves nothing. */
const shortestPart = 64
/** Texts between identifiers are cut into chunks from this length. */
const shortestCut = 1024
const longestChunk = 1024
/** Bits of the hash that are zero at the end of a chunk: one of 256 positions. */
const boundary = 0xff

/** By character code. */
const isIdentifier = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[A-Za-z0-9+/=:_-]/.test(String.fromCharCode(code))),
)

/** In order; together the parts are the text. */
export function* splitText(text: string): Generator<TextPart> {
  let end = 0
  for (const [from, to] of identifiers(text)) {
    yield* chunks(text.slice(end, from), false)
    yield* chunks(text.slice(from, to), true)
    end = to
  }
  yield* chunks(text.slice(end), false)
}

/** A regular expression would exceed its stack in a text of megabytes. */
function* identifiers(text: string): Generator<[from: number, to: number]> {
  let from = 0
  for (let index = 0; index <= text.length; index += 1) {
    if (index < text.length && isIdentifier[text.charCodeAt(index)] === 1) continue
    if (index - from >= shortestPart) yield [from, index]
    from = index + 1
  }
}

/** The hash depends on the last 32 characters only, so equal passages of different texts have equal chunks. */
function* chunks(text: string, recurs: boolean): Generator<TextPart> {
  if (text === '') return
  if (text.length < shortestCut) return yield { text, recurs }
  let start = 0
  let hash = 0
  for (let index = 0; index < text.length; index += 1) {
    hash = ((hash << 1) + Math.imul(text.charCodeAt(index), 0x9e3779b1)) | 0
    const length = index + 1 - start
    const isEnd = length === longestChunk || (length >= shortestPart && ((hash >>> 24) & boundary) === 0)
    if (!isEnd) continue
    yield { text: text.slice(start, index + 1), recurs: true }
    start = index + 1
  }
  if (start < text.length) yield { text: text.slice(start), recurs: false }
}
