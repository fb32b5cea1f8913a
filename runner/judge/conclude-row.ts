/** All functions of this folder are pure. */
import { brokenSupport, countingJudgements, isOutcome } from '../../record/judgements/counting-judgements.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { unmetVerdict } from '../../record/judgements/unmet-verdict.js'
import type { ExchangeRole, Judgement } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { Verdict } from '../../record/types/verdict.js'

export interface Conclusion {
  verdict: Verdict
  reason?: string
}

export function concludeRow(
  row: ResolvedRow,
  judgements: readonly Judgement[],
  { stopped, lacking }: { stopped: string | undefined; lacking: string | undefined },
): Conclusion {
  const failed = (...roles: ExchangeRole[]): Judgement | undefined =>
    judgements.find((one) => roles.includes(one.role) && !one.met && isOutcome(one, row))
  const setup = failed('arrange')
  if (setup) {
    const name = row.steps[setup.step]?.name ?? ''
    return { verdict: 'blocked', reason: `setup step ${name} failed: ${sentence(setup)}` }
  }
  const unmet = countingJudgements({ resolved: row, judgements: [...judgements] }).filter(({ met }) => !met)
  const broken = mostRelevant(unmet.filter((one) => unmetVerdict(one) === 'fail'))
  if (broken) return { verdict: 'fail', reason: sentence(broken) }
  const support = brokenSupport(judgements, row)
  if (support) {
    const { name = '', operation = '' } = row.steps[support.step] ?? {}
    return { verdict: 'blocked', reason: `step ${name} (${operation}) failed: ${sentence(support)}` }
  }
  const probe = failed('probe-before', 'probe-after')
  if (probe && row.impact === 'hazard')
    return { verdict: 'fail', reason: `the target stopped answering after the request: ${sentence(probe)}` }
  if (probe) return { verdict: 'blocked', reason: `the probe failed: ${sentence(probe)}` }
  const restore = failed('restore')
  if (restore)
    return { verdict: 'blocked', reason: `the state before the row could not be restored: ${sentence(restore)}` }
  if (lacking !== undefined) return { verdict: 'not-applicable', reason: lacking }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  return concludeWithoutFailure(row, unmet)
}

/** A probe shows fewer effects than the ledger. */
const mostRelevant = (broken: readonly Judgement[]): Judgement | undefined =>
  broken.find(({ role }) => role === 'act') ?? broken.find(({ role }) => role === 'late-check') ?? broken[0]

function concludeWithoutFailure(row: ResolvedRow, unmet: readonly Judgement[]): Conclusion {
  const advice = unmet.find((one) => unmetVerdict(one) === 'warning')
  if (advice) return { verdict: 'warning', reason: `${sentence(advice)} (${originOf(row, advice)})` }
  const [freedom] = unmet
  if (!freedom) return { verdict: 'pass' }
  return { verdict: 'not-applicable', reason: `the participant declines an optional feature: ${sentence(freedom)}` }
}

function originOf(row: ResolvedRow, { confidence, step, expectation }: Judgement): string {
  if (confidence !== 'read') return 'a recommendation'
  const resolved = row.steps[step]
  const basis = resolved && expectation !== undefined ? expectationsOf(resolved)[expectation]?.basis : undefined
  return `read in a source of the reference, not observed${basis === undefined ? '' : `: ${basis}`}`
}

function sentence({ role, subject, pointer, expected, actual }: Judgement): string {
  if (role === 'late-check') return actual
  const where = pointer === undefined || pointer === '' ? subject : `${subject} ${pointer}`
  // The schema check states its expectation as a clause.
  return `${where}: ${expected.startsWith('must ') ? expected : `expected ${expected}`}, found ${actual}`
}
