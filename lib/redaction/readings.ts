/** Decoded forms with original positions. */

export interface Reading {
  text: string
  /** Original range of `start` to before `end`. */
  placeOf(start: number, end: number): [from: number, to: number]
}

/** JSON in JSON in a URL in HTML has four layers. */
export const deepest = 5

/** Ignorable characters have no width: a server that inserts them shows the secret to a reader. */
const mayEscape = /[\\%&\r\n\u0085\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/u
/** PHP also escapes `/` in JSON. */
const anyEscape =
  /\\{1,8}(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3][0-7]{2})|r\\{1,8}n|[rn]|(\/))|%([0-9a-f]{2})|&(?:(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6}));?|([a-z]{2,10});)|[\r\n\u0085\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]+/giu

const names: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  bsol: '\\',
  rsqb: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
}

/** One reading for each layer of escapes. */
export function* readings(text: string): Generator<Reading> {
  let reading: Reading = { text, placeOf: (start, end) => [start, end] }
  for (let depth = 0; depth < deepest; depth += 1) {
    yield reading
    const next = mayEscape.test(reading.text) ? unescaped(reading) : undefined
    if (!next) return
    reading = next
  }
  yield reading
}

/** Undefined without escapes. Removes line breaks of wrapped encodings, and format characters. */
function unescaped({ text, placeOf }: Reading): Reading | undefined {
  const parts: string[] = []
  /** For each escape: start and end below, and end in this layer. */
  const begins: number[] = []
  const ends: number[] = []
  const units: number[] = []
  let done = 0
  let length = 0
  for (const found of text.matchAll(anyEscape)) {
    const character = characterOf(found)
    if (character === undefined) continue
    parts.push(text.slice(done, found.index), character)
    length += found.index - done + character.length
    done = found.index + found[0].length
    begins.push(found.index)
    ends.push(done)
    units.push(length)
  }
  if (begins.length === 0) return undefined
  parts.push(text.slice(done))
  const below = (unit: number): [number, number] => {
    const next = countUpTo(units, unit)
    const behind = next === 0 ? unit : (ends[next - 1] ?? 0) + unit - (units[next - 1] ?? 0)
    const begin = begins[next]
    return begin === undefined || behind < begin ? [behind, behind + 1] : [begin, ends[next] ?? begin + 1]
  }
  return { text: parts.join(''), placeOf: (start, end) => placeOf(below(start)[0], below(end - 1)[1]) }
}

/** Undefined for no escape. */
function characterOf(found: RegExpExecArray): string | undefined {
  const [all, u, x, octal, slash, percent, decimal, hexadecimal, name] = found
  const hex = u ?? x ?? percent ?? hexadecimal
  if (hex !== undefined) return characterAt(Number.parseInt(hex, 16))
  if (octal !== undefined) return characterAt(Number.parseInt(octal, 8))
  if (decimal !== undefined) return characterAt(Number(decimal))
  if (slash !== undefined) return slash
  if (name !== undefined) return names[name] ?? names[name.toLowerCase()]
  return all === '' ? undefined : ''
}

const largestCodePoint = 0x10ffff

const characterAt = (code: number): string | undefined =>
  code <= largestCodePoint ? String.fromCodePoint(code) : undefined

/** Number of sorted values up to the limit. */
function countUpTo(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}
