/** Records as one JSON array or as CSV (RFC 4180), for other programs. */
import { UsageError } from '../../lib/usage-error.js'

export interface TableFlags {
  json?: true
  csv?: true
}

/** Lists become JSON arrays, and are joined by spaces in CSV. All records have the same members. */
type Item = Readonly<Record<string, string | number | readonly string[]>>

/** Undefined without a flag. Throws `UsageError` for both flags. */
export function tableOf(items: readonly Item[], { json, csv }: TableFlags): string | undefined {
  if (json && csv) throw new UsageError('json: choose either --json or --csv')
  if (json) return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
  if (!csv) return undefined
  const names = Object.keys(items[0] ?? {})
  const lines = items.map((item) => names.map((name) => cell(item[name] ?? '')))
  return [names, ...lines].map((cells) => cells.join(',')).join('\r\n')
}

function cell(value: Item[string]): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
