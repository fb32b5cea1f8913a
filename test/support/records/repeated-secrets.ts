/** Secrets that a target repeats, each time in another encoding and between marks, and whether any of them is left in a text. */
import { encodings } from './secret-encodings.js'

const all = Object.entries(encodings)
/** Encodings of which each is used in turn. */
export const encodingCount = all.length
/** Characters of a secret's encoding that are looked for: any so many in a row. */
const window = 16
/** The others may be put in or left out by encodings, as docs/reports.md says. */
const sixteenThatCount = new RegExp(`^(?:[\\s+:\\\\-]*[^\\s+:\\\\-]){${window}}`)
/** Of what was cut off nobody knows the end. */
const longestSlice = 20_000

interface Repeated {
  encoding: string
  text: string
  /** Another secret of the same length in the same encoding: what both have in common tells nothing. */
  other: string
  /** Characters that the first `window` ones of the secret that count are written with. */
  begin: number
}

export interface RepeatedSecrets {
  /** Encodings that were used by now. */
  used: ReadonlySet<string>
  /** The secret in the next encoding, between marks that no report alters, so that it is found again. */
  repeat(secret: string): string
  /** The repeated secrets that the text contains, by encoding; `marks` counts the places where one was. */
  leaks(text: string): { marks: number; left: string[] }
}

export function repeatedSecrets(): RepeatedSecrets {
  const said: Repeated[] = []
  const used = new Set<string>()
  return {
    used,
    repeat: (secret) => {
      const [encoding, encode] = all[said.length % all.length] ?? ['', String]
      const text = encode(secret)
      const begin = encode(sixteenThatCount.exec(secret)?.[0] ?? secret).length - encode('').length
      said.push({ encoding, text, other: encode('x'.repeat(secret.length)), begin: Math.max(window, begin) })
      used.add(encoding)
      return `zq${said.length - 1}|${text}|${said.length - 1}zq`
    },
    leaks: (text) => leaksIn(text, said),
  }
}

function leaksIn(text: string, said: readonly Repeated[]): { marks: number; left: string[] } {
  const left = new Set<string>()
  let marks = 0
  for (const { 1: number = '', index } of text.matchAll(/zq(\d+)\|/g)) {
    const one = said[Number(number)]
    if (!one) continue
    marks += 1
    const end = text.indexOf(`|${number}zq`, index)
    const slice = text.slice(index, end === -1 ? index + longestSlice : end)
    // What is told of an answer may end amid a secret: then fewer of its own characters than that are left to be seen.
    const least = end === -1 ? one.begin : window
    if (unescaped(slice).some((seen) => tells(seen, one, least))) left.add(one.encoding)
  }
  return { marks, left: [...left] }
}

/** As it stands, and as whoever reads JSON, XML or HTML sees it. */
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

function tells(seen: string, { text, other }: Repeated, least: number): boolean {
  for (let at = 0; at + least <= text.length; at += 1) {
    const piece = text.slice(at, at + least)
    // What stands before a secret, as "Bearer" does, is none of it.
    if (other.startsWith(text.slice(0, at + 1))) continue
    // In base64 a character at either end may hold a bit of each.
    if (seen.includes(piece) && !other.includes(piece.slice(1, -1))) return true
  }
  return false
}
