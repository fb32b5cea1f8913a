/** Compares a record with the run that follows from its exchanges. */

import { groupBy } from '../../lib/group-by.js'
import { excerpt, type JsonValue } from '../../lib/json/json.js'
import { lacksLateCheck, tallyOf } from '../../record/judgements/tally.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { reasonText } from '../../reports/wording/reason-words.js'
import { count } from '../../reports/wording/words.js'
import type { DerivedRun } from '../../runner/derive/derive-run.js'
import { compareRow, compareValues, type Difference, isRedacted } from '../../runner/derive/differences.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'

/** `isSameTool`: another version of the program may derive other rules, plans and requests from the suite. */
export function compareRun(record: RunRecord, derived: DerivedRun, isSameTool: boolean): BundleFinding[] {
  const { header, rows, oracles, footer } = record
  const { vetting, transactions, unexamined } = footer ?? {}
  const differences = [
    ...compareValues('header', header, derived.header),
    ...derived.requests,
    ...comparedRows(rows, derived, record),
    ...compareValues('oracles.findings', oracles?.findings ?? [], derived.oracles?.findings ?? []),
    ...compareValues('footer', { vetting, transactions }, derived.footer),
    // Of another list, the record has a defect. Older records have none.
    ...(footer && unexamined === undefined
      ? compareValues('footer', { unexamined }, { unexamined: tallyOf(header, rows).unexamined })
      : []),
  ]
  const ofSuite = isSameTool ? new Set<Difference>() : new Set(followingTheSuite(differences))
  const places = count(ofSuite.size, 'place')
  return [
    ...named(differences.filter((one) => !ofSuite.has(one))),
    ...(ofSuite.size > 0
      ? [
          unproven(
            `another version of the program wrote the record; this version derives different content in ${places}`,
          ),
        ]
      : []),
    ...openRows(record, derived),
  ]
}

function comparedRows(rows: readonly RunRow[], derived: DerivedRun, record: RunRecord): Difference[] {
  const byId = new Map(derived.rows.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const wanted = byId.get(row.id)
    if (!wanted) return []
    return derived.hidden.has(row.id) || isRunsOwn(row, wanted, record)
      ? compareValues(`rows[${row.id}].resolved`, row.resolved, wanted.resolved)
      : compareRow(row, wanted)
  })
}

/** An outage, the end of the run or a fault of the program may determine the verdict. */
function isRunsOwn({ verdict, evidence }: RunRow, derived: RunRow, { footer }: RunRecord): boolean {
  if (verdict !== 'blocked' && verdict !== 'error') return false
  // Only the run knows why it did not send the row.
  if (evidence.length === 0 && derived.evidence.length > 0) return true
  if (derived.verdict === verdict) return false
  if (evidence.length === 0 || derived.verdict !== 'fail') return true
  const isUnanswered = evidence.some(({ problem, response }) => problem !== undefined || response?.status === 429)
  return verdict === 'blocked' && (isUnanswered || (footer?.outages ?? []).length > 0)
}

const suiteParts =
  /^(?:header\.(?:suite|text|profile|rules|plan)\b|exchanges|oracles\.reads|rows\[[^\]]*\]\.(?:resolved|byText|evidence)\b)/

/** Of a row with other steps, every difference. */
function followingTheSuite(differences: readonly Difference[]): Difference[] {
  const own = new Set(differences.filter(({ path }) => suiteParts.test(path)).map(({ path }) => partOf(path)))
  return differences.filter(({ path }) => suiteParts.test(path) || (path.startsWith('rows') && own.has(partOf(path))))
}

/** Such as `header.rules`, or `rows[ID]`. */
const partOf = (path: string): string => /^(?:\w+\[[^\]]*\]|\w+\.\w+|\w+)/.exec(path)?.[0] ?? path

/** Named parts with an id; the rest is counted. */
const mostRows = 50

/** One finding for each part of the record, with its first difference. */
export function named(differences: readonly Difference[]): BundleFinding[] {
  const parts = [...groupBy(differences, ({ path }) => partOf(path))]
  const rows = parts.filter(([part]) => part.includes('['))
  const left = new Set(rows.slice(mostRows).map(([part]) => part))
  const findings = parts.flatMap(([part, all]) => {
    const first = all.find(({ path }) => path.endsWith('.verdict')) ?? all[0]
    if (!first || left.has(part)) return []
    const others = all.filter((one) => one !== first)
    const more = others.length === 0 ? '' : `; ${part} has ${count(others.length, 'more difference')}`
    const what = `${first.path} is recorded as ${shown(first.recorded)}, but ${shown(first.derived)} follows from the suite and the exchanges${more}`
    return all.every(isRedacted) ? [unproven(what)] : [altered(what)]
  })
  return left.size === 0 ? findings : [...findings, altered(`${count(left.size, 'more part')} of the record differ`)]
}

const longestShown = 160

const shown = (value: unknown): string => (value === undefined ? 'nothing' : excerpt(value as JsonValue, longestShown)) // parts of a record are JSON

function openRows(record: RunRecord, { hidden, rows: derived }: DerivedRun): BundleFinding[] {
  const { rows } = record
  const byId = new Map(derived.map((row) => [row.id, row]))
  const number = (ids: readonly string[]): string => `${ids.length} of ${count(rows.length, 'verdict')}`
  const ids = (wanted: (row: RunRow, again: RunRow | undefined) => boolean): string[] =>
    rows.filter((row) => wanted(row, byId.get(row.id))).map(({ id }) => id)
  const unsent = ids((row, again) => row.evidence.length === 0 && isUnsupported(row, again, record))
  const own = ids((row, again) => row.evidence.length > 0 && again !== undefined && isRunsOwn(row, again, record))
  const unchecked = ids((row) => lacksLateCheck(row, record))
  const why = groupBy([...hidden], ([, because]) => reasonText({ code: 'not-judged-again', because }))
  const reasons = unsent.length === 1 ? 'row was not sent; its reason has' : 'rows were not sent; their reasons have'
  return [
    ...[...why].map(([text, found]) => {
      const named = found.map(([id]) => id)
      return unproven(`${number(named)} ${text}: ${idsInWords(named)}`)
    }),
    ...(unsent.length > 0
      ? [unproven(`${unsent.length} ${reasons} no evidence in the bundle: ${idsInWords(unsent)}`)]
      : []),
    ...(own.length > 0 ? [unproven(`${number(own)} do not follow from their evidence: ${idsInWords(own)}`)] : []),
    ...(unchecked.length > 0
      ? [unproven(`${number(unchecked)} lack the late-effects check of the ledger: ${idsInWords(unchecked)}`)]
      : []),
  ]
}

/** The signer chooses the number of presigned transactions, and states why the run did not send a row. */
const isUnsupported = (row: RunRow, derived: RunRow | undefined, record: RunRecord): boolean =>
  row.reason?.code === 'presigned-used' ||
  row.verdict === 'blocked' ||
  row.verdict === 'error' ||
  (derived !== undefined && isRunsOwn(row, derived, record))
