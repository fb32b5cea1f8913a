/** Line and column count from 1, offset from 0, in UTF-16 units. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly offset: number
  readonly line: number
  readonly column: number

  constructor(problem: string, text: string, offset: number) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    super(`not JSON: ${problem} at line ${line}, column ${column}`)
    this.offset = offset
    this.line = line
    this.column = column
  }
}

const plainCharacters = /[ !#-[\]-\uffff]*/y
const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const literals: Readonly<Record<string, { text: string; value: boolean | null }>> = {
  t: { text: 'true', value: true },
  f: { text: 'false', value: false },
  n: { text: 'null', value: null },
}

/** UTF-16 units. Shorter parts of long texts are copied. */
const long = 64 * 1024

/** The position is a token or the end, never white space. */
export class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#skipSpace()
  }

  get offset(): number {
    return this.#at
  }

  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    this.#skipSpace()
    return true
  }

  expect(character: string): void {
    if (!this.take(character)) this.#fail(character === ':' ? '":"' : `"," or "${character}"`)
  }

  /** Also reads the colon. */
  memberName(): string {
    const name = this.string()
    if (name === undefined) this.#fail('a member name in double quotes')
    this.expect(':')
    return name
  }

  /** Escaped surrogates need no partner. */
  string(): string | undefined {
    if (this.#text[this.#at] !== '"') return undefined
    this.#at += 1
    let value = this.#plainCharacters()
    while (this.#text[this.#at] === '\\') value += this.#escape() + this.#plainCharacters()
    if (this.#text[this.#at] !== '"') this.#fail('the end of the string')
    this.#at += 1
    this.#skipSpace()
    return value
  }

  literal(): boolean | null | undefined {
    const word = literals[this.#text[this.#at] ?? '']
    if (!word || !this.#text.startsWith(word.text, this.#at)) return undefined
    this.#at += word.text.length
    this.#skipSpace()
    return word.value
  }

  number(): string {
    numbers.lastIndex = this.#at
    if (!numbers.test(this.#text)) this.#fail('a value')
    const start = this.#at
    this.#at = numbers.lastIndex
    const found = this.#piece(start)
    this.#skipSpace()
    return found
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail('the end of the text')
  }

  #plainCharacters(): string {
    plainCharacters.lastIndex = this.#at
    plainCharacters.test(this.#text)
    const start = this.#at
    this.#at = plainCharacters.lastIndex
    return this.#piece(start)
  }

  /** A slice keeps the whole text in memory. */
  #piece(start: number): string {
    const slice = this.#text.slice(start, this.#at)
    return this.#text.length > long && slice.length <= long ? (JSON.parse(JSON.stringify(slice)) as string) : slice // what went in
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? ''
    const code = letter === 'u' ? /^[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at + 2, this.#at + 6))?.[0] : undefined
    if (code !== undefined) {
      this.#at += 6
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
    if (character === undefined) this.#fail('a valid JSON escape')
    this.#at += 2
    return character
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #fail(expected: string): never {
    const found = this.#text.codePointAt(this.#at)
    const shown = found === undefined ? 'the end' : describe(found)
    throw new JsonSyntaxError(`expected ${expected}, found ${shown}`, this.#text, this.#at)
  }
}

/** Non-ASCII as code points. */
function describe(code: number): string {
  return code > 0x20 && code < 0x7f
    ? `"${String.fromCodePoint(code)}"`
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
