/** All functions of this folder are pure. */
import {
  brokenSupport,
  countingJudgements,
  isOutcome,
  unmetVerdict,
} from '../../record/judgements/counting-judgements.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, ExchangeRole, Judgement } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { Verdict } from '../../record/types/verdict.js'
import type { Variables } from '../template/variables.js'
import { dependsOnOmission, findDeclinedStep, findOmission } from './declined.js'
import { judgeEffects } from './judge-effects.js'
import { factOf, judgeExchanges } from './judge-exchange.js'
import { isSent } from './sent-steps.js'

export interface RowEvidence {
  evidence: Evidence[]
  variables: Variables
  stopped?: Reason | undefined
}

interface Conclusion {
  verdict: Verdict
  /** Absent for pass. */
  reason?: Reason
}

export interface RowVerdict extends Conclusion {
  judgements: Judgement[]
}

/**
 * `evidence`: in the order of sending. Evidence of other steps gives the verdict `error`.
 * @example
 * const { verdict, judgements } = judgeRow(row, { evidence, variables })
 * verdict // 'fail'
 * judgements.find(({ met }) => !met)?.found // ['404']
 */
export function judgeRow(row: ResolvedRow, { evidence, variables, stopped }: RowEvidence): RowVerdict {
  const unsent = evidence.find(({ problem }) => problem?.code === 'not-sent')
  if (unsent) return { verdict: 'error', reason: stopped ?? unsentReason(row, unsent), judgements: [] }
  if (!belongsTo(row, evidence, stopped !== undefined))
    return { verdict: 'error', reason: { code: 'evidence-mismatch' }, judgements: [] }
  const declined = findDeclinedStep(row, evidence)
  if (declined !== undefined) return { verdict: 'not-applicable', reason: declined, judgements: [] }
  const judgements = row.steps.flatMap((step, index) => {
    const exchanges = evidence.filter((one) => one.step === index && one.role !== 'late-check')
    return judgeExchanges(step, exchanges, variables)
  })
  judgements.push(...judgeEffects(row, evidence, variables))
  const isIncomplete = evidence.some((one) => {
    const step = row.steps[one.step]
    return step?.expectations.some((expectation) => dependsOnOmission(expectation, step, one))
  })
  const lacking = stopped === undefined && !isIncomplete ? undefined : findOmission(row, evidence)
  return { ...concludeRow(row, judgements, { stopped, lacking }), judgements }
}

const unsentReason = ({ steps }: ResolvedRow, { step, problem }: Evidence): Reason => ({
  code: 'step-not-sent',
  step: steps[step]?.name ?? '',
  message: problem?.message ?? '',
})

/** A stopped row may lack its last exchanges. */
function belongsTo({ steps }: ResolvedRow, evidence: readonly Evidence[], isStopped: boolean): boolean {
  const found = evidence
    .filter(({ role }) => role !== 'late-check')
    .map(({ step, role, attempt }) => `${step} ${role} ${attempt ?? ''}`)
  const expected = steps.flatMap((step, index) => {
    if (!isSent(step, evidence)) return []
    const attempts = step.race ? Array.from({ length: step.race.times }, (_, at) => at + 1) : ['']
    const texts = attempts.map((attempt) => `${index} ${step.role} ${attempt}`)
    const isSkipped = isStopped && step.role !== 'restore' && !evidence.some((one) => one.step === index)
    return isSkipped ? [] : texts
  })
  return found.join('\n') === expected.join('\n')
}

function concludeRow(
  row: ResolvedRow,
  judgements: readonly Judgement[],
  { stopped, lacking }: { stopped: Reason | undefined; lacking: Reason | undefined },
): Conclusion {
  const failed = (...roles: ExchangeRole[]): Judgement | undefined =>
    judgements.find((one) => roles.includes(one.role) && !one.met && isOutcome(one, row))
  const setup = failed('arrange')
  if (setup) {
    const step = row.steps[setup.step]?.name ?? ''
    return { verdict: 'blocked', reason: { code: 'setup-failed', step, unmet: factOf(setup) } }
  }
  const unmet = countingJudgements({ resolved: row, judgements: [...judgements] }).filter(({ met }) => !met)
  const broken = mostRelevant(unmet.filter((one) => unmetVerdict(one) === 'fail'))
  if (broken) return { verdict: 'fail', reason: { code: 'unmet', unmet: factOf(broken) } }
  const support = brokenSupport(judgements, row)
  if (support) {
    const { name: step = '', operation = '' } = row.steps[support.step] ?? {}
    return { verdict: 'blocked', reason: { code: 'step-failed', step, operation, unmet: factOf(support) } }
  }
  const probe = failed('probe-before', 'probe-after')
  if (probe && row.impact === 'hazard')
    return { verdict: 'fail', reason: { code: 'stopped-answering', unmet: factOf(probe) } }
  if (probe) return { verdict: 'blocked', reason: { code: 'probe-failed', unmet: factOf(probe) } }
  const restore = failed('restore')
  if (restore) return { verdict: 'blocked', reason: { code: 'not-restored', unmet: factOf(restore) } }
  if (lacking !== undefined) return { verdict: 'not-applicable', reason: lacking }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  return concludeWithoutFailure(row, unmet)
}

/** A probe shows fewer effects than the ledger. */
const mostRelevant = (broken: readonly Judgement[]): Judgement | undefined =>
  broken.find(({ role }) => role === 'act') ?? broken.find(({ role }) => role === 'late-check') ?? broken[0]

function concludeWithoutFailure(row: ResolvedRow, unmet: readonly Judgement[]): Conclusion {
  const advice = unmet.find((one) => unmetVerdict(one) === 'warning')
  if (advice) return { verdict: 'warning', reason: warningReason(row, advice) }
  const [freedom] = unmet
  if (!freedom) return { verdict: 'pass' }
  return { verdict: 'not-applicable', reason: { code: 'option-declined', unmet: factOf(freedom) } }
}

function warningReason({ steps }: ResolvedRow, advice: Judgement): Reason {
  const { confidence, step, expectation } = advice
  if (confidence !== 'read') return { code: 'recommendation-unmet', unmet: factOf(advice) }
  const resolved = steps[step]
  const basis = resolved && expectation !== undefined ? expectationsOf(resolved)[expectation]?.basis : undefined
  return { code: 'read-fact-unmet', unmet: factOf(advice), ...(basis !== undefined && { basis }) }
}
