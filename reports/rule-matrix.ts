import type { RecordedRule, RunHeader, RunRow } from '../record/record.js'
import { countVerdicts, type Verdict, type VerdictCounts } from '../record/verdict.js'

/** What a row says of each rule that it judges. */
export type RuleVerdicts = [rule: string, verdict: Verdict][]

/** One rule with the verdicts of the rows that judge it. */
export interface RuleLine extends RecordedRule {
  counts: VerdictCounts
  rows: number
}

/** Every rule that the run knew, with what became of it; `found` has the rules of each row. */
export function ruleMatrix(header: Pick<RunHeader, 'rules'>, found: readonly RuleVerdicts[]): RuleLine[] {
  const byRule = new Map<string, Verdict[]>()
  for (const [rule, verdict] of found.flat()) {
    const known = byRule.get(rule)
    if (known) known.push(verdict)
    else byRule.set(rule, [verdict])
  }
  return header.rules.map((rule) => {
    const verdicts = byRule.get(rule.id) ?? []
    return { ...rule, counts: countVerdicts(verdicts), rows: verdicts.length }
  })
}

/** Verdicts that unmet judgements bring about, and that say nothing against the rules which were met. */
const judgedVerdicts: readonly Verdict[] = ['fail', 'warning', 'excused']

/**
 * The rules that a row judges, those that come with every answer included. A row that did not meet one of its rules counts
 * with its verdict for that rule (but no more than as a warning where it is only a recommendation), and as pass for those
 * that it met.
 */
export function rulesOf({ verdict, rules, judgements }: RunRow): RuleVerdicts {
  const unmet = judgements.filter(({ met }) => !met)
  const all = new Set([...rules, ...judgements.flatMap((judgement) => judgement.rules)])
  const verdictOf = (rule: string): Verdict => {
    if (!judgedVerdicts.includes(verdict) || unmet.length === 0) return verdict
    const strengths = unmet.filter((judgement) => judgement.rules.includes(rule)).map(({ strength }) => strength)
    if (strengths.length === 0) return 'pass'
    return verdict === 'fail' && !strengths.includes('must') ? 'warning' : verdict
  }
  return [...all].map((rule) => [rule, verdictOf(rule)])
}
