import { visible } from '../wording/hostile-text.js'

/** Safe HTML, from the `html` tag or from `trusted`. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Insertable = string | number | Markup | readonly Insertable[] | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function insert(value: Insertable): string {
  if (value === undefined) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(insert).join('')
  return visible(String(value)).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/**
 * Escapes all values except Markup, for text and for quoted attributes. Prints control characters as code points,
 * joins lists; undefined is empty.
 * @example html`<b>${'a < b'}</b>`.text // '<b>a &lt; b</b>'
 */
export function html(parts: TemplateStringsArray, ...values: Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(''))
}

/** For constants of this project; never call it with a value from a record. */
export function trusted(text: string): Markup {
  return new Markup(text)
}

/** Only the title can contain text from a target. */
export const pageHead = (title: string, policy: string, styles: readonly string[]): Markup => html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styles.map((style) => html`<style>${trusted(style)}</style>\n`)}</head>`
