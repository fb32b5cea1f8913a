import { groupBy } from '../../lib/group-by.js'
import { cachedBy } from '../../lib/made-once.js'
import type { RuleExamination } from '../../record/judgements/examination.js'
import { lacksLateCheck, type TallyResult, tallyOf } from '../../record/judgements/tally.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { nonConforming, type Verdict } from '../../record/types/verdict.js'
import { reasonText } from '../wording/reason-words.js'
import { isJudged } from '../wording/rows.js'
import { runEndText } from '../wording/run-text.js'
import { count } from '../wording/words.js'
import { missingEvidence, namedIn } from './evidence.js'
import { headline, isSelection, type Outcome } from './headline.js'

export interface Conclusion extends TallyResult {
  outcome: Outcome
  inWords: string
  problems: string[]
  /** Those of the problems that fail the run, although no single row shows them. */
  contradictions: string[]
  /** Sentences about what the result does not cover. */
  notes: string[]
}

/**
 * Uses the rows, never the footer alone. One failed row gives `not conforming`; problems or missing evidence give
 * `incomplete`.
 * @example
 * const { outcome, problems } = conclude(record)
 * outcome // 'incomplete', with one sentence in `problems` for each cause
 */
export const conclude: (record: RunRecord) => Conclusion = cachedBy(conclusionOf)

/** Without a late read of the ledger, a participant could hide late effects. */
function uncheckedRows(record: RunRecord): string[] {
  const { header, rows } = record
  const unchecked = rows.filter((row) => lacksLateCheck(row, record))
  if (unchecked.length === 0 || header.target.file?.unreachable.includes('updates')) return []
  return [
    `${count(unchecked.length, 'row has', 'rows have')} no late-effects check: the participant did not answer the read of the ledger after the row.`,
  ]
}

/** A blocked row makes the run incomplete: it is no evidence against the target. */
const failing: readonly Verdict[] = nonConforming.filter((verdict) => verdict !== 'blocked')

function conclusionOf(record: RunRecord): Conclusion {
  const { header, rows, footer } = record
  const result = tallyOf(header, rows)
  const { counts, rules } = result
  const end = runEndText(record)
  const waivers = header.lenientWaivers ? [] : waiverFindings(record)
  const general = (record.oracles?.findings ?? []).filter(
    ({ kind, rows: ids }) => kind !== 'stated' && ids.length === 0,
  )
  const contradictions = general
    .filter(({ kind }) => kind === 'contradicted')
    .map(({ reason }) => capitalized(reasonText(reason)))
  const problems = [
    ...(end === undefined ? [] : [end]),
    ...(footer?.left ?? []),
    ...record.defects,
    ...waivers,
    ...general.map(({ reason }) => capitalized(reasonText(reason))),
  ]
  const few = tooFew(header, rows)
  if (few !== undefined) problems.push(few)
  if (!footer && problems.length === 0) problems.push('The record has no footer.')
  const failed = failing.reduce((sum, verdict) => sum + counts[verdict], 0)
  // An unexpected pass concerns the waiver, not the target.
  const isWrong = failed > counts['unexpected-pass'] || contradictions.length > 0
  if (!isWrong && problems.length === 0) problems.push(...missingIn(record, result))
  const outcome: Outcome = isWrong
    ? 'not conforming'
    : problems.length > 0
      ? 'incomplete'
      : isSelection(header)
        ? 'selection passed'
        : 'conforming'
  return {
    ...result,
    outcome,
    conforming: outcome === 'conforming' || outcome === 'selection passed',
    inWords: headline(outcome, header, result, contradictions.length),
    problems,
    contradictions,
    notes: [
      ...(outcome === 'conforming' ? untestedInWords(rules) : []),
      ...(outcome === 'selection passed' ? ['The result proves nothing about the other rows.'] : []),
      ...restrictionsOf(header),
    ],
  }
}

function missingIn(record: RunRecord, { counts, rules }: TallyResult): string[] {
  const { header, rows } = record
  return [
    ...(rows.length === counts['not-applicable'] + counts.blocked ? [`No row was judged${causesIn(rows)}.`] : []),
    ...(counts.blocked > 0
      ? [`${count(counts.blocked, 'row is', 'rows are')} blocked: the evidence is incomplete.`]
      : []),
    ...uncheckedRows(record),
    ...(isSelection(header) ? [] : missingEvidence(record, rules)),
  ]
}

const capitalized = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`

function causesIn(rows: RunRecord['rows']): string {
  const reasons = rows.flatMap(({ reason }) => (reason ? [reasonText(reason)] : []))
  const groups = [...groupBy(reasons, (text) => text)].sort(([, a], [, b]) => b.length - a.length)
  const texts = groups.slice(0, 3).map(([text, all]) => `${count(all.length, 'row')}: ${text}`)
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`
}

export function tooFew({ minJudged = 0 }: RunHeader, rows: RunRecord['rows']): string | undefined {
  const judged = rows.filter(isJudged).length
  return judged < minJudged
    ? `${count(judged, 'row was', 'rows were')} judged, fewer than the required minimum of ${minJudged}.`
    : undefined
}

const untestedCauses: Readonly<Record<'outside' | 'open' | 'untestable', string>> = {
  outside: 'not applicable to this configuration',
  open: 'every response permitted by the profile',
  untestable: 'not observable in any response',
}

function untestedInWords(rules: readonly RuleExamination[]): string[] {
  return (['outside', 'open', 'untestable'] as const)
    .map((kind): [string, string[]] => [
      untestedCauses[kind],
      rules.flatMap(({ rule, state }) => (state === kind ? [rule.id] : [])),
    ])
    .filter(([, ids]) => ids.length > 0)
    .map(([cause, ids]) => `${count(ids.length, 'mandatory rule')} not tested (${namedIn(ids)}): ${cause}.`)
}

function restrictionsOf({ only, plan, suite, target: { file, connection } }: RunHeader): string[] {
  const of = suite.rows === undefined ? '' : `, ${plan.length} of the ${suite.rows} rows of the suite`
  const missing = file?.unreachable ?? []
  return [
    ...(only === undefined ? [] : [`The run was limited to ${JSON.stringify(only)}${of}.`]),
    ...(missing.length > 0 ? [`The settings exclude ${missing.join(', ')}: the run sent no such request.`] : []),
    ...(file?.given ? [`The settings state the values of ${file.given.join(', ')}.`] : []),
    ...(connection?.insecure
      ? ['The TLS certificate was not checked (insecure): another server may have answered.']
      : []),
  ]
}
