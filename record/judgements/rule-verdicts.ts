import { cachedBy } from '../../lib/made-once.js'
import type { Judgement, RunRow } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import type { Verdict } from '../types/verdict.js'
import { countingJudgements, unmetVerdict } from './counting-judgements.js'
import { expectationsOf } from './references.js'

export type RuleVerdicts = [rule: string, verdict: Verdict][]

const unjudged: readonly Verdict[] = ['error', 'blocked', 'not-applicable']

/**
 * Each rule is judged by its own expectations. A rule without a judgement that can fail is not applicable. In a row
 * without judgement, each planned rule has the verdict of the row.
 */
export const rulesOf = cachedBy((row: RunRow): RuleVerdicts => {
  const { verdict, resolved } = row
  if (unjudged.includes(verdict)) return plannedRules(resolved).map((rule) => [rule, verdict])
  const relevant = relevantJudgements(row)
  const rules = [...new Set(relevant.flatMap((judgement) => judgement.rules))]
  const found = rules.map((rule): RuleVerdicts[number] => {
    const own = relevant.filter((one) => one.rules.includes(rule))
    const unmet = own.filter(({ met }) => !met)
    if (unmet.length === 0 && own.every((one) => isOpen(one, resolved))) return [rule, 'not-applicable']
    return [rule, worstOf(unmet.map((one) => weightOf(one, verdict)))]
  })
  // If no judgement explains the verdict, no rule counts as met.
  return explains(relevant, verdict) ? found : rules.map((rule) => [rule, verdict])
})

/** The profile permits acceptance and rejection, so a faulty participant also meets the expectation. */
export function isOpen({ step, expectation }: Judgement, { steps }: ResolvedRow): boolean {
  const found = steps[step]
  const expected = found && expectation !== undefined ? expectationsOf(found)[expectation] : undefined
  return expected?.kind === 'outcome' && new Set(expected.anyOf.map(({ outcome }) => outcome)).size > 1
}

export const isUnmet = (verdict: Verdict): boolean => unmetVerdicts.includes(verdict)

const unmetVerdicts: readonly Verdict[] = ['fail', 'excused', 'warning']
const followed: Verdict = 'follows-the-text'

export function unmetRules(row: RunRow): string[] {
  const found = unjudged.includes(row.verdict) ? [] : rulesOf(row)
  return unmetVerdicts.flatMap((wanted) => found.flatMap(([rule, verdict]) => (verdict === wanted ? [rule] : [])))
}

function weightOf(judgement: Judgement, row: Verdict): Verdict {
  const weight = unmetVerdict(judgement)
  if (row === 'follows-the-text') return weight === 'not-applicable' ? weight : row
  return weight === 'fail' && row === 'excused' ? 'excused' : weight
}

const worstOf = (unmet: Verdict[]): Verdict =>
  [...unmetVerdicts, followed].find((verdict) => unmet.includes(verdict)) ??
  (unmet.length > 0 ? 'not-applicable' : 'pass')

const explains = (relevant: Judgement[], row: Verdict): boolean =>
  row === 'pass' || relevant.some((one) => !one.met && weightOf(one, row) === row)

/** Others count if they alone explain the verdict, for example after an outage. */
function relevantJudgements(row: RunRow): Judgement[] {
  const counting = countingJudgements(row)
  if (explains(counting, row.verdict)) return counting
  const others = row.judgements.filter((one) => !one.met && one.role !== 'restore' && !counting.includes(one))
  return [...counting, ...others.filter(({ rules }) => rules.length > 0)]
}

function plannedRules({ steps }: ResolvedRow): string[] {
  const tested = steps.filter(({ role }) => role === 'act').flatMap(expectationsOf)
  const probed = steps.filter(({ role }) => role === 'probe-before' || role === 'probe-after').flatMap(expectationsOf)
  const own = [
    ...tested.filter(({ kind }) => kind !== 'server-error' && kind !== 'shape' && kind !== 'effects'),
    ...probed.filter(({ kind }) => kind === 'content'),
  ]
  return [...new Set(own.flatMap(({ rules }) => rules))]
}
