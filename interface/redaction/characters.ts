/** Single characters, as the redaction reads them. */

/** The value of a digit, or undefined. */
export function digitOf(code: number, base: 10 | 16): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return base === 16 && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}

/** Letters, digits and the underscore; any character beyond ASCII counts as a letter. */
export const isWordCharacter = (code: number): boolean =>
  digitOf(code, 10) !== undefined || code === 0x5f || code >= 0x80 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)

/** Names of entities that a secret may be written with: those of the signs of ASCII, and of blanks. */
const numberSign = '#'.charCodeAt(0)

const namesOfEntities = {
  ...{ quot: '"', amp: '&', apos: "'", lt: '<', gt: '>', nbsp: '\u00a0', Tab: '\t', NewLine: '\n' },
  ...{ excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+' },
  ...{ comma: ',', period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@' },
  ...{ lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_', grave: '`' },
  ...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
}
const letters = '@'.charCodeAt(0)
const letterBase = 64
const entities: ReadonlyMap<number, number> = new Map(
  Object.entries(namesOfEntities).map(([name, character]) => [
    numberOfName(
      Uint16Array.from(name, (letter) => letter.charCodeAt(0)),
      0,
      name.length,
    ) ?? 0,
    character.charCodeAt(0),
  ]),
)

/** A name of letters as a number: entities are looked up at places that a target chooses, and texts would be made for each. */
function numberOfName(codes: ArrayLike<number>, start: number, end: number): number | undefined {
  let number = 0
  for (let index = start; index < end; index += 1) {
    const letter = (codes[index] ?? 0) - letters
    if (letter <= 0 || letter >= letterBase) return undefined
    number = number * letterBase + letter
  }
  return number
}

/** The code point of what stands between `&` and `;`, which is given by its units; or undefined. */
export function characterOfEntity(codes: Uint16Array, start: number, end: number): number | undefined {
  if (codes[start] !== numberSign) return entities.get(numberOfName(codes, start, end) ?? 0)
  const base = codes[start + 1] === 0x78 || codes[start + 1] === 0x58 ? 16 : 10
  const first = start + (base === 16 ? 2 : 1)
  let codePoint = 0
  for (let index = first; index < end; index += 1) {
    const digit = digitOf(codes[index] ?? 0, base)
    if (digit === undefined) return undefined
    codePoint = codePoint * base + digit
  }
  return first < end && codePoint <= 0x10ffff ? codePoint : undefined
}

/** Stands for characters that count for nothing. */
const uncounted = 0

export const counts = (code: number): boolean => code !== uncounted

/**
 * The one way in which characters are compared that encodings write differently. What may be put in or left out (white space
 * by wrapping, a blank for a plus sign, colons between bytes, backslashes before anything) does not count, and both alphabets of
 * base64 are one.
 */
export const folded = (code: number): number => foldings[code] ?? uncounted

const foldings = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\s\p{Cc}\\+:-]/u.test(character)) return uncounted
  return character === '/' ? '_'.charCodeAt(0) : code
})
