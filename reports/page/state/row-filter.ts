import { verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'

/** How a value is compared: as a whole, or as a part of a longer text. */
type Extent = 'whole' | 'part'

/** One term of a search: rows must (or, negated, must not) have one of the values in that field. */
interface Term {
  field: string
  values: string[]
  negated: boolean
}

/** What can be searched for by name; `text` is what a term without a name looks at. */
const fields: ReadonlyMap<string, (row: PageRow) => string[]> = new Map<string, (row: PageRow) => string[]>([
  ['verdict', (row) => [row.verdict]],
  ['rule', (row) => row.rules.map(([rule]) => rule)],
  // What the row says of a rule of its own: `says:GEN-9=fail`.
  ['says', (row) => row.rules.map(([rule, verdict]) => `${rule}=${verdict}`)],
  ['operation', (row) => [row.resolved.operation]],
  ['status', (row) => row.statuses.flatMap((status) => [status, ...classOf(status)])],
  ['id', (row) => [row.id]],
  ['case', (row) => [row.resolved.case]],
  ['impact', (row) => [row.resolved.impact]],
  ['strength', (row) => row.judgements.map(({ strength }) => strength)],
  ['confidence', (row) => row.judgements.map(({ confidence }) => confidence)],
  ['file', (row) => [row.resolved.source.file]],
  ['situation', (row) => row.situations],
  ['divergence', (row) => row.divergences],
])

export const fieldNames: readonly string[] = [...fields.keys()]

/** Fields whose values are looked up as a whole; in the others a part is enough. */
const wholeFields = new Set(['verdict', 'says', 'status', 'impact', 'strength', 'confidence'])

const classOf = (status: string): string[] => (/^\d{3}$/.test(status) ? [`${status[0]}xx`] : [])

/** `-name:value`, `name:"two words"`, `"two words"`, `word`; a value may list several, separated by commas. */
const termPattern = /(-?)(?:(\w+):)?("[^"]*"?|\S*)/g

export interface RowFilter {
  matches(row: PageRow): boolean
  /** Verdicts that were asked for and that there are not: the usual slip of the pen. */
  mistakes: string[]
}

/** Reads a search text. Terms are combined by "and", values within one by "or"; `*` stands for any text. */
export function rowFilter(search: string): RowFilter {
  // A name whose value is still to be typed says nothing yet.
  const terms = [...search.matchAll(termPattern)].map(readTerm).filter(({ values }) => values.length > 0)
  const tests = terms.map(({ field, values, negated }) => {
    const patterns = values.map((value) => patternOf(value, wholeFields.has(field) ? 'whole' : 'part'))
    const valuesOf = fields.get(field)
    const found = (row: PageRow) =>
      valuesOf
        ? valuesOf(row).some((value) => patterns.some((pattern) => pattern(value.toLowerCase())))
        : patterns.some((pattern) => pattern(textOf(row)))
    return (row: PageRow) => found(row) !== negated
  })
  const unknown = terms.filter(({ field }) => field === 'verdict').flatMap(({ values }) => values)
  const mistakes = unknown.filter((value) => !value.includes('*') && !verdicts.some((verdict) => verdict === value))
  return { matches: (row) => tests.every((test) => test(row)), mistakes }
}

function readTerm([, minus, name, text = '']: RegExpMatchArray): Term {
  const value = text.replaceAll('"', '').toLowerCase()
  const field = name?.toLowerCase()
  if (field !== undefined && fields.has(field)) {
    return { field, values: value.split(',').filter((item) => item !== ''), negated: minus === '-' }
  }
  // Not one of ours: `http://...` is a text to look for like any other.
  const whole = name === undefined ? value : `${name.toLowerCase()}:${value}`
  return { field: 'text', values: whole === '' ? [] : [whole], negated: minus === '-' }
}

function patternOf(value: string, extent: Extent): (text: string) => boolean {
  if (!value.includes('*')) return extent === 'whole' ? (text) => text === value : (text) => text.includes(value)
  const escaped = value.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const pattern = new RegExp(extent === 'whole' ? `^${escaped}$` : escaped, 's')
  return (text) => pattern.test(text)
}

/** Makes ready what the first search would otherwise wait for. */
export function prepareSearch(rows: readonly PageRow[]): void {
  for (const row of rows) textOf(row)
}

const texts = new WeakMap<PageRow, string>()

/** All that a term without a name looks at, in small letters; made once per row. */
function textOf(row: PageRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const judged = row.judgements.flatMap(({ pointer = '', expected, actual }) => [pointer, expected, actual])
  const rules = row.rules.map(([rule]) => rule)
  const text = [row.id, row.resolved.title, row.resolved.operation, row.verdict, row.reason ?? '', ...rules, ...judged]
  const made = text.join('\n').toLowerCase()
  texts.set(row, made)
  return made
}
