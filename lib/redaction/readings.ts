/** Decoded forms with original positions. */

export interface Reading {
  text: string
  /** Original range of `start` to before `end`. */
  placeOf(start: number, end: number): [from: number, to: number]
}

/** JSON in JSON in a URL in HTML has four layers. */
const deepest = 5

/** Of HTML: all names of ASCII punctuation and of signs without width, and the euro sign. */
const names: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  nbsp: ' ',
  NonBreakingSpace: ' ',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
  euro: '\u20ac',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ZeroWidthSpace: '\u200b',
  NegativeVeryThinSpace: '\u200b',
  NegativeThinSpace: '\u200b',
  NegativeMediumSpace: '\u200b',
  NegativeThickSpace: '\u200b',
  NoBreak: '\u2060',
  af: '\u2061',
  ApplyFunction: '\u2061',
  it: '\u2062',
  InvisibleTimes: '\u2062',
  ic: '\u2063',
  InvisibleComma: '\u2063',
}
/** HTML reads these also without `;`. */
const openNames = 'amp|AMP|lt|LT|gt|GT|quot|QUOT|nbsp|shy'

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

interface Layer {
  /** Quicker than the expression: most texts have no escape. */
  mayBeIn: (text: string) => boolean
  form: RegExp
  /** One match of the form and its groups. Undefined for no escape. */
  read: (found: readonly (string | undefined)[]) => string | undefined
  /** Most matches of the form, all with this character: a replacement by a constant needs a third of the time. */
  frequent?: Frequent
}

interface Frequent {
  form: RegExp
  character: string
}

/** PHP also escapes `/` in JSON. All backslashes of JSON in JSON are read at once, so mixed escapes have one reading. */
const escapes: Layer = {
  mayBeIn: (text) => text.includes('\\') || text.includes('%') || text.includes('&'),
  form: new RegExp(
    String.raw`\\+(?:[uU]([\da-fA-F]{4})|[xX]([\da-fA-F]{2})|([0-3][0-7]{2})|([bfnrt])|(["\\/]))|%([\da-fA-F]{2})|` +
      String.raw`&(?:#0*(\d{1,7});?|#[xX]0*([\da-fA-F]{1,6});?|(${Object.keys(names).join('|')});|(${openNames}))`,
    'g',
  ),
  read([, u, x, octal, control, sign, percent, decimal, hexadecimal, name = '', openName = '']) {
    const hex = u ?? x ?? percent ?? hexadecimal
    if (hex !== undefined) return characterAt(Number.parseInt(hex, 16))
    if (octal !== undefined) return characterAt(Number.parseInt(octal, 8))
    if (decimal !== undefined) return characterAt(Number(decimal))
    return sign ?? controls[control ?? ''] ?? names[name || openName]
  },
  // Of JSON in JSON.
  frequent: { form: /(?<!\\)\\"/g, character: '"' },
}

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/** Of escaped bytes, of headers, and of bodies that are not UTF-8: each byte of a character is one character. */
const bytes: Layer = {
  mayBeIn: (text) => !isAscii(text),
  form: /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
  read: ([all = '']) => Buffer.from(all, 'latin1').toString('utf8'),
}

/** Line breaks of wrapped encodings. Ignorable characters have no width: a server that inserts them shows the secret to a reader. */
const ignored: Layer = {
  mayBeIn: (text) => text.includes('\n') || text.includes('\r') || !isAscii(text),
  form: /[\r\n\u0085\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu,
  read: () => '',
}

/**
 * Ignored signs are the last: `\nword\n` has a reading in which the word is a whole one, and the byte AD of `\xc3\xad` is no soft
 * hyphen.
 */
const order = [escapes, bytes, ignored]

/** The text, and one reading for each kind of each layer. */
export function readings(text: string): Iterable<Reading> {
  const whole: Reading = { text, placeOf: unmoved }
  // Most texts have only this one.
  return order.some(({ mayBeIn }) => mayBeIn(text)) ? layered(whole) : [whole]
}

const unmoved: Reading['placeOf'] = (start, end) => [start, end]

function* layered(whole: Reading): Generator<Reading> {
  let reading = whole
  yield reading
  for (let depth = 0; depth < deepest; depth += 1) {
    const outer = reading
    for (const layer of order) {
      const next = without(layer, reading)
      if (!next) continue
      reading = next
      yield reading
    }
    if (reading === outer) return
  }
}

/** Undefined if the text has nothing of this kind. */
function without(layer: Layer, { text, placeOf }: Reading): Reading | undefined {
  const { mayBeIn, form, read, frequent } = layer
  if (!mayBeIn(text)) return undefined
  const rest = frequent ? text.replace(frequent.form, frequent.character) : text
  const plain = rest.replace(form, (...found: string[]) => read(found) ?? found[0] ?? '')
  if (plain === text) return undefined
  // Few texts contain a secret, and only they need places.
  let below: ReturnType<typeof placesBelow> | undefined
  return {
    text: plain,
    placeOf(start, end) {
      below ??= placesBelow(layer, text)
      return placeOf(below(start)[0], below(end - 1)[1])
    },
  }
}

/** Start and end, before the layer was read, of a unit after it. */
function placesBelow({ form, read }: Layer, text: string): (unit: number) => [number, number] {
  /** For each escape: start and end below, and end in this layer. */
  const begins: number[] = []
  const ends: number[] = []
  const units: number[] = []
  let done = 0
  let length = 0
  for (const found of text.matchAll(form)) {
    const character = read(found)
    if (character === undefined) continue
    length += found.index - done + character.length
    done = found.index + found[0].length
    begins.push(found.index)
    ends.push(done)
    units.push(length)
  }
  return (unit) => {
    const next = countUpTo(units, unit)
    const behind = next === 0 ? unit : (ends[next - 1] ?? 0) + unit - (units[next - 1] ?? 0)
    const begin = begins[next]
    return begin === undefined || behind < begin ? [behind, behind + 1] : [begin, ends[next] ?? begin + 1]
  }
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
