/** Judges requests that were sent at once: one was accepted as the step says, and each other one was refused under its condition. Pure. */
import type { Evidence } from '../../record/record.js'
import type { Step } from '../suite/suite.js'
import { type JudgeContext, judgeStep, type StepJudgements, toJudgement } from './judge-step.js'

export function judgeRace(
  step: Step,
  race: NonNullable<Step['race']>,
  exchanges: readonly Evidence[],
  context: JudgeContext,
): StepJudgements {
  const loser: Step = { ...step, verdict: { outcome: { refused: race.others }, expect: { schema: true } } }
  const judged = exchanges.map((one) => judgeStep(isSuccess(one) ? step : loser, one, context))
  const won = exchanges.filter(isSuccess).length
  const count = {
    subject: 'answers',
    expected: `1 of ${exchanges.length} accepted`,
    actual: `${won} accepted`,
    met: won === 1,
  }
  return {
    outcome: [toJudgement(step, context.judged, context, count), ...judged.flatMap(({ outcome }) => outcome)],
    expectations: judged.flatMap(({ expectations }) => expectations),
  }
}

const isSuccess = ({ response }: Evidence): boolean => Math.floor((response?.status ?? 0) / 100) === 2
