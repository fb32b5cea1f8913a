import { canonical } from '../../lib/json/canonical.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { CheckedFact } from '../../record/types/reason.js'
import type { Evidence, Judgement } from '../../record/types/record.js'
import type { Alternative, Check, ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import { asCaller, type Scope, type Variables } from '../template/variables.js'
import { type Answer, answerOf } from './answer.js'
import { dependsOnOmission, mayBeRejected } from './declined.js'
import { evaluateCheck, type Finding } from './evaluate-check.js'
import { isSuccess } from './sent-steps.js'

export function judgeExchanges(step: ResolvedStep, exchanges: readonly Evidence[], variables: Variables): Judgement[] {
  return [
    ...countWinners(step, exchanges),
    ...judgeMissingWinner(step, exchanges, variables),
    ...exchanges.flatMap((one) => judgeExchange(step, one, variables)),
  ]
}

export function judgeExchange(step: ResolvedStep, evidence: Evidence, variables: Variables): Judgement[] {
  return answerOf(evidence)
    ? judgeBy(applicableTo(step, evidence), step, evidence, variables)
    : [judgeUnanswered(step, evidence)]
}

type Indexed = readonly [index: number, expectation: ResolvedExpectation]

function judgeBy(
  expectations: readonly Indexed[],
  { actor }: ResolvedStep,
  evidence: Evidence,
  variables: Variables,
): Judgement[] {
  const answer = answerOf(evidence)
  if (!answer) return []
  const scope = asCaller(actor, variables)
  return expectations.flatMap(([index, expectation]) => {
    const { alternative, findings } = nearest(expectation, answer, scope)
    return findings.map((finding) => toJudgement(evidence, [index, expectation], finding, alternative.name))
  })
}

function applicableTo(step: ResolvedStep, evidence: Evidence): Indexed[] {
  const all = [...expectationsOf(step).entries()]
  // Content expectations apply to accepted requests.
  const applicable =
    mayBeRejected(step) && !isSuccess(evidence) ? all.filter(([, { kind }]) => kind !== 'content') : all
  const indexed = applicable.filter(([, expectation]) => !dependsOnOmission(expectation, step, evidence))
  if (!step.race) return indexed
  const own = step.expectations.length
  return indexed.filter(([index]) => index < own === isSuccess(evidence))
}

function nearest(
  { anyOf }: ResolvedExpectation,
  answer: Answer,
  variables: Scope,
): { alternative: Alternative; findings: Finding[] } {
  const [best] = anyOf
    .map((alternative) => {
      // One check can have a finding for each of several members.
      const findings = alternative.checks.map((check) => evaluateCheck(check, answer, variables))
      const unmet = findings.filter((some) => some.some(({ met }) => !met)).length
      return { alternative, findings: findings.flat(), unmet }
    })
    .toSorted((a, b) => a.unmet - b.unmet)
  return best ?? { alternative: { checks: [] }, findings: [] }
}

export function toJudgement(
  { step, role, attempt }: Evidence,
  [index, { rules, strength, confidence, situation, divergence, besides }]: Indexed,
  finding: Finding,
  alternative?: string,
): Judgement {
  const citesRules = besides === undefined || !finding.met
  return {
    step,
    role,
    ...(attempt !== undefined && { attempt }),
    expectation: index,
    rules: citesRules ? rules : [],
    strength,
    confidence,
    ...finding,
    ...(situation !== undefined && {
      situation: alternative === undefined ? situation : `${situation} (${alternative})`,
    }),
    ...(divergence !== undefined && { divergence }),
  }
}

/** The fact alone, for a reason. */
export const factOf = ({
  subject,
  pointer,
  check,
  wanted,
  found,
  optional,
  notJson,
  because,
}: Judgement): CheckedFact => ({
  subject,
  ...(pointer !== undefined && { pointer }),
  check,
  wanted,
  found,
  ...(optional && { optional }),
  ...(notJson && { notJson }),
  ...(because && { because }),
})

/** An answer is mandatory, even if all rules of the step are weaker. */
function judgeUnanswered(step: ResolvedStep, { step: index, role, attempt, problem, response }: Evidence): Judgement {
  const judged = expectationsOf(step).filter(({ kind }) => kind === 'outcome' || kind === 'content')
  return {
    step: index,
    role,
    ...(attempt !== undefined && { attempt }),
    rules: [...new Set(judged.flatMap(({ rules }) => rules))],
    strength: 'must',
    confidence: 'text',
    subject: 'answer',
    check: 'answer',
    wanted: [],
    found: problem ? [problem.code, problem.message] : [response ? 'cut' : 'none'],
    met: false,
  }
}

function judgeMissingWinner(step: ResolvedStep, exchanges: readonly Evidence[], variables: Variables): Judgement[] {
  const [first] = exchanges
  if (!step.race || !first || exchanges.some(isSuccess)) return []
  const outcomes = [...step.expectations.entries()].filter(([, { kind }]) => kind === 'outcome')
  return judgeBy(outcomes, step, first, variables)
}

function countWinners(step: ResolvedStep, exchanges: readonly Evidence[]): Judgement[] {
  const [first] = exchanges
  if (!step.race || !first) return []
  const accepted = exchanges.filter(isSuccess)
  const { attempt: _, ...all } = first
  return checksOn(step, 'winners').map(([expectation, { count, same }]) => {
    const won = same ? new Set(accepted.map(comparedBody)).size : accepted.length
    return toJudgement(all, expectation, {
      subject: 'answers',
      check: 'winners',
      wanted: [String(count), String(exchanges.length), ...(same ? ['same'] : [])],
      found: [String(accepted.length)],
      met: won === count,
    })
  })
}

export const checksOn = <On extends Check['on']>(
  step: ResolvedStep,
  on: On,
): (readonly [Indexed, Extract<Check, { on: On }>])[] =>
  [...expectationsOf(step).entries()].flatMap((indexed) =>
    indexed[1].anyOf
      .flatMap(({ checks }) => checks)
      .filter((check): check is Extract<Check, { on: On }> => check.on === on)
      .map((check) => [indexed, check] as const),
  )

function comparedBody(one: Evidence): string {
  const answer = answerOf(one)
  return answer?.json === undefined ? (answer?.text ?? '') : canonical(answer.json)
}
