import { suggestion } from '../../../lib/suggest.js'
import { wildcard, wildcardIn } from '../../../lib/wildcard.js'
import { verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-row.js'
import { wantedText } from '../../wording/fact-text.js'
import { reasonOf } from '../../wording/reason.js'
import { foundText } from '../../wording/reason-words.js'
import { detailsIn, type LoadedRun } from './loaded-run.js'

/** Rows must (negated: must not) have one of the values. */
interface Term {
  field: string
  values: string[]
  negated: boolean
  /** The name of a term that is searched as text. */
  unknownField?: string
}

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
  ['reason', (row) => (row.reason ? [row.reason.code] : [])],
])

export const fieldNames: readonly string[] = [...fields.keys()]

const wholeFields = new Set(['verdict', 'says', 'status', 'impact', 'strength', 'confidence'])

const classOf = (status: string): string[] => (/^\d{3}$/.test(status) ? [`${status[0]}xx`] : [])

/** `-name:value`, `name:"two words"`, `name:a,b`, `"two words"`, `word` */
const termPattern = /(-?)(?:(\w+):)?("[^"]*"?|\S*)/g

export interface RowFilter {
  matches(row: PageRow): boolean
  /** Sentences about unknown names. */
  mistakes: string[]
}

/**
 * Rows must match all terms, by one value of each; `*` matches any text.
 * @example rowFilter('verdict:failed -impact:read').matches(row) // true for a failed row that changes the ledger
 */
export function rowFilter(search: string): RowFilter {
  // A name without a value is no term yet.
  const terms = [...search.matchAll(termPattern)].map(readTerm).filter(({ values }) => values.length > 0)
  const tests = terms.map(({ field, values, negated }) => {
    const patterns = values.map(wholeFields.has(field) ? wildcard : wildcardIn)
    const valuesOf = fields.get(field)
    const found = (row: PageRow) =>
      valuesOf
        ? valuesOf(row).some((value) => patterns.some((pattern) => pattern(value.toLowerCase())))
        : patterns.some((pattern) => pattern(textOf(row)))
    return (row: PageRow) => found(row) !== negated
  })
  return { matches: (row) => tests.every((test) => test(row)), mistakes: mistakesIn(terms) }
}

function mistakesIn(terms: readonly Term[]): string[] {
  const wanted = terms.flatMap(({ field, values }) => (field === 'verdict' ? values : []))
  const unknown = wanted.filter((value) => !value.includes('*') && !verdicts.some((verdict) => verdict === value))
  const fieldsOf = terms.flatMap(({ unknownField }) => unknownField ?? [])
  return [
    ...fieldsOf.map((name) => `Unknown field: ${name}, searched as text; ${suggestion(name, fieldNames) ?? ''}`),
    ...(unknown.length > 0 ? [`Unknown verdict: ${unknown.join(', ')}. Use one of ${verdicts.join(', ')}.`] : []),
  ]
}

function readTerm([, minus, name, text = '']: RegExpMatchArray): Term {
  const value = text.replaceAll('"', '').toLowerCase()
  const field = name?.toLowerCase()
  if (field !== undefined && fields.has(field)) {
    return { field, values: value.split(',').filter((item) => item !== ''), negated: minus === '-' }
  }
  // `http://host` and `alice::1220` are text.
  const isText = field === undefined || value === '' || /^(?:\/\/|:)/.test(value)
  const whole = field === undefined ? value : `${field}:${value}`
  const values = whole === '' ? [] : [whole]
  return { field: 'text', values, negated: minus === '-', ...(!isText && { unknownField: field }) }
}

/** The search with one value of a field set or unset, and whether it was set. */
export function withTerm(search: string, field: string, value: string): [isSet: boolean, next: string] {
  const term = `${field}:${/\s/.test(value) ? `"${value}"` : value}`
  const others = [...search.matchAll(termPattern)].map(([whole]) => whole).filter((one) => one !== '')
  if (others.includes(term)) return [true, others.filter((one) => one !== term).join(' ')]
  return [false, [...others.filter((one) => !one.startsWith(`${field}:`)), term].join(' ')]
}

const texts = new WeakMap<PageRow, string>()

/** A longer body is searched in its beginning. */
const longestBody = 4000

/** The page responds between them. */
const rowsAtOnce = 50

/** Adds requests and answers to the searched texts. Rejects for damaged details. */
export async function searchBodies(run: LoadedRun, details: readonly string[]): Promise<void> {
  for (const [index, row] of run.rows.entries()) {
    if (index % rowsAtOnce === 0) await new Promise((resume) => setTimeout(resume))
    const { evidence } = detailsIn(details, index)
    const parts = evidence.flatMap(({ request, response }) => [
      request.url,
      request.body?.text?.slice(0, longestBody) ?? '',
      response?.body.text?.slice(0, longestBody) ?? '',
    ])
    texts.set(row, `${ownText(row)}\n${parts.join('\n').toLowerCase()}`)
  }
}

function textOf(row: PageRow): string {
  const text = texts.get(row) ?? ownText(row)
  texts.set(row, text)
  return text
}

function ownText(row: PageRow): string {
  const judged = row.judgements.flatMap((one) => [one.pointer ?? '', one.check, wantedText(one), foundText(one)])
  const rules = row.rules.map(([rule]) => rule)
  const { title, operation } = row.resolved
  return [row.id, row.change, title, operation, row.verdict, reasonOf(row), ...rules, ...judged]
    .join('\n')
    .toLowerCase()
}
