/** Repeats secrets in many encodings between marks, and finds them in a text. */
import { encodings } from './secret-encodings.js'

const all = Object.entries(encodings)
export const encodingCount = all.length
/** Characters of a leaked part. */
const window = 16
/** Encodings can insert or omit the others; see docs/reports.md. */
const firstSignificant = new RegExp(`^(?:[\\s+:\\\\-]*[^\\s+:\\\\-]){${window}}`)
/** Characters after a mark without an end mark. */
const longestSlice = 20_000

interface Repeated {
  encoding: string
  text: string
  /** A common part of two secrets is no leak. */
  other: string
  /** Encoded length of the first `window` significant characters. */
  begin: number
}

export interface RepeatedSecrets {
  used: ReadonlySet<string>
  /** In the next encoding. */
  repeat(secret: string): string
  /** `left`: encodings of leaked secrets. */
  leaks(text: string): { marks: number; left: string[] }
}

export function repeatedSecrets(): RepeatedSecrets {
  const repeated: Repeated[] = []
  const used = new Set<string>()
  return {
    used,
    repeat: (secret) => {
      const [encoding, encode] = all[repeated.length % all.length] ?? ['', String]
      const text = encode(secret)
      const begin = encode(firstSignificant.exec(secret)?.[0] ?? secret).length - encode('').length
      repeated.push({ encoding, text, other: encode('x'.repeat(secret.length)), begin: Math.max(window, begin) })
      used.add(encoding)
      return `zq${repeated.length - 1}|${text}|${repeated.length - 1}zq`
    },
    leaks: (text) => leaksIn(text, repeated),
  }
}

function leaksIn(text: string, repeated: readonly Repeated[]): { marks: number; left: string[] } {
  const left = new Set<string>()
  let marks = 0
  for (const { 1: number = '', index } of text.matchAll(/zq(\d+)\|/g)) {
    const one = repeated[Number(number)]
    if (!one) continue
    marks += 1
    const end = text.indexOf(`|${number}zq`, index)
    const slice = text.slice(index, end === -1 ? index + longestSlice : end)
    // An excerpt can end within a secret.
    const least = end === -1 ? one.begin : window
    if (unescaped(slice).some((seen) => hasLeak(seen, one, least))) left.add(one.encoding)
  }
  return { marks, left: [...left] }
}

/** As text, JSON, XML and HTML. */
function unescaped(slice: string): string[] {
  const plain = slice.replaceAll(/\[redacted: [^\]]*\]/g, '')
  if (plain.length < window) return []
  const fromJson = plain.replaceAll(
    /\\(["\\/nrt])/g,
    (_, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign] ?? sign,
  )
  const fromHtml = plain.replaceAll(/&(quot|lt|gt|#39|amp);/g, (_, name: string) => signs[name] ?? '')
  return [plain, fromJson, fromHtml]
}

const signs: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' }

function hasLeak(seen: string, { text, other }: Repeated, least: number): boolean {
  for (let at = 0; at + least <= text.length; at += 1) {
    const piece = text.slice(at, at + least)
    // A prefix such as "Bearer" is not secret.
    if (other.startsWith(text.slice(0, at + 1))) continue
    // A base64 character at either end can contain bits of both.
    if (seen.includes(piece) && !other.includes(piece.slice(1, -1))) return true
  }
  return false
}
