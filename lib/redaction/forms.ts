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

const keyBegins = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g
const keyEnd = /-----END [A-Z ]{0,20}PRIVATE KEY-----/
const longestKey = 16_384
/** What a key is written with where its last line is missing. */
const keyContent = /^[\w+/=\s\\:,-]*/

/** Private keys in PEM; of a key without its last line, what can belong to it. */
export function findPrivateKeys(text: string, hide: Hide): void {
  if (!text.includes('PRIVATE KEY-----')) return
  for (const { 0: begin, index } of text.matchAll(keyBegins)) {
    const rest = text.slice(index + begin.length, index + begin.length + longestKey)
    const end = keyEnd.exec(rest)
    const length = end ? end.index + end[0].length : (keyContent.exec(rest)?.[0].length ?? 0)
    hide(index, index + begin.length + length, 'a private key')
  }
}
