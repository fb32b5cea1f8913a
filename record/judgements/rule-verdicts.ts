import type { Judgement, RunRow } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import type { Verdict } from '../types/verdict.js'
import { countingJudgements } from './counting-judgements.js'
import { expectationsOf } from './references.js'
import { unmetVerdict } from './unmet-verdict.js'

/** What a row says of each rule that it judges. */
export type RuleVerdicts = [rule: string, verdict: Verdict][]

export type JudgedRow = Pick<RunRow, 'verdict' | 'judgements' | 'resolved'>

/** Of a row with one of these verdicts nothing was judged, or nothing that counts. */
const unjudged: readonly Verdict[] = ['error', 'blocked', 'not-applicable']

/** Of rows that somebody still has: every report asks. */
const known = new WeakMap<JudgedRow, RuleVerdicts>()

/**
 * What the row says of its rules, each by the judgements of its own expectations: an unmet one fails the rules that it
 * judges and no others. Rules whose step was not sent are not there. A rule of which no judgement could have failed is not
 * applicable. A row in which nothing was judged has its own verdict for every rule that it would have judged.
 */
export function rulesOf(row: JudgedRow): RuleVerdicts {
  const found = known.get(row) ?? verdictsOf(row)
  known.set(row, found)
  return found
}

function verdictsOf(row: JudgedRow): RuleVerdicts {
  const { verdict, resolved } = row
  if (unjudged.includes(verdict)) return plannedRules(resolved).map((rule) => [rule, verdict])
  const telling = tellingJudgements(row)
  const rules = [...new Set(telling.flatMap((judgement) => judgement.rules))]
  const found = rules.map((rule): RuleVerdicts[number] => {
    const own = telling.filter((one) => one.rules.includes(rule))
    const unmet = own.filter(({ met }) => !met)
    if (unmet.length === 0 && own.every((one) => isOpen(one, resolved))) return [rule, 'not-applicable']
    return [rule, worstOf(unmet.map((one) => weightOf(one, verdict)))]
  })
  // Where nothing explains the row's verdict, no rule of it can be called met.
  return explains(telling, verdict) ? found : rules.map((rule) => [rule, verdict])
}

/** The profile permits both to accept and to refuse: a participant that breaks the rule meets the expectation as well. */
export function isOpen({ step, expectation }: Judgement, { steps }: ResolvedRow): boolean {
  const found = steps[step]
  const expected = found && expectation !== undefined ? expectationsOf(found)[expectation] : undefined
  return expected?.kind === 'outcome' && new Set(expected.anyOf.map(({ outcome }) => outcome)).size > 1
}

/** Whether this verdict of a rule says that it was not met, or not as it is recommended or known. */
export const isUnmet = (verdict: Verdict): boolean => unmetVerdicts.includes(verdict)

const unmetVerdicts: readonly Verdict[] = ['fail', 'excused', 'warning']
const followed: Verdict = 'follows-the-text'

/** The rules that the row did not meet, those that fail before those that only warn. */
export function unmetRules(row: JudgedRow): string[] {
  const found = unjudged.includes(row.verdict) ? [] : rulesOf(row)
  return unmetVerdicts.flatMap((wanted) => found.flatMap(([rule, verdict]) => (verdict === wanted ? [rule] : [])))
}

/** What a waiver covers has failed, and is excused; where the text is followed, its rules are. */
function weightOf(judgement: Judgement, row: Verdict): Verdict {
  const weight = unmetVerdict(judgement)
  if (row === 'follows-the-text') return weight === 'not-applicable' ? weight : row
  return weight === 'fail' && row === 'excused' ? 'excused' : weight
}

const worstOf = (unmet: Verdict[]): Verdict =>
  [...unmetVerdicts, followed].find((verdict) => unmet.includes(verdict)) ??
  (unmet.length > 0 ? 'not-applicable' : 'pass')

const explains = (telling: Judgement[], row: Verdict): boolean =>
  row === 'pass' || telling.some((one) => !one.met && weightOf(one, row) === row)

/** Those that count; where they do not explain the verdict - afterwards the target was gone -, those that do. */
function tellingJudgements(row: JudgedRow): Judgement[] {
  const counting = countingJudgements(row)
  if (explains(counting, row.verdict)) return counting
  const others = row.judgements.filter((one) => !one.met && one.role !== 'restore' && !counting.includes(one))
  return [...counting, ...others.filter(({ rules }) => rules.length > 0)]
}

/** Rules of what is expected of the row in particular: what comes with every answer says nothing without one. */
function plannedRules({ steps }: ResolvedRow): string[] {
  const tested = steps.filter(({ role }) => role === 'act').flatMap(expectationsOf)
  const probed = steps.filter(({ role }) => role === 'probe-before' || role === 'probe-after').flatMap(expectationsOf)
  const own = [
    ...tested.filter(({ kind }) => kind !== 'server-error' && kind !== 'shape' && kind !== 'effects'),
    ...probed.filter(({ kind }) => kind === 'content'),
  ]
  return [...new Set(own.flatMap(({ rules }) => rules))]
}
