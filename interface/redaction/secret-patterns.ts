/** Everything in which a secret may be repeated, as what is looked for in a reading of a text. */
import { counts, folded } from './characters.js'
import type { Reader } from './piece.js'
import { hasEscapes, readAsItStands, readEscaped } from './reading.js'

/** A text that is looked for, as a whole or in part. */
export interface SecretPattern {
  /** Folded units. */
  units: Uint16Array
  /** How many more units it may be written with that do not count; undefined: any number, since encoded text is wrapped. */
  uncounted: number | undefined
  /** As many units in a row are hidden as are at least this many: all of a short one, half of a longer one. */
  least: number
  label: string
}

/** Fewer signs are in any text. White space, `+`, `-`, `:` and backslashes do not count. */
const shortestSecret = 4
/** Of fewer bytes, what base64 and hex make could be anything. */
const shortestEncoded = 5
/** A shorter part of a secret could be an ordinary word. */
const shortestPart = 8
/** This much of a secret is no coincidence, however long the whole is, and wherever it stands. */
export const tellingLength = 16

/** What a secret is looked for as. Escapes are no forms of their own, since texts are read without them as well. */
export function patternsOf(secret: string, label: string): SecretPattern[] {
  const wellFormed = Buffer.from(secret, 'utf8').toString('utf8')
  const plain = distinct([secret, wellFormed]).flatMap((text) => plainPatterns(text, label))
  const [first] = plain
  if (!first || Buffer.byteLength(secret) < shortestEncoded) return plain
  // Of a secret with odd characters it may be the escaped form that was encoded.
  const written = distinct([wellFormed, JSON.stringify(wellFormed).slice(1, -1), encodeURIComponent(wellFormed)])
  return [...plain, ...written.flatMap((text) => encodedPatterns(Buffer.from(text, 'utf8'), first, label))]
}

const distinct = (texts: string[]): string[] => [...new Set(texts)]

/** Half of it, but neither too little to be told from other text nor more than is needed for that. */
const leastOf = (length: number): number =>
  length < shortestPart ? length : Math.min(tellingLength, Math.max(shortestPart, Math.floor(length / 2)))

function plainPatterns(text: string, label: string): SecretPattern[] {
  const readings = [foldText(text, readAsItStands), ...(hasEscapes(text) ? [foldText(text, readEscaped)] : [])]
  return readings
    .filter(({ units }) => units.length >= shortestSecret)
    .map(({ units, uncounted }) => ({ units, uncounted, least: leastOf(units.length), label }))
}

/** `plain` says how much of the secret counts. */
function encodedPatterns(bytes: Buffer, plain: SecretPattern, label: string): SecretPattern[] {
  const leastBytes = plain.least === plain.units.length ? bytes.length : plain.least
  const hex = bytes.toString('hex')
  const inHex = [hex, hex.toUpperCase()].map((text) => ({ text, stable: leastBytes * 2 }))
  const inBase64 = [0, 1, 2].map((before) => ({
    text: base64Behind(bytes, before),
    // What a byte shares with its neighbours in base64 depends on them.
    stable: Math.floor(((before + leastBytes) * 8) / 6) - Math.ceil((before * 8) / 6),
  }))
  return [...inHex, ...inBase64].map(({ text, stable }) => {
    const { units } = foldText(text, readAsItStands)
    const gone = text.length - units.length
    return { units, uncounted: undefined, least: Math.min(tellingLength, stable - gone), label }
  })
}

/** The base64 of the bytes where `before` other bytes come first, from the first sign on that those have no part in. */
const base64Behind = (bytes: Buffer, before: number): string =>
  Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64url')
    .slice(Math.ceil((before * 8) / 6))

const backslash = '\\'.charCodeAt(0)
/** As many backslashes JSON in JSON makes of one. */
const escapedTwice = 4

function foldText(
  text: string,
  read: (text: string, reader: Reader) => void,
): { units: Uint16Array; uncounted: number } {
  const units: number[] = []
  let uncounted = 0
  const reader: Reader = {
    take: ({ codes, length }) => {
      for (const code of codes.subarray(0, length)) {
        const unit = folded(code)
        if (counts(unit)) units.push(unit)
        else uncounted += code === backslash ? escapedTwice : 1
      }
    },
    end: () => undefined,
  }
  read(text, reader)
  return { units: Uint16Array.from(units), uncounted }
}
