/** Judges requests that were sent at once: so many were accepted, and each other one met the situation of those that came too late. Pure. */

import { canonical } from '../../lib/json/canonical.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { Evidence, Judgement } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import type { Variables } from '../template/variables.js'
import { answerOf } from './answer.js'
import { judgeExchange, judgeOutcome, toJudgement } from './judge-exchange.js'
import { isSuccess } from './sent-steps.js'

/** `exchanges`: all of one step, in the order of their attempts. */
export function judgeExchanges(step: ResolvedStep, exchanges: readonly Evidence[], variables: Variables): Judgement[] {
  return [
    ...countWinners(step, exchanges),
    ...judgeNobody(step, exchanges, variables),
    ...exchanges.flatMap((one) => judgeExchange(step, one, variables)),
  ]
}

/** Where no request was accepted, the first one stands for the one that had to be. */
function judgeNobody(step: ResolvedStep, exchanges: readonly Evidence[], variables: Variables): Judgement[] {
  const [first] = exchanges
  return step.race && first && !exchanges.some(isSuccess) ? judgeOutcome(step, first, variables) : []
}

function countWinners(step: ResolvedStep, exchanges: readonly Evidence[]): Judgement[] {
  const [first] = exchanges
  if (!step.race || !first) return []
  const accepted = exchanges.filter(isSuccess)
  const { attempt: _, ...all } = first
  return [...expectationsOf(step).entries()].flatMap(([index, expectation]) =>
    expectation.anyOf
      .flatMap(({ checks }) => checks)
      .flatMap((check) => {
        if (check.on !== 'winners') return []
        const won = check.same ? new Set(accepted.map(toldIn)).size : accepted.length
        const more = check.same ? ', or several with one answer' : ''
        const finding = {
          subject: 'answers',
          expected: `${check.count} of ${exchanges.length} accepted${more}`,
          actual: `${accepted.length} accepted`,
          met: won === check.count,
        }
        return [toJudgement(all, [index, expectation], finding)]
      }),
  )
}

function toldIn(one: Evidence): string {
  const answer = answerOf(one)
  return answer?.json === undefined ? (answer?.text ?? '') : canonical(answer.json)
}
