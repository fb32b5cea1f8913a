/** From the judgements of a row to its verdict, with one sentence why. Pure. */
import { brokenSupport, countingJudgements, isOutcome } from '../../record/judgements/counting-judgements.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { unmetVerdict } from '../../record/judgements/unmet-verdict.js'
import type { ExchangeRole, Judgement } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow } from '../../record/types/resolved-row.js'
import type { Verdict } from '../../record/types/verdict.js'

export interface Conclusion {
  verdict: Verdict
  /** One sentence; absent when the row passed. */
  reason?: string
}

/** `stopped`: why later steps were not sent; `lacking`: that this is nothing to be held against the target, as a sentence. */
export function concludeRow(
  row: ResolvedRow,
  judgements: readonly Judgement[],
  { stopped, lacking }: { stopped: string | undefined; lacking: string | undefined },
): Conclusion {
  const misled = (...roles: ExchangeRole[]): Judgement | undefined =>
    judgements.find((one) => roles.includes(one.role) && !one.met && isOutcome(one, row))
  const arranged = misled('arrange')
  if (arranged) {
    const name = row.steps[arranged.step]?.name ?? ''
    return { verdict: 'blocked', reason: `the step ${name} before the one under test: ${sentence(arranged)}` }
  }
  const unmet = countingJudgements({ resolved: row, judgements: [...judgements] }).filter(({ met }) => !met)
  const broken = mostTelling(unmet.filter((one) => unmetVerdict(one) === 'fail'))
  if (broken) return { verdict: 'fail', reason: sentence(broken) }
  const support = brokenSupport(judgements, row)
  if (support) {
    const { name = '', operation = '' } = row.steps[support.step] ?? {}
    return { verdict: 'blocked', reason: `the step ${name}, which reads by ${operation}: ${sentence(support)}` }
  }
  const blind = misled('probe-before', 'probe-after')
  if (blind && row.impact === 'hazard')
    return { verdict: 'fail', reason: `afterwards the target is gone: ${sentence(blind)}` }
  if (blind) return { verdict: 'blocked', reason: `the probe could not look: ${sentence(blind)}` }
  const left = misled('restore')
  if (left) return { verdict: 'blocked', reason: `what the row changes could not be put back: ${sentence(left)}` }
  if (lacking !== undefined) return { verdict: 'not-applicable', reason: lacking }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  return withoutBreach(row, unmet)
}

/** What is wrong with the answer itself, or else with its effects: a probe shows less of these than the ledger does. */
const mostTelling = (broken: readonly Judgement[]): Judgement | undefined =>
  broken.find(({ role }) => role === 'act') ?? broken.find(({ role }) => role === 'late-look') ?? broken[0]

/** No obligation was broken that is known to be one. */
function withoutBreach(row: ResolvedRow, unmet: readonly Judgement[]): Conclusion {
  const advice = unmet.find((one) => unmetVerdict(one) === 'warning')
  if (advice) return { verdict: 'warning', reason: `${sentence(advice)} (${adviceOf(row, advice)})` }
  const [freedom] = unmet
  if (!freedom) return { verdict: 'pass' }
  return { verdict: 'not-applicable', reason: `the participant declines an optional feature: ${sentence(freedom)}` }
}

const adviceOf = (row: ResolvedRow, judgement: Judgement): string =>
  judgement.confidence === 'read' ? knownFrom(row, judgement) : 'a recommendation'

function knownFrom(row: ResolvedRow, judgement: Judgement): string {
  const basis = expectationAt(row, judgement)?.basis
  return `only read of the reference, never seen${basis === undefined ? '' : `: ${basis}`}`
}

const expectationAt = (row: ResolvedRow, { step, expectation }: Judgement): ResolvedExpectation | undefined => {
  const found = row.steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation] : undefined
}

function sentence({ role, subject, pointer, expected, actual }: Judgement): string {
  if (role === 'late-look') return actual
  const where = pointer === undefined || pointer === '' ? subject : `${subject} ${pointer}`
  return `${where}: expected ${expected}, found ${actual}`
}
