/** What a run shows about each rule. */
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RecordedRule, RunRecord } from '../../record/types/record.js'
import type { Conclusion } from '../summary/conclusion.js'
import { isUnjudgedRule, isUnmetRule, type RuleLine, ruleMatrix } from '../summary/rule-matrix.js'
import { reasonText } from '../wording/reason-words.js'

/** `open`: the profile or the text permits every answer. */
export type RuleState = 'unmet' | 'untested' | 'open' | 'met'

/** The worst first. */
export const ruleStates: readonly RuleState[] = ['unmet', 'untested', 'open', 'met']

export interface JudgedRule extends RuleLine {
  state: RuleState
  /** Why it is not tested or open; empty otherwise. */
  why: string
}

export function judgedRules({ header, rows }: RunRecord, conclusion: Conclusion): JudgedRule[] {
  const examined = new Map(conclusion.rules.map((one) => [one.rule.id, one]))
  return ruleMatrix(header, rows.map(rulesOf)).map((rule): JudgedRule => {
    const known = examined.get(rule.id)
    if (isUnmetRule(rule)) return { ...rule, state: 'unmet', why: '' }
    if (known ? known.state === 'examined' : !isUnjudgedRule(rule)) return { ...rule, state: 'met', why: '' }
    if (known?.state === 'open') return { ...rule, state: 'open', why: 'the profile permits every response' }
    const [cause] = known?.causes ?? []
    return { ...rule, state: 'untested', why: cause ? reasonText(cause[0]) : whyUntested(rule, header.profile.basis) }
  })
}

function whyUntested({ untestable, strength, factOf }: RecordedRule, basis: 'text' | undefined): string {
  if (factOf !== undefined && basis === 'text') return `a fact of ${factOf}, no obligation by the text alone`
  if (untestable !== undefined) return `cannot be tested: ${untestable}`
  return strength === 'client' ? 'an obligation of clients' : 'no row of this run judges it'
}

export const stateSigns: Readonly<Record<RuleState, [sign: string, words: string]>> = {
  unmet: ['✗', 'not met'],
  untested: ['–', 'not tested'],
  open: ['○', 'open'],
  met: ['✓', 'met'],
}
