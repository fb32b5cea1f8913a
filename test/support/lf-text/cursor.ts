import type { DamlIdentifier } from '../../../interface/daml-value.js'

export class Cursor {
  readonly #tokens: readonly Token[]
  readonly #packageId: string
  readonly #identifiers = new Map<string, DamlIdentifier>()
  #at = 0

  /** `packageId`: the package that the text describes. */
  constructor(source: string, packageId: string) {
    this.#tokens = tokensOf(source)
    this.#packageId = packageId
  }

  get token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end', line: 0 }
  }

  is(text: string): boolean {
    const { token } = this
    return token.text === text && (token.kind === 'symbol' || token.kind === 'name')
  }

  /** Consumes the next word if it is this one. */
  accept(text: string): boolean {
    if (!this.is(text)) return false
    this.#at += 1
    return true
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.problem(text)
  }

  take(kind: Token['kind']): string {
    const { token } = this
    if (token.kind !== kind) throw this.problem(`a ${kind}`)
    this.#at += 1
    return token.text
  }

  name(): string {
    return this.take('name')
  }

  quoted(): string {
    return this.take('quoted').slice(1, -1)
  }

  text(): string {
    const read: unknown = JSON.parse(this.take('text'))
    return String(read)
  }

  /** `Module:Entity` or `'package':Module:Entity`; `rest`: after a third colon. */
  qualified(): { id: DamlIdentifier; rest: string | undefined } {
    const [, packageId = this.#packageId, path = ''] = /^(?:'([^']*)':)?(.*)$/.exec(this.take('qualified')) ?? []
    const [module = '', entity = '', rest] = path.split(':')
    return { id: this.identifier(packageId, module, entity), rest }
  }

  identifier(packageId: string, module: string, entity: string): DamlIdentifier {
    const key = `${packageId}:${module}:${entity}`
    const found = this.#identifiers.get(key) ?? { packageId, module, entity }
    this.#identifiers.set(key, found)
    return found
  }

  own(module: string, entity: string): DamlIdentifier {
    return this.identifier(this.#packageId, module, entity)
  }

  /** Packages that were referenced so far. */
  get packages(): ReadonlySet<string> {
    return new Set([...this.#identifiers.values()].map(({ packageId }) => packageId))
  }

  /** Separated items up to the closing word. */
  list<T>(close: string, read: () => T): T[] {
    const items: T[] = []
    while (!this.accept(close)) {
      if (items.length > 0) this.expect(',')
      items.push(read())
    }
    return items
  }

  problem(expected: string): LfTextError {
    return new LfTextError(`line ${this.token.line}: expected ${expected}, found ${this.token.text}`)
  }
}

/** The message names the line. */
class LfTextError extends Error {
  override readonly name = 'LfTextError'
}

interface Token {
  kind: 'name' | 'qualified' | 'quoted' | 'text' | 'integer' | 'decimal' | 'symbol' | 'end'
  text: string
  line: number
}

const forms: [Token['kind'] | 'space', RegExp][] = [
  ['space', /(?:\s+|\/\/[^\n]*)+/y],
  ['qualified', /(?:'[^']*':)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?::[A-Za-z_$][\w$.]*)+/y],
  ['name', /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/y],
  ['quoted', /'[^']*'/y],
  ['text', /"(?:[^"\\\n]|\\.)*"/y],
  ['decimal', /-?\d+\.\d*/y],
  ['integer', /-?\d+/y],
  ['symbol', /->|<-|\/\\|[(){}[\]=:;,|@\\.*]/y],
]

/** Throws `LfTextError`. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let [at, line] = [0, 1]
  while (at < source.length) {
    const found = forms.flatMap(([kind, form]) => {
      form.lastIndex = at
      const text = form.exec(source)?.[0]
      return text === undefined ? [] : { kind, text }
    })[0]
    if (!found) throw new LfTextError(`line ${line}: ${JSON.stringify(source[at])} is not a token of Daml-LF`)
    const { kind, text } = found
    if (kind !== 'space') tokens.push({ kind, text, line })
    line += text.split('\n').length - 1
    at += text.length
  }
  return [...tokens, { kind: 'end', text: 'the end', line }]
}
