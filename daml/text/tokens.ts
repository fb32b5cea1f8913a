/** The words of a Daml-LF text. */

/** A text that is no Daml-LF; the message says where. */
export class LfTextError extends Error {
  override readonly name = 'LfTextError'
}

export interface Token {
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
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let [at, line] = [0, 1]
  while (at < source.length) {
    const found = forms.flatMap(([kind, form]) => {
      form.lastIndex = at
      const text = form.exec(source)?.[0]
      return text === undefined ? [] : { kind, text }
    })[0]
    if (!found) throw new LfTextError(`line ${line}: ${JSON.stringify(source[at])} begins no word of Daml-LF`)
    const { kind, text } = found
    if (kind !== 'space') tokens.push({ kind, text, line })
    line += text.split('\n').length - 1
    at += text.length
  }
  return [...tokens, { kind: 'end', text: 'the end', line }]
}
