import type { RecordedRule, RunHeader } from './record.js'
import type { RuleVerdicts } from './rule-verdicts.js'
import type { Verdict } from './verdict.js'

/** Of a rule with one of these verdicts nobody has looked whether it is met. */
const silent: readonly Verdict[] = ['not-applicable', 'blocked', 'error']

/**
 * The obligations (*must*) of which no row says anything, in the order of the header: what a run without failures does not
 * prove. `found` has what each row says of its rules. A rule that is a fact is none where the text alone judges.
 */
export function unexaminedRules(
  { rules, profile }: Pick<RunHeader, 'rules' | 'profile'>,
  found: Iterable<RuleVerdicts>,
): RecordedRule[] {
  const examined = new Set<string>()
  for (const verdicts of found) {
    for (const [rule, verdict] of verdicts) if (!silent.includes(verdict)) examined.add(rule)
  }
  return rules.filter(
    ({ id, strength, factOf }) =>
      strength === 'must' && !examined.has(id) && !(factOf !== undefined && profile.basis === 'text'),
  )
}
