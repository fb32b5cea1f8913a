/** Secrets that are known by their form alone. Both functions look at each character a bounded number of times. */
import type { Hide } from './hide.js'

const longestToken = 16_384
const objectBegins = 'eyJ'
const token = /^[\w-]*/
const leastOfObject = 11
const leastOfSignature = 16

/** Signed tokens: two JSON objects in base64url and a signature, with dots between them. */
export function findTokens(text: string, hide: Hide): void {
  for (let dot = text.indexOf('.eyJ'); dot !== -1; dot = text.indexOf('.eyJ', dot + 1)) {
    const claims = runFrom(text, dot + 1)
    if (claims < leastOfObject || text[dot + 1 + claims] !== '.') continue
    const signature = runFrom(text, dot + 2 + claims)
    if (signature < leastOfSignature) continue
    const header = beginOfHeader(text, dot)
    if (header !== undefined) hide(header, dot + 2 + claims + signature, 'a signed token')
  }
}

const runFrom = (text: string, start: number): number =>
  token.exec(text.slice(start, start + longestToken))?.[0].length ?? 0

/** The first place in the run before the dot at which an object begins. */
function beginOfHeader(text: string, dot: number): number | undefined {
  let begin = dot
  while (begin > 0 && dot - begin < longestToken && isOfToken(text.charCodeAt(begin - 1))) begin -= 1
  const at = text.slice(begin, dot).indexOf(objectBegins)
  return at === -1 || dot - begin - at < leastOfObject ? undefined : begin + at
}

const isOfToken = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2d ||
  code === 0x5f

const keyLine = /-----(BEGIN|END) [A-Z ]{0,20}PRIVATE KEY-----/g
const longestKey = 16_384
/** The characters of a key whose last line is missing. */
const keyContent = /^[\w+/=\s\\:,-]*/

/** Private keys in PEM; of a key without its last line, the characters that can belong to it. */
export function findPrivateKeys(text: string, hide: Hide): void {
  if (!text.includes('PRIVATE KEY-----')) return
  const lines = [...text.matchAll(keyLine)]
  let ends = 0
  let done = 0
  for (const { 0: begin, 1: kind, index } of lines) {
    if (kind === 'END' || index < done) continue
    const content = index + begin.length
    while (ends < lines.length && ((lines[ends]?.index ?? 0) < content || lines[ends]?.[1] === 'BEGIN')) ends += 1
    const end = lines[ends]
    if (end && end.index - content <= longestKey) done = end.index + end[0].length
    else done = content + (keyContent.exec(text.slice(content, content + longestKey))?.[0].length ?? 0)
    hide(index, done, 'a private key')
  }
}
