import { verdicts } from '../record/verdict.js'
import type { PageRow } from './page-data.js'

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
  ['operation', (row) => [row.operation]],
  ['status', (row) => row.statuses.flatMap((status) => [status, ...classOf(status)])],
  ['id', (row) => [row.id]],
  ['case', (row) => [row.case]],
  ['impact', (row) => [row.impact]],
  ['strength', (row) => row.judgements.map(({ strength }) => strength)],
  ['file', (row) => [row.source.file]],
  ['condition', (row) => row.conditions],
  ['divergence', (row) => row.divergences],
])

export const fieldNames: readonly string[] = [...fields.keys()]

/** Fields whose values are looked up as a whole; in the others a part is enough. */
const wholeFields = new Set(['verdict', 'status', 'impact', 'strength'])

const classOf = (status: string): string[] => (/^\d{3}$/.test(status) ? [`${status[0]}xx`] : [])

/** `-name:value`, `name:"two words"`, `"two words"`, `word`; a value may list several, separated by commas. */
const termForm = /(-?)(?:(\w+):)?("[^"]*"?|\S*)/g

export interface RowFilter {
  matches(row: PageRow): boolean
  /** Verdicts that were asked for and that there are not: the usual slip of the pen. */
  mistakes: string[]
}

/** Reads a search text. Terms are combined by "and", values within one by "or"; `*` stands for any text. */
export function rowFilter(search: string): RowFilter {
  // A name whose value is still to be typed says nothing yet.
  const terms = [...search.matchAll(termForm)].map(readTerm).filter(({ values }) => values.length > 0)
  const tests = terms.map(({ field, values, negated }) => {
    const forms = values.map((value) => formOf(value, wholeFields.has(field) ? 'whole' : 'part'))
    const valuesOf = fields.get(field)
    const found = (row: PageRow) =>
      valuesOf
        ? valuesOf(row).some((value) => forms.some((form) => form(value.toLowerCase())))
        : forms.some((form) => form(textOf(row)))
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

function formOf(value: string, extent: Extent): (text: string) => boolean {
  if (!value.includes('*')) return extent === 'whole' ? (text) => text === value : (text) => text.includes(value)
  const escaped = value.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  const form = new RegExp(extent === 'whole' ? `^${escaped}$` : escaped, 's')
  return (text) => form.test(text)
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
  const text = [row.id, row.title, row.operation, row.verdict, row.reason ?? '', ...rules, ...judged]
  const made = text.join('\n').toLowerCase()
  texts.set(row, made)
  return made
}
