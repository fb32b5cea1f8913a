import type { RuleExamination } from '../../record/judgements/examination.js'
import { type TallyResult, tallyOf } from '../../record/judgements/tally.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import { lacksLateCheck } from '../../record/late-check.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { nonConforming, type Verdict } from '../../record/types/verdict.js'
import { isJudged } from '../wording/rows.js'
import { count } from '../wording/words.js'
import { missingEvidence, namedIn } from './evidence.js'
import { headline, isSelection, type Outcome, rowTotals } from './headline.js'

export interface Conclusion extends TallyResult {
  outcome: Outcome
  /** The first line of every report: `PASS: 1988 of 2192 rows passed; 1988 judged, 200 not applicable, 4 blocked`. */
  inWords: string
  /** Why, in sentences. */
  sentence: string
  /** What stands against taking the record as whole or as a proof, beyond its rows; empty for a sound run. */
  problems: string[]
  /** What would complete the evidence for the scope of the run; empty for a selection, which proves no scope. */
  lacking: string[]
}

/**
 * What a record says as a whole, from its rows: the footer alone is never believed. One failed row is enough for `not
 * conforming`, however incomplete the record is. Without one, a record with problems or without evidence is incomplete.
 */
export function conclude(record: RunRecord): Conclusion {
  const found = known.get(record) ?? conclusionOf(record)
  known.set(record, found)
  return found
}

/** Of records that somebody still has: every report asks. */
const known = new WeakMap<RunRecord, Conclusion>()

/** A participant that answers no late read of the ledger would hide late effects. Settings may do without these reads. */
function uncheckedRows({ header, rows }: RunRecord): string[] {
  const unchecked = rows.filter(lacksLateCheck)
  if (unchecked.length === 0 || header.target.file?.unreachable.includes('updates')) return []
  return [
    `${count(unchecked.length, 'row')} without the late-effects check: the participant did not answer the read of the ledger after the row.`,
  ]
}

/** A row that was not judged says nothing against the target: it keeps the run from a conclusion. */
const failing: readonly Verdict[] = nonConforming.filter((verdict) => verdict !== 'blocked')

function conclusionOf(record: RunRecord): Conclusion {
  const { header, rows, footer } = record
  const result = tallyOf(header, rows).result()
  const { counts, rules } = result
  const ended = footer?.ended
  const waivers = header.lenientWaivers ? [] : waiverFindings(record)
  const problems = [...(ended ? [ended.sentence] : []), ...(footer?.left ?? []), ...record.defects, ...waivers]
  const few = tooFew(header, rows)
  if (few !== undefined) problems.push(few)
  if (!footer && problems.length === 0) problems.push('There is no footer.')
  const isPart = isSelection(header)
  const lacking = isPart ? [] : missingEvidence(record, rules)
  const failed = failing.reduce((sum, verdict) => sum + counts[verdict], 0)
  // One cause explains why nothing was judged better than all that follows from it.
  const unproven =
    rows.length === counts['not-applicable'] + counts.blocked ? [`No row was judged${causesIn(rows)}.`] : []
  const concluded = (outcome: Outcome, sentence: string): Conclusion => {
    const isWell = outcome === 'conforming' || outcome === 'selection passed'
    const inWords = headline(outcome, header, result)
    return { ...result, lacking, problems, conforming: isWell, outcome, inWords, sentence }
  }
  // That a row passes in spite of a waiver stands against the waiver alone.
  if (failed > counts['unexpected-pass']) {
    const parts = failing.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`)
    const sentence = `Not conforming: ${failed} of ${count(header.planned, 'row')} failed (${parts.join(', ')}).${restrictionOf(header)}`
    return concluded('not conforming', sentence)
  }
  if (ended) {
    const { judged } = rowTotals(header.planned, counts)
    const sentence = `${ended.sentence} ${judged} of ${count(header.planned, 'planned row')} were judged, and none of them failed: it proves nothing of the others.`
    return concluded('incomplete', sentence)
  }
  if (few !== undefined && problems.length === 1) return concluded('incomplete', few)
  if (waivers.length > 0 && waivers.length === problems.length)
    return concluded('incomplete', 'No row failed, but the waivers of the run have to be put right.')
  if (problems.length > 0)
    return concluded('incomplete', 'No row failed, but the record is not whole: it proves nothing.')
  const unchecked = uncheckedRows(record)
  const blocked = counts.blocked > 0 ? [`${count(counts.blocked, 'row')} blocked.`] : []
  problems.push(...unproven, ...blocked, ...unchecked, ...lacking)
  if (problems.length > 0)
    return concluded(
      'incomplete',
      `No row failed, but the evidence is incomplete: ${count(problems.length, 'point')} above would complete it.${restrictionOf(header)}`,
    )
  const excused = notesOn(header, result)
  const scope = header.selection?.operations ? ` in the scope ${header.selection.operations.join(', ')}` : ''
  if (isPart)
    return concluded(
      'selection passed',
      `No selected row failed${excused}. It proves nothing of the other rows.${restrictionOf(header)}`,
    )
  return concluded(
    'conforming',
    `Conforming${scope}: every operation accepted requests, and no row failed${excused}.${unexaminedInWords(rules)}${restrictionOf(header)}`,
  )
}

/** The most frequent causes for which rows were not judged, three at most. */
function causesIn(rows: RunRecord['rows']): string {
  const numbers = new Map<string, number>()
  for (const { reason } of rows) if (reason !== undefined) numbers.set(reason, (numbers.get(reason) ?? 0) + 1)
  const causes = [...numbers].sort(([, a], [, b]) => b - a).slice(0, 3)
  return causes.map(([reason, number]) => `; ${count(number, 'row')}: ${reason}`).join('')
}

/** That fewer rows were judged than had to be, as a sentence. */
export function tooFew({ minJudged = 0 }: RunHeader, rows: RunRecord['rows']): string | undefined {
  const judged = rows.filter(isJudged).length
  return judged < minJudged
    ? `${count(judged, 'row')} ${judged === 1 ? 'was' : 'were'} judged, and at least ${minJudged} had to be.`
    : undefined
}

/** Rows that count as passed for another reason than that everything expected was met. */
function notesOn({ profile }: RunHeader, { counts }: TallyResult): string {
  const notes: [number, string][] = [
    [counts.excused, 'excused by waivers'],
    [counts['follows-the-text'], `doing what the text says where ${profile.name} does not`],
  ]
  return notes.flatMap(([rows, how]) => (rows > 0 ? [`, ${count(rows, 'row')} ${how}`] : [])).join('')
}

const notExamined: Readonly<Record<'outside' | 'open' | 'untestable', string>> = {
  outside: 'outside the configuration',
  open: 'left open by the profile',
  untestable: 'that no answer shows',
}

/** The mandatory rules that were not examined, by the kind of cause. */
function unexaminedInWords(rules: readonly RuleExamination[]): string {
  return (['outside', 'open', 'untestable'] as const)
    .map((kind): [string, string[]] => [
      notExamined[kind],
      rules.flatMap(({ rule, state }) => (state === kind ? [rule.id] : [])),
    ])
    .filter(([, ids]) => ids.length > 0)
    .map(([how, ids]) => ` ${count(ids.length, 'mandatory rule')} ${how}: ${namedIn(ids)}.`)
    .join('')
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
