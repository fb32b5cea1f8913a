import { visible } from '../wording/hostile-text.js'

/** A piece of HTML that is safe to put into a page: made by the `html` tag, or by `trusted` from our own constants. */
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
 * HTML from a template. Whatever is put in is escaped, in text and in quoted attributes alike, with control characters
 * shown as code points; only Markup goes in as it is. Lists are joined, undefined is nothing.
 */
export function html(parts: TemplateStringsArray, ...values: Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(''))
}

/** Our own constant text (style, script) as it is; never call it with anything from a record. */
export function trusted(text: string): Markup {
  return new Markup(text)
}
