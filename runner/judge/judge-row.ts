import type { Evidence, Judgement } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { Variables } from '../template/variables.js'
import { type Conclusion, concludeRow } from './conclude-row.js'
import { dependsOnOmission, describeDeclinedStep, describeOmission } from './declined.js'
import { judgeEffects } from './judge-effects.js'
import { judgeExchanges } from './judge-exchange.js'
import { isSent } from './sent-steps.js'

export interface RowEvidence {
  evidence: Evidence[]
  variables: Variables
  stopped?: string | undefined
}

export interface RowVerdict extends Conclusion {
  judgements: Judgement[]
}

export function judgeRow(row: ResolvedRow, { evidence, variables, stopped }: RowEvidence): RowVerdict {
  const unsent = evidence.find(({ problem }) => problem?.code === 'not-sent')
  if (unsent) return { verdict: 'error', reason: stopped ?? 'a step was not sent', judgements: [] }
  if (!belongsTo(row, evidence, stopped !== undefined)) {
    return { verdict: 'error', reason: 'the evidence does not match the steps of this row', judgements: [] }
  }
  const declined = describeDeclinedStep(row, evidence)
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
  const lacking = stopped === undefined && !isIncomplete ? undefined : describeOmission(row, evidence)
  return { ...concludeRow(row, judgements, { stopped, lacking }), judgements }
}

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
