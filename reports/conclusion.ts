import type { RunHeader, RunRecord } from '../record/record.js'
import { type TallyResult, tallyOf } from '../record/tally.js'
import { nonConforming } from '../record/verdict.js'
import { waiverFindings } from '../record/waiver-findings.js'
import { isJudged } from './rows.js'
import { count } from './words.js'

export interface Conclusion extends TallyResult {
  /** `selection passed`: nothing failed, and not the whole suite was run. */
  outcome: 'conforming' | 'selection passed' | 'not conforming' | 'incomplete'
  /** The outcome as every report shows it, with what keeps it from saying everything: `conforming, 5 must-rules not examined`. */
  inWords: string
  /** One sentence that says why. */
  sentence: string
  /** What stands against taking the record as whole or as a proof, beyond its rows; empty for a sound run. */
  problems: string[]
}

/** Rules that were not examined that the sentence names. */
const named = 12

/**
 * What a record says as a whole, from its rows: the footer alone is never believed. One failed row is enough for `not
 * conforming`, however incomplete the record is; without one, a record with problems concludes nothing.
 */
export function conclude(record: RunRecord): Conclusion {
  const found = known.get(record) ?? conclusionOf(record)
  known.set(record, found)
  return found
}

/** Of records that somebody still has: every report asks. */
const known = new WeakMap<RunRecord, Conclusion>()

function conclusionOf(record: RunRecord): Conclusion {
  const { header, rows, footer } = record
  const result = tallyOf(header, rows).result()
  const ended = footer?.ended
  const waivers = header.lenientWaivers ? [] : waiverFindings(record)
  const problems = [...(ended ? [ended.sentence] : []), ...(footer?.left ?? []), ...record.defects, ...waivers]
  const few = tooFew(header, rows)
  if (few !== undefined) problems.push(few)
  if (!footer && problems.length === 0) problems.push('There is no footer.')
  if (rows.length === result.counts['not-applicable']) problems.push('Not one row was judged, so nothing is proven.')
  // A row that the end of the run cut short says nothing against the target.
  const counting = ended ? nonConforming.filter((verdict) => verdict !== 'blocked') : nonConforming
  const failed = counting.reduce((sum, verdict) => sum + result.counts[verdict], 0)
  const concluded = (outcome: Conclusion['outcome'], sentence: string, inWords: string = outcome): Conclusion => {
    const isWell = outcome === 'conforming' || outcome === 'selection passed'
    return { ...result, problems, conforming: isWell, outcome, inWords, sentence }
  }
  // That a row passes in spite of a waiver stands against the waiver alone.
  if (failed > result.counts['unexpected-pass']) {
    const split = counting.filter((verdict) => result.counts[verdict] > 0)
    const parts = split.map((verdict) => `${result.counts[verdict]} ${verdict}`).join(', ')
    const sentence = `${failed} of ${count(header.planned, 'planned row')} keep this run from conforming: ${parts}.${restrictionOf(header)}`
    return concluded('not conforming', sentence)
  }
  if (ended) {
    const judged = rows.length - result.counts.blocked - result.counts['not-applicable']
    const sentence = `${ended.sentence} ${judged} of ${count(header.planned, 'planned row')} were judged, and none of them failed: it proves nothing of the others.`
    return concluded('incomplete', sentence)
  }
  if (few !== undefined && problems.length === 1) return concluded('incomplete', few)
  if (waivers.length > 0 && waivers.length === problems.length)
    return concluded('incomplete', 'No row failed, but the waivers of the run have to be put right.')
  if (problems.length > 0 || !result.conforming)
    return concluded('incomplete', 'No row failed, but the record is not whole: it proves nothing.')
  const told = `${accountOf(header, result)}${restrictionOf(header)}`
  const { excused } = result.counts
  const silent = `${excused > 0 ? `${count(excused, 'row')} excused, ` : ''}${silenceInWords(result.unexamined)}`
  if (isSelection(header)) {
    const of = header.suite.rows === undefined ? '' : ` of ${header.suite.rows}`
    return concluded('selection passed', told, `selection passed, ${header.planned}${of} rows, ${silent}`)
  }
  return concluded('conforming', `${told}${unexaminedInWords(result.unexamined, header)}`, `conforming, ${silent}`)
}

/** That fewer rows were judged than had to be, as a sentence. */
export function tooFew({ minJudged = 0 }: RunHeader, rows: RunRecord['rows']): string | undefined {
  const judged = rows.filter(isJudged).length
  return judged < minJudged
    ? `${count(judged, 'row')} ${judged === 1 ? 'was' : 'were'} judged, and at least ${minJudged} had to be.`
    : undefined
}

/** What became of the rows, where none failed. */
function accountOf({ planned, profile }: RunHeader, { counts }: TallyResult): string {
  const all = planned === 1 ? 'The one planned row is' : `All ${planned} planned rows are`
  const notes: [number, string][] = [
    [counts['not-applicable'], 'of them as not applicable here'],
    [counts.excused, 'excused by waivers'],
    [counts['follows-the-text'], `doing what the text says where ${profile.name} does not`],
  ]
  const left = notes.flatMap(([rows, how]) => (rows > 0 ? [`, ${rows} ${how}`] : [])).join('')
  return `${all} accounted for${left}, and none stands against it.`
}

/** Whether only a part of the suite was run, however it was chosen. */
function isSelection({ only, planned, suite: { rows = planned } }: RunHeader): boolean {
  return only !== undefined || planned < rows
}

const silenceInWords = (unexamined: readonly string[]): string =>
  unexamined.length === 0 ? 'every must-rule examined' : `${count(unexamined.length, 'must-rule')} not examined`

/** Which obligations nobody has looked at, and of how many nobody could. */
function unexaminedInWords(unexamined: readonly string[], { rules }: RunHeader): string {
  if (unexamined.length === 0) return ''
  const more = unexamined.length - named
  const told = [...unexamined.slice(0, named), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const hidden = rules.filter(({ id, untestable }) => untestable !== undefined && unexamined.includes(id)).length
  return ` Not examined: ${told}${hidden === 0 ? '' : `; ${hidden} of them cannot be seen from outside`}.`
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
