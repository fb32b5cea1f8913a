/** HTML templates that escape their values. */
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
 * Escapes every value except Markup, for text and for quoted attributes, and prints control characters as code points. Joins
 * lists; undefined is empty.
 */
export function html(parts: TemplateStringsArray, ...values: Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(''))
}

/** A constant of this project (style, script); never call it with a value from a record. */
export function trusted(text: string): Markup {
  return new Markup(text)
}
