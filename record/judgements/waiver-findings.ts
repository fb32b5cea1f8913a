import { groupBy } from '../../lib/group-by.js'
import { wildcard } from '../../lib/wildcard.js'
import type { RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { RecordedWaiver } from '../types/recorded-options.js'
import type { Verdict } from '../types/verdict.js'
import { rulesOf } from './rule-verdicts.js'
import { aboutWhat, isExpired, type Waivers, waiversBehind, waiversOf } from './waivers.js'

export function waiverFindings({ header, rows }: RunRecord): string[] {
  const { plan } = header
  const waivers = waiversOf(header)
  const whole = header.suite.rows === undefined ? header.only === undefined : plan.length >= header.suite.rows
  const expired = groupBy(
    waivers.all.filter((one) => isExpired(one, waivers)),
    entryOf,
  )
  return waivers.all.flatMap((waiver) => {
    const subject = `The waiver of ${waiver.owner} for ${aboutWhat(waiver)}`
    if (isExpired(waiver, waivers)) {
      const [first, ...others] = expired.get(entryOf(waiver)) ?? []
      if (waiver !== first) return []
      const more = others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'row' : 'rows'}`
      return [`${subject}${more} expired after ${waiver.until}: fix the failure, or set a later date.`]
    }
    if (isUnmatched(waiver, header, whole)) return [`${subject} ${unmatched(waiver, header)}`]
    if (isUnnecessary(waiver, rows, waivers, whole))
      return [`${subject} is no longer needed, because nothing that it covers fails: remove it.`]
    return []
  })
}

/** An entry of the file with several rows is recorded as one waiver for each row. */
const entryOf = ({ row, ...same }: RecordedWaiver): string => JSON.stringify([row === undefined, same])

const unmatched = ({ divergence }: RecordedWaiver, { profile }: RunHeader): string =>
  divergence === undefined
    ? 'matches nothing in the suite: remove it, or correct its spelling.'
    : `matches no divergence of the profile ${profile.name}: remove it, correct its spelling, or name its profile.`

/** A part of the suite does not show which other rows exist. */
function isUnmatched(
  { row, rule, divergence }: RecordedWaiver,
  { rules, profile, plan }: RunHeader,
  whole: boolean,
): boolean {
  if (row !== undefined) return whole && !plan.some(wildcard(row))
  if (rule !== undefined) return !rules.map(({ id }) => id).some(wildcard(rule))
  return !profile.divergences.map(({ id }) => id).some(wildcard(divergence ?? ''))
}

const judged: readonly Verdict[] = ['pass', 'warning', 'follows-the-text', 'unexpected-pass']

/** Rows that did not run may need the waiver. */
function isUnnecessary(waiver: RecordedWaiver, rows: readonly RunRow[], waivers: Waivers, whole: boolean): boolean {
  const { row: pattern, rule, divergence } = waiver
  if (!whole && !(pattern !== undefined && !pattern.includes('*'))) return false
  const holding = waivers.all.filter((one) => !isExpired(one, waivers))
  const isUsed = rows.some(
    (row) => row.verdict === 'excused' && waiversBehind(withoutExcuse(row), holding).includes(waiver),
  )
  if (isUsed) return false
  const isCovered = wildcard(pattern ?? rule ?? divergence ?? '')
  return rows.some((row) => {
    if (!judged.includes(row.verdict)) return false
    if (pattern !== undefined) return isCovered(row.id)
    if (rule !== undefined) return rulesOf(row).some(([id]) => isCovered(id))
    return row.judgements.some((one) => one.divergence !== undefined && isCovered(one.divergence))
  })
}

/** A row without judgements was blocked. */
const withoutExcuse = (row: RunRow): RunRow => ({ ...row, verdict: row.judgements.length === 0 ? 'blocked' : 'fail' })
