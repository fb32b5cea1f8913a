import { isOperationName } from '../../interface/operations.js'
import { once } from '../../lib/made-once.js'
import type { Ruling } from '../../record/types/exploration.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { type Outcomes, outcomeOf, summarizeAnswer } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import type { StepResult } from '../send/step.js'
import { collectOutcomes, type ExpectedOutcome, hasUsualForm, isMet } from './expected-outcomes.js'
import { brokenShapes, isFilled, type MemberRules, rulesAt, rulesOfAnswers, rulesOfMembers } from './member-rules.js'

export interface Rulebook {
  judge(exchange: Exchange, before: readonly Exchange[]): Ruling | 'permitted'
}

export interface RulebookSource {
  /** Called once, at the first difference. */
  resolve(): { suite: ResolvedSuite; text: ResolvedSuite }
  isText: boolean
}

const mostRules = 4

/**
 * Judges differences by the rules of the suite.
 * @example
 * const rulebook = rulebookOf({ isText: false, resolve })
 * rulebook.judge(exchange, before) // 'permitted', or the rules that the difference breaks
 */
export function rulebookOf({ resolve, isText }: RulebookSource): Rulebook {
  const tables = once(() => {
    const { suite, text } = resolve()
    return { outcomes: collectOutcomes(suite, text), members: rulesOfMembers(suite) }
  })
  return {
    judge: (exchange, before) => {
      const { step, difference, reference, target } = exchange
      if (!difference) return 'permitted'
      const { outcomes, members } = tables()
      const { operation } = step
      if (!isOperationName(operation)) return isText ? 'permitted' : judgeLedger(before, members)
      const failure = judgeFailures(difference.outcomes, isText)
      if (failure) return failure
      if (difference.outcomes.reference === 'accepted' && difference.outcomes.target === 'accepted')
        return judgeMember({ exchange, pointer: difference.pointer, isText }, members)
      if (!reference.answer || !target.answer)
        return isText
          ? 'permitted'
          : { kind: 'undecided', rules: [], because: 'an earlier answer of one side lacks a value of the request' }
      const possible = [...(outcomes.get(operation)?.values() ?? [])].filter(
        ({ isOfForm }) => !isOfForm || !hasUsualForm(step),
      )
      const because = `the reference returns "${summarizeAnswer(reference)}", the target "${summarizeAnswer(target)}"`
      return judgeBySituation(possible, { reference: reference.answer, target: target.answer }, because, isText)
    },
  }
}

function judgeFailures({ reference, target }: Outcomes, isText: boolean): Ruling | 'permitted' | undefined {
  const rules = ['GEN-NO-SERVER-ERROR']
  if (target === 'server-error') return { kind: 'breaks-rule', rules, because: 'the target returns a server error' }
  if (target === 'no-answer')
    return { kind: 'breaks-rule', rules: ['GEN-POST'], because: 'the target returns no answer' }
  if (reference !== 'server-error' && reference !== 'no-answer') return undefined
  if (isText) return 'permitted'
  return { kind: 'reference-may-be-wrong', rules, because: 'the reference returns a server error or no answer' }
}

/** At least one answer is an error. `possible`: the situations that a request of this form can have. */
function judgeBySituation(
  possible: readonly ExpectedOutcome[],
  { reference, target }: { reference: Answer; target: Answer },
  because: string,
  isText: boolean,
): Ruling | 'permitted' {
  const met = possible.filter(({ profile }) => isMet(profile, reference))
  const isPermitted = met.length > 0 && met.every(({ profile }) => isMet(profile, target))
  if (isPermitted && !isText) return 'permitted'
  const broken = met.filter(({ text }) => !isMet(text, target))
  const rules = mostCommon(broken.flatMap((one) => one.rules))
  if (met.length > 0 && broken.length === met.length) return { kind: 'breaks-rule', rules, because }
  return isText ? 'permitted' : { kind: 'undecided', rules, because }
}

function mostCommon(rules: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostRules)
    .map(([rule]) => rule)
}

interface DifferentMember {
  exchange: Exchange
  pointer: string
  isText: boolean
}

/** The text alone permits most values of the described form. */
function judgeMember({ exchange, pointer, isText }: DifferentMember, members: MemberRules): Ruling | 'permitted' {
  const { target } = exchange
  const { operation } = exchange.step
  const broken = target.answer ? brokenShapes(target.answer, members, operation) : []
  const rules = rulesAt(pointer, members, operation, mostRules)
  if (broken.length > 0)
    return {
      kind: 'breaks-rule',
      rules: [...new Set([...broken, ...rules])].slice(0, mostRules),
      because: 'the answer does not have the described form',
    }
  // The id of another contract than the requested one is wrong.
  const isWrong =
    pointer === '/createdEvent/contractId' ? !isEcho(target) : pointer.startsWith('/createdEvent/witnessParties')
  const isDetermined = isWrong || isFilled(pointer, exchange, members)
  if (isText && !isDetermined) return 'permitted'
  return rules.length > 0
    ? { kind: 'breaks-rule', rules, because: `${pointer} differs from the value of the reference` }
    : { kind: 'undecided', rules: [], because: `no rule determines ${pointer || 'the whole answer'}` }
}

function isEcho({ evidence, answer }: StepResult): boolean {
  const sent = evidence?.request.body?.text
  const contractId = valueAt(answer?.json, '/createdEvent/contractId')
  return typeof contractId !== 'string' || contractId === '' || sent?.includes(JSON.stringify(contractId)) === true
}

/** Reads of the ledger show effects of the last request under test. */
function judgeLedger(before: readonly Exchange[], members: MemberRules): Ruling {
  const last = before.toReversed().find(({ step }) => isOperationName(step.operation))
  if (!last) return { kind: 'undecided', rules: [], because: 'the operation is not under test' }
  if (outcomeOf(last.target) !== 'accepted')
    return { kind: 'breaks-rule', rules: ['GEN-NO-EFFECT'], because: 'the ledger contradicts the answers' }
  return {
    kind: 'breaks-rule',
    rules: rulesOfAnswers(members, last.step.operation).slice(0, mostRules),
    because: `the effects of ${last.step.operation} on the ledger differ`,
  }
}
