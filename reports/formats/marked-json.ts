import { parsed } from '../../lib/json/parsed.js'
import { pointerParts } from '../../lib/json/pointer.js'
import { html, type Markup } from '../markup/html-template.js'

/** Invalid JSON stays as it is. An empty pointer marks nothing. */
export function markedJson(text: string, pointer: string): Markup {
  const value = parsed(text)
  if (value === undefined) return html`${text}`
  const path = pointer === '' ? undefined : pointerParts(pointer)
  return written(value, path, '')
}

/** `path`: from `value` to the marked member; undefined if it is elsewhere. */
function written(value: unknown, path: readonly string[] | undefined, indent: string): Markup {
  if (path?.length === 0)
    return html`<mark>${JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`)}</mark>`
  if (path === undefined || typeof value !== 'object' || value === null)
    return html`${JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`)}`
  const [name = '', ...rest] = path
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(([key, item]) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `
    return html`\n${inner}${label}${written(item, key === name ? rest : undefined, inner)}`
  })
  const missing = Object.hasOwn(value, name)
    ? []
    : [html`\n${inner}<mark>${isList ? '' : `${JSON.stringify(name)} `}is absent</mark>`]
  const lines = [...entries, ...missing].map((line, index, all) => html`${line}${index < all.length - 1 ? ',' : ''}`)
  return html`${isList ? '[' : '{'}${lines}\n${indent}${isList ? ']' : '}'}`
}
