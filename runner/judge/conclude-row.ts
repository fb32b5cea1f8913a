/** From the judgements of a row to its verdict, with one sentence why. Pure. */
import type { Judgement } from '../../record/record.js'
import type { ResolvedExpectation, ResolvedRow, Role } from '../../record/resolved-row.js'
import type { Verdict } from '../../record/verdict.js'
import { expectationsOf } from './judge-exchange.js'

export interface Conclusion {
  verdict: Verdict
  /** One sentence; absent when the row passed. */
  reason?: string
}

/** `stopped`: why later steps were not sent. */
export function concludeRow(
  row: ResolvedRow,
  judgements: readonly Judgement[],
  stopped: string | undefined,
): Conclusion {
  const misled = (...roles: Role[]): Judgement | undefined =>
    judgements.find((one) => roles.includes(one.role) && !one.met && isOutcome(row, one))
  const arranged = misled('arrange')
  if (arranged) {
    const name = row.steps[arranged.step]?.name ?? ''
    return { verdict: 'blocked', reason: `the step ${name} before the one under test: ${sentence(arranged)}` }
  }
  const unmet = judgements.filter((one) => counts(row, one, judgements)).filter(({ met }) => !met)
  const broken = unmet.find((one) => one.strength === 'must' && one.confidence !== 'read')
  if (broken) return { verdict: 'fail', reason: sentence(broken) }
  const blind = misled('probe-before', 'probe-after')
  if (blind && row.impact === 'hazard')
    return { verdict: 'fail', reason: `afterwards the target is gone: ${sentence(blind)}` }
  if (blind) return { verdict: 'blocked', reason: `the probe could not look: ${sentence(blind)}` }
  const left = misled('restore')
  if (left) return { verdict: 'blocked', reason: `what the row changes could not be put back: ${sentence(left)}` }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  return withoutBreach(row, unmet)
}

/** No obligation was broken that is known to be one. */
function withoutBreach(row: ResolvedRow, unmet: readonly Judgement[]): Conclusion {
  const read = unmet.find((one) => one.strength === 'must')
  if (read) return { verdict: 'warning', reason: `${sentence(read)} (${knownFrom(row, read)})` }
  const advice = unmet.find(({ strength }) => strength === 'should')
  if (advice) return { verdict: 'warning', reason: `${sentence(advice)} (a recommendation)` }
  const [freedom] = unmet
  if (!freedom) return { verdict: 'pass' }
  return { verdict: 'not-applicable', reason: `this target makes no use of what it may: ${sentence(freedom)}` }
}

function knownFrom(row: ResolvedRow, judgement: Judgement): string {
  const basis = expectationAt(row, judgement)?.basis
  return `only read of the reference, never seen${basis === undefined ? '' : `: ${basis}`}`
}

const expectationAt = (row: ResolvedRow, { step, expectation }: Judgement): ResolvedExpectation | undefined => {
  const found = row.steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation] : undefined
}

/** Was it answered at all, and accepted or refused as it should be? */
function isOutcome(row: ResolvedRow, judgement: Judgement): boolean {
  const kind = expectationAt(row, judgement)?.kind
  return kind !== 'content' && kind !== 'shape'
}

/** Where a step around the one under test was not answered as it should be, nothing else that it says counts; what restores judges nothing. */
function counts(row: ResolvedRow, judgement: Judgement, all: readonly Judgement[]): boolean {
  if (judgement.role === 'act') return true
  if (judgement.role === 'restore' || isOutcome(row, judgement)) return false
  return all.every((one) => one.step !== judgement.step || one.met || !isOutcome(row, one))
}

function sentence({ subject, pointer, expected, actual }: Judgement): string {
  const where = pointer === undefined || pointer === '' ? subject : `${subject} ${pointer}`
  return `${where}: expected ${expected}, found ${actual}`
}
