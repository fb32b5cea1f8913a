/** What the suite is known to find, in words: a verdict is worth what would have been found. */
import type { RunHeader } from '../../record/types/record.js'
import { count } from '../wording/words.js'

type Proven = Pick<RunHeader, 'proof' | 'suite'>

/** Of the whole suite, as a sentence; undefined where it has no mutation report. */
export function mutationSentence({ proof, suite }: Proven): string | undefined {
  if (!proof) return undefined
  const rules = Object.values(proof.rules)
  const sum = (of: (rule: (typeof rules)[number]) => number): number =>
    rules.reduce((total, rule) => total + of(rule), 0)
  const [found, all] = [sum((rule) => rule.found), sum(({ deviations }) => deviations)]
  const since = proof.suite === suite.digest ? '' : ' Its cases were changed since that was proven.'
  return `Of ${count(all, 'participant')} that break one of ${count(rules.length, 'rule')} each, this suite finds ${found} by rows that claim the rule.${since}`
}

/** Of one rule, without a full stop; undefined where the suite has no mutation report. */
export function ruleMutationText(rule: string, { proof }: Pick<RunHeader, 'proof'>): string | undefined {
  if (!proof) return undefined
  const known = Object.hasOwn(proof.rules, rule) ? proof.rules[rule] : undefined
  if (!known || known.found === 0) return 'no participant that breaks it is known to be found'
  return `${known.found} of ${count(known.deviations, 'participant')} that break it are found`
}
