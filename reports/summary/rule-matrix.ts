import { groupBy } from '../../lib/group-by.js'
import { isUnmet, type RuleVerdicts } from '../../record/judgements/rule-verdicts.js'
import type { RecordedRule, RunHeader } from '../../record/types/record.js'
import { countVerdicts, nonConforming, type VerdictCounts, verdicts } from '../../record/types/verdict.js'
import { count } from '../wording/words.js'

export interface RuleLine extends RecordedRule {
  counts: VerdictCounts
  rows: number
}

export function ruleMatrix(header: RunHeader, found: readonly RuleVerdicts[]): RuleLine[] {
  const byRule = groupBy(found.flat(), ([rule]) => rule)
  return header.rules.map((rule) => {
    const verdicts = (byRule.get(rule.id) ?? []).map(([, verdict]) => verdict)
    return { ...rule, counts: countVerdicts(verdicts), rows: verdicts.length }
  })
}

const namedRules = 12

/** A warning leaves the rule unmet, too. */
export const isUnmetRule = ({ counts }: RuleLine): boolean =>
  verdicts.some((verdict) => isUnmet(verdict) && counts[verdict] > 0)

export const isUnjudgedRule = ({ rows, counts }: RuleLine): boolean =>
  rows === counts['not-applicable'] + counts.blocked + counts.error

/** `8 rules: 2 not met (SAW-4: 2 fail; GEN-7: 1 warning), 2 not judged.` */
export function ruleSentence(matrix: readonly RuleLine[]): string {
  const unmet = matrix.filter(isUnmetRule)
  const names = unmet.length === 0 ? '' : ` (${unmetRulesInWords(matrix)})`
  return `${count(matrix.length, 'rule')}: ${unmet.length} not met${names}, ${matrix.filter(isUnjudgedRule).length} not judged.`
}

/** Most failed rows first: `SAW-4: 2 fail; GEN-7: 1 warning`. */
export function unmetRulesInWords(matrix: readonly RuleLine[]): string {
  const failed = ({ counts }: RuleLine) => nonConforming.reduce((sum, verdict) => sum + counts[verdict], 0)
  const unmet = matrix.filter(isUnmetRule).toSorted((a, b) => failed(b) - failed(a))
  const texts = unmet.slice(0, namedRules).map(({ id, counts }) => `${id}: ${unmetCounts(counts)}`)
  return [...texts, ...(unmet.length > namedRules ? [`${unmet.length - namedRules} more`] : [])].join('; ')
}

const unmetCounts = (counts: VerdictCounts): string =>
  verdicts
    .filter((verdict) => isUnmet(verdict) && counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`)
    .join(', ')
