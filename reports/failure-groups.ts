import type { Judgement, RunHeader, RunRow } from '../record/record.js'
import type { RuleVerdicts } from '../record/rule-verdicts.js'
import { unmetVerdict } from '../record/unmet-verdict.js'
import { verdictMeaning } from '../record/verdict.js'
import { cut } from './hostile-text.js'
import { ruleTag } from './obligation.js'
import { reasonOf } from './reason.js'
import { isFailure, lookedAt, ruleOf, unmetJudgements } from './rows.js'
import { withoutVolatile } from './volatile.js'

type Failed = Pick<RunRow, 'verdict' | 'reason' | 'judgements'>

/** Rows that fell short in the same way: same subject, same expectation, same finding but for names and times. */
export interface Cause<R> {
  sentence: string
  /** The sentence in its parts, where it is about one judgement. */
  parts?: { subject: string; expected: string; actual: string }
  rows: R[]
}

/** Rows that fail one rule; where no rule was judged, rows of one verdict. */
export interface FailureGroup<R> {
  title: string
  /** Strength and section of the rule, or what the verdict means. */
  tag: string
  statement: string
  /** Where the text says the rule. */
  passages: string[]
  rule?: string
  rows: R[]
  causes: Cause<R>[]
}

/**
 * The rows that keep a run from conforming, by rule and cause; groups, and causes within one, with most rows first. A row
 * that fails several rules is in the group of each, there with what it did not meet of that rule.
 */
export function failureGroups<R extends Failed>(
  rows: readonly R[],
  header: RunHeader,
  rulesOf: (row: R) => RuleVerdicts,
): FailureGroup<R>[] {
  const groups = new Map<string, FailureGroup<R>>()
  for (const row of rows.filter(isFailure)) {
    const failed = row.verdict === 'fail' ? rulesOf(row).filter(([, verdict]) => verdict === 'fail') : []
    for (const rule of failed.length > 0 ? failed.map(([id]) => id) : [undefined]) {
      const named = rule === undefined ? groupOfVerdict(row) : groupOfRule(rule, header)
      const group = groups.get(named.title) ?? { ...named, rows: [], causes: [] }
      groups.set(named.title, group)
      group.rows.push(row)
      addCause(group, row, judgementOf(row, rule))
    }
  }
  const bySize = (a: { rows: R[] }, b: { rows: R[] }) => b.rows.length - a.rows.length
  for (const group of groups.values()) group.causes.sort(bySize)
  return [...groups.values()].sort(bySize)
}

function addCause<R extends Failed>(group: FailureGroup<R>, row: R, judgement: Judgement | undefined): void {
  const sentence = cut(withoutVolatile(judgement ? difference(judgement) : reasonOf(row)), 400)
  const cause = group.causes.find((known) => known.sentence === sentence)
  if (cause) cause.rows.push(row)
  else group.causes.push({ sentence, ...(judgement && { parts: partsOf(judgement) }), rows: [row] })
}

/** The judgement by which the row failed: the rule's own, or that which weighs most. */
function judgementOf(row: Failed, rule?: string): Judgement | undefined {
  if (row.verdict !== 'fail') return undefined
  const unmet = unmetJudgements(row)
  if (rule === undefined) return unmet[0]
  return unmet.find((judgement) => judgement.rules.includes(rule) && unmetVerdict(judgement) === 'fail')
}

type Named = Omit<FailureGroup<never>, 'rows' | 'causes'>

const groupOfVerdict = ({ verdict }: Failed): Named => ({
  title: verdict,
  tag: verdictMeaning[verdict],
  statement: '',
  passages: [],
})

function groupOfRule(id: string, header: RunHeader): Named {
  const rule = ruleOf(header, id)
  const unknown = { tag: 'not in the record', statement: 'The record does not say this rule.' }
  if (!rule) return { title: id, ...unknown, passages: [], rule: id }
  return { title: id, tag: ruleTag(rule), statement: rule.statement, passages: rule.passages ?? [], rule: id }
}

/**
 * Why a row did not pass, in one sentence that is the same for every row that fell short in the same way: `normalise` takes
 * out what differs all the same.
 */
export function causeOf(row: Failed, normalise: (text: string) => string = withoutVolatile): string {
  const judgement = judgementOf(row)
  return cut(normalise(judgement ? difference(judgement) : reasonOf(row)), 400)
}

function partsOf(judgement: Judgement): Cause<never>['parts'] & object {
  const short = (text: string) => cut(withoutVolatile(text), 200)
  return {
    subject: lookedAt(judgement),
    expected: short(judgement.expected),
    actual: short(judgement.actual),
  }
}

const difference = (judgement: Judgement): string =>
  `${lookedAt(judgement)}: expected ${judgement.expected}, found ${judgement.actual}`
