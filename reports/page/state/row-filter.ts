/** Searches of the rows. */
import { verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'

/** A value matches the whole field, or a part of it. */
type Extent = 'whole' | 'part'

/** Rows must (negated: must not) have one of the values in the field. */
interface Term {
  field: string
  values: string[]
  negated: boolean
}

/** The searchable fields by name. */
const fields: ReadonlyMap<string, (row: PageRow) => string[]> = new Map<string, (row: PageRow) => string[]>([
  ['verdict', (row) => [row.verdict]],
  ['rule', (row) => row.rules.map(([rule]) => rule)],
  // The verdict of one rule: `says:GEN-9=fail`.
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

/** Fields whose whole value must match. */
const wholeFields = new Set(['verdict', 'says', 'status', 'impact', 'strength', 'confidence'])

const classOf = (status: string): string[] => (/^\d{3}$/.test(status) ? [`${status[0]}xx`] : [])

/** `-name:value`, `name:"two words"`, `name:a,b`, `"two words"`, `word` */
const termPattern = /(-?)(?:(\w+):)?("[^"]*"?|\S*)/g

export interface RowFilter {
  matches(row: PageRow): boolean
  /** Unknown verdicts in the search. */
  mistakes: string[]
}

/** Rows must match all terms, and one value of each term; `*` matches any text. */
export function rowFilter(search: string): RowFilter {
  // A name without a value is not a term yet.
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
  // An unknown name is text: `http://...`.
  const whole = name === undefined ? value : `${name.toLowerCase()}:${value}`
  return { field: 'text', values: whole === '' ? [] : [whole], negated: minus === '-' }
}

function patternOf(value: string, extent: Extent): (text: string) => boolean {
  if (!value.includes('*')) return extent === 'whole' ? (text) => text === value : (text) => text.includes(value)
  const escaped = value.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const pattern = new RegExp(extent === 'whole' ? `^${escaped}$` : escaped, 's')
  return (text) => pattern.test(text)
}

/** Computes the texts of all rows before the first search. */
export function prepareSearch(rows: readonly PageRow[]): void {
  for (const row of rows) textOf(row)
}

const texts = new WeakMap<PageRow, string>()

/** The text that a term without a field matches, in lower case. */
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
