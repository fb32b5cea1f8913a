/** Known secrets of this process, for all its output. */

import { type Hidden, type Hide, withoutParts } from './hide.js'
import { isDistinctive, KnownSecrets, shortestSecret } from './known-secrets.js'
import { readings } from './readings.js'

/** Secrets with a known form. Both functions read each character a bounded number of times. */
const longestToken = 16_384
const objectBegins = 'eyJ'
const token = /^[\w-]*/
const leastOfObject = 11
const leastOfSignature = 16

/** Signed tokens: two JSON objects in base64url and a signature, separated by dots. */
function findTokens(text: string, hide: Hide): void {
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

/** The first start of an object before the dot. */
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

/** Private keys in PEM; without the last line, all characters that can belong to the key. */
function findPrivateKeys(text: string, hide: Hide): void {
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

/** Characters of one piece; bounds the memory for many escapes. */
const pieceLength = 1024 * 1024
/** Overlap of pieces, in characters. */
const overlap = 128 * 1024

/**
 * Hides known secrets in their usual encodings, tokens and private keys. Returns an equal text without any. The time is linear in the
 * length of the text.
 */
function redact(text: string, ...secrets: readonly KnownSecrets[]): string {
  const hidden: Hidden[] = []
  for (let start = 0; start === 0 || start + overlap < text.length; start += pieceLength) {
    const piece = text.length <= pieceLength ? text : text.slice(start, start + pieceLength + overlap)
    for (const reading of readings(piece)) {
      const hide = (begin: number, end: number, label: string): void => {
        const [from, to] = reading.placeOf(begin, end)
        const last = hidden.at(-1)
        // A text may repeat one secret.
        if (last?.label === label && start + from >= last.from && start + from < last.to)
          last.to = Math.max(last.to, start + to)
        else hidden.push({ from: start + from, to: start + to, label })
      }
      for (const one of secrets) one.find(reading.text, hide)
      findTokens(reading.text, hide)
      findPrivateKeys(reading.text, hide)
    }
  }
  return withoutParts(text, hidden)
}

/** The oldest secrets are dropped, because tokens expire within minutes. */
const most = 20_000

let known = new KnownSecrets()
let before = new KnownSecrets()
const suspects = new KnownSecrets()

/** Labels occur in JSON lines too. */
export const labelOf = (label: string): string => label.replace(/[^\w .,:()-]/g, '_').slice(0, 80)

/**
 * Hides the secret in all output; its replacement contains the label. Returns false if the secret may be an ordinary word or number;
 * then only the `Redaction` of a run hides it, in received text.
 */
export function registerSecret(secret: string, label: string): boolean {
  if (!isDistinctive(secret)) return false
  if (known.size >= most / 2) [known, before] = [new KnownSecrets(), known]
  known.add(secret, labelOf(label))
  return true
}

/** Registers a value that may be a misplaced secret; no message repeats it. */
export function suspectSecret(value: string, label: string): void {
  if (value.length >= shortestSecret && !/^https?:\/\/[^@?#]*$/i.test(value)) suspects.add(value, labelOf(label))
}

/** Registers user, password and query of a URL. */
export function registerUrl(text: string, label: string): void {
  if (!URL.canParse(text)) return
  const { username, password, search, searchParams } = new URL(text)
  for (const secret of [password, safelyDecoded(password)]) registerSecret(secret, `password of ${label}`)
  for (const secret of [username, search.slice(1), ...searchParams.values()])
    suspectSecret(secret, `a part of ${label}`)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Hides secrets; labels of `own` have priority. */
export const withoutKnownSecrets = (text: string, ...own: readonly KnownSecrets[]): string =>
  redact(text, ...own, known, before)

/** For error messages: hides values that may be secrets too. */
export const withoutSuspects = (text: string): string => redact(text, known, before, suspects)
