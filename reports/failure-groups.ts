import type { Judgement, RunHeader, RunRow } from '../record/record.js'
import { verdictMeaning } from '../record/verdict.js'
import { cut } from './hostile-text.js'
import { reasonOf } from './reason.js'
import { isFailure, lookedAt, ruleOf, unmetJudgements, unmetRules } from './rows.js'
import { withoutVolatile } from './volatile.js'

type Failed = Pick<RunRow, 'verdict' | 'reason' | 'judgements'>

/** Rows that fell short in the same way: same place, same expectation, same finding but for names and times. */
export interface Cause<R> {
  sentence: string
  /** The sentence in its parts, where it is about one judgement. */
  parts?: { place: string; expected: string; actual: string }
  rows: R[]
}

/** Failed rows of one rule; where no rule was judged, of one verdict. */
export interface FailureGroup<R> {
  title: string
  /** Strength and section of the rule, or what the verdict means. */
  tag: string
  statement: string
  rule?: string
  rows: R[]
  causes: Cause<R>[]
}

/** The rows that keep a run from conforming, by rule and cause; groups, and causes within one, with most rows first. */
export function failureGroups<R extends Failed>(rows: readonly R[], header: RunHeader): FailureGroup<R>[] {
  const groups = new Map<string, FailureGroup<R>>()
  for (const row of rows.filter(isFailure)) {
    const named = nameGroup(row, header)
    const group = groups.get(named.title) ?? { ...named, rows: [], causes: [] }
    groups.set(named.title, group)
    group.rows.push(row)
    const sentence = causeOf(row)
    const cause = group.causes.find((known) => known.sentence === sentence)
    if (cause) cause.rows.push(row)
    else group.causes.push({ sentence, ...partsOf(row), rows: [row] })
  }
  const bySize = (a: { rows: R[] }, b: { rows: R[] }) => b.rows.length - a.rows.length
  for (const group of groups.values()) group.causes.sort(bySize)
  return [...groups.values()].sort(bySize)
}

function nameGroup(row: Failed, header: RunHeader): Omit<FailureGroup<never>, 'rows' | 'causes'> {
  const [id] = unmetRules(row)
  if (row.verdict !== 'fail' || id === undefined) {
    return { title: row.verdict, tag: verdictMeaning[row.verdict], statement: '' }
  }
  const rule = ruleOf(header, id)
  if (!rule) return { title: id, tag: 'not in the record', statement: 'The record does not say this rule.', rule: id }
  return { title: id, tag: `${rule.strength}, section ${rule.section}`, statement: rule.statement, rule: id }
}

/**
 * Why a row did not pass, in one sentence that is the same for every row that fell short in the same way: `normalise` takes
 * out what differs all the same.
 */
export function causeOf(row: Failed, normalise: (text: string) => string = withoutVolatile): string {
  const [judgement] = unmetJudgements(row)
  const sentence = row.verdict === 'fail' && judgement ? difference(judgement) : reasonOf(row)
  return cut(normalise(sentence), 400)
}

function partsOf(row: Failed): Pick<Cause<never>, 'parts'> {
  const [judgement] = unmetJudgements(row)
  if (row.verdict !== 'fail' || !judgement) return {}
  const short = (text: string) => cut(withoutVolatile(text), 200)
  return { parts: { place: lookedAt(judgement), expected: short(judgement.expected), actual: short(judgement.actual) } }
}

const difference = (judgement: Judgement): string =>
  `${lookedAt(judgement)}: expected ${judgement.expected}, found ${judgement.actual}`
