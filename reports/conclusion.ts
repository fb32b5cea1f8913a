import type { RunHeader, RunRecord } from '../record/record.js'
import { Tally, type TallyResult } from '../record/tally.js'
import { nonConforming } from '../record/verdict.js'
import { count } from './words.js'

export interface Conclusion extends TallyResult {
  outcome: 'conforming' | 'not conforming' | 'incomplete'
  /** One sentence that says why. */
  sentence: string
  /** What stands against taking the record as whole or as a proof, beyond its rows; empty for a sound run. */
  problems: string[]
}

/**
 * What a record says as a whole, from its rows: the footer alone is never believed. One failed row is enough for `not
 * conforming`, however incomplete the record is; without one, a record with problems concludes nothing.
 */
export function conclude(record: RunRecord): Conclusion {
  const { header, rows, footer } = record
  const tally = new Tally()
  for (const row of rows) tally.add(row)
  const result = tally.result(header.planned)
  const ended = footer?.ended
  const problems = [...(ended ? [ended.sentence] : []), ...(footer?.left ?? []), ...record.defects]
  if (!footer && problems.length === 0) problems.push('There is no footer.')
  if (rows.length === result.counts['not-applicable']) problems.push('Not one row was judged, so nothing is proven.')
  const restriction = restrictionOf(header)
  // A row that the end of the run cut short says nothing against the target.
  const counting = ended ? nonConforming.filter((verdict) => verdict !== 'blocked') : nonConforming
  const failed = counting.reduce((sum, verdict) => sum + result.counts[verdict], 0)
  const base = { ...result, problems, conforming: false }
  if (failed > 0) {
    const split = counting.filter((verdict) => result.counts[verdict] > 0)
    const parts = split.map((verdict) => `${result.counts[verdict]} ${verdict}`).join(', ')
    const sentence = `${failed} of ${count(header.planned, 'planned row')} keep this run from conforming: ${parts}.${restriction}`
    return { ...base, outcome: 'not conforming', sentence }
  }
  if (ended) {
    const judged = rows.length - result.counts.blocked - result.counts['not-applicable']
    const sentence = `${ended.sentence} ${judged} of ${count(header.planned, 'planned row')} were judged, and none of them failed: it proves nothing of the others.`
    return { ...base, outcome: 'incomplete', sentence }
  }
  if (problems.length > 0 || !result.conforming) {
    return {
      ...base,
      outcome: 'incomplete',
      sentence: 'No row failed, but the record is not whole: it proves nothing.',
    }
  }
  const all = header.planned === 1 ? 'The one planned row is' : `All ${header.planned} planned rows are`
  const unjudged = result.counts['not-applicable']
  const left = unjudged === 0 ? '' : `, ${unjudged} of them as not applicable here`
  const sentence = `${all} accounted for${left}, and none stands against it.${restriction}`
  return { ...base, conforming: true, outcome: 'conforming', sentence }
}

/** A run of chosen rows, or without some operation, proves nothing of the others, which its reader must not overlook. */
function restrictionOf({ only, planned, suite, target: { file, connection } }: RunHeader): string {
  const of = suite.rows === undefined ? '' : `, ${planned} of the ${suite.rows} rows of the suite`
  const chosen = only === undefined ? '' : ` Only what matches ${JSON.stringify(only)} was run${of}.`
  const missing = file?.unreachable.join(', ') ?? ''
  const without = missing === '' ? '' : ` It was done without ${missing}, as its settings say.`
  const insecure = connection?.insecure
    ? ' No certificate was looked at (insecure): whoever answered need not have been the target.'
    : ''
  return `${chosen}${without}${insecure}`
}
