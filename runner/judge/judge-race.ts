/** Judges requests that were sent at once: so many were accepted, and each other one met the situation of those that came too late. Pure. */
import type { Evidence, Judgement } from '../../record/record.js'
import { expectationsOf } from '../../record/references.js'
import type { ResolvedStep } from '../../record/resolved-row.js'
import type { Variables } from '../template/variables.js'
import { judgeExchange, toJudgement } from './judge-exchange.js'
import { isSuccess } from './sent-steps.js'

/** `exchanges`: all of one step, in the order of their attempts. */
export function judgeExchanges(step: ResolvedStep, exchanges: readonly Evidence[], variables: Variables): Judgement[] {
  return [...countWinners(step, exchanges), ...exchanges.flatMap((one) => judgeExchange(step, one, variables))]
}

function countWinners(step: ResolvedStep, exchanges: readonly Evidence[]): Judgement[] {
  const [first] = exchanges
  if (!step.race || !first) return []
  const won = exchanges.filter(isSuccess).length
  const { attempt: _, ...all } = first
  return [...expectationsOf(step).entries()].flatMap(([index, expectation]) =>
    expectation.anyOf
      .flatMap(({ checks }) => checks)
      .flatMap((check) => {
        if (check.on !== 'winners') return []
        const expected = `${check.count} of ${exchanges.length} accepted`
        const finding = { subject: 'answers', expected, actual: `${won} accepted`, met: won === check.count }
        return [toJudgement(all, [index, expectation], finding)]
      }),
  )
}
