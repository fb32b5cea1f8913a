import type { Judgement, RunRow } from '../record/record.js'
import { expectationsOf } from '../record/references.js'
import type { ResolvedRow } from '../record/resolved-row.js'
import { unmetVerdict } from '../record/unmet-verdict.js'
import type { Verdict } from '../record/verdict.js'

/** What a row says of each rule that it judges. */
export type RuleVerdicts = [rule: string, verdict: Verdict][]

/** Of a row with one of these verdicts nothing was judged, or nothing that counts. */
const unjudged: readonly Verdict[] = ['error', 'blocked', 'not-applicable']

/**
 * What the row says of its rules, each by the judgements of its own expectations: an unmet one fails the rules that it
 * judges and no others. Rules whose step was not sent are not there. A row in which nothing was judged has its own verdict
 * for every rule that it would have judged.
 */
export function rulesOf(row: RunRow): RuleVerdicts {
  const { verdict, resolved } = row
  if (unjudged.includes(verdict)) return plannedRules(resolved).map((rule) => [rule, verdict])
  const counting = countingJudgements(row)
  const rules = [...new Set(counting.flatMap((judgement) => judgement.rules))]
  const unmet = counting.filter(({ met }) => !met)
  // Where nothing explains the row's verdict, no rule of it can be called met.
  if (unmet.length === 0) return rules.map((rule) => [rule, verdict])
  return rules.map((rule) => [
    rule,
    worstOf(
      unmet.filter((judgement) => judgement.rules.includes(rule)),
      verdict,
    ),
  ])
}

/** The rules that the row did not meet, those that fail before those that only warn. */
export function unmetRules(row: RunRow): string[] {
  const found = unjudged.includes(row.verdict) ? [] : rulesOf(row)
  const having = (...wanted: Verdict[]) => found.flatMap(([rule, verdict]) => (wanted.includes(verdict) ? [rule] : []))
  return [...having('fail', 'excused'), ...having('warning')]
}

/** By the strongest of the judgements; what a waiver covers has failed, and is excused. */
function worstOf(unmet: Judgement[], row: Verdict): Verdict {
  const found = unmet.map(unmetVerdict)
  if (found.includes('fail')) return row === 'excused' ? 'excused' : 'fail'
  if (found.includes('warning')) return 'warning'
  return found.length > 0 ? 'not-applicable' : 'pass'
}

/** Rules of what is expected of the row in particular; those that come with every answer say nothing without one. */
function plannedRules({ steps }: ResolvedRow): string[] {
  const own = steps
    .filter(({ role }) => role !== 'arrange' && role !== 'restore')
    .flatMap(expectationsOf)
    .filter(({ kind }) => kind !== 'server-error' && kind !== 'shape')
  return [...new Set(own.flatMap(({ rules }) => rules))]
}

/**
 * What restores judges nothing, and a step beside the one under test that was not answered as it should be says nothing of
 * its rules - unless nothing else explains the verdict: then it does.
 */
function countingJudgements({ judgements, resolved }: RunRow): Judgement[] {
  const asked = judgements.filter(({ role }) => role !== 'restore')
  const blind = new Set(asked.filter((judgement) => isBlind(judgement, resolved)).map(({ step }) => step))
  const seeing = asked.filter(({ step }) => !blind.has(step))
  return seeing.some(({ met }) => !met) ? seeing : asked
}

function isBlind({ step, role, expectation, met }: Judgement, { steps }: ResolvedRow): boolean {
  if (met || role === 'act') return false
  const found = steps[step]
  return expectation === undefined || (found && expectationsOf(found)[expectation]?.kind === 'outcome') === true
}
