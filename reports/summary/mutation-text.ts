import type { RecordedProof, RunHeader } from '../../record/types/record.js'
import { count } from '../wording/words.js'

interface Proven {
  proof?: RecordedProof
  suite: RunHeader['suite']
}

/** Undefined without a mutation report. */
export function mutationSentence({ proof, suite }: Proven): string | undefined {
  if (!proof) return undefined
  const rules = Object.values(proof.rules)
  const sum = (of: (rule: (typeof rules)[number]) => number): number =>
    rules.reduce((total, rule) => total + of(rule), 0)
  const [found, all] = [sum((rule) => rule.found), sum((rule) => rule.deviations)]
  const since = proof.suite === suite.digest ? '' : ' The suite has changed since this measurement.'
  return `Mutation test of the suite: it detects ${found} of ${count(all, 'seeded fault')} in ${count(rules.length, 'rule')}.${since}`
}

export function ruleMutationText(rule: string, { proof }: { proof?: RecordedProof }): string | undefined {
  if (!proof) return undefined
  const known = Object.hasOwn(proof.rules, rule) ? proof.rules[rule] : undefined
  if (!known || known.found === 0) return 'no seeded fault of this rule is detected'
  return `${known.found} of ${count(known.deviations, 'seeded fault')} detected`
}
