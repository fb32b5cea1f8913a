import { isOperationName } from '../../interface/operations.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf, summarizeAnswer } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import type { StepResult } from '../send/step.js'
import { judgeBySituation, mostRules } from './by-situation.js'
import {
  collectOutcomes,
  type ExpectedOutcomes,
  noOutcomes,
  possibleOutcomes,
  situationOf,
} from './expected-outcomes.js'
import { featuresWith } from './features.js'
import type { Ruling } from './finding.js'
import { brokenShapes, isFilled, type MemberRules, rulesAt, rulesOfAnswers, rulesOfMembers } from './member-rules.js'

export interface Rulebook {
  judge(exchange: Exchange, before: readonly Exchange[]): Ruling | 'permitted'
  /** Its outcome is the reference's answer and, if possible, not the target's. */
  situationOf(exchange: Exchange): string | undefined
}

export interface RulebookSource {
  /** Called once, at the first difference. */
  resolve(): { suite: ResolvedSuite; text: ResolvedSuite }
  isText: boolean
}

export function rulebookOf({ resolve, isText }: RulebookSource): Rulebook {
  let made: { outcomes: ExpectedOutcomes; members: MemberRules } | undefined
  const tables = () => {
    if (made) return made
    const { suite, text } = resolve()
    made = { outcomes: collectOutcomes(suite, text), members: rulesOfMembers(suite) }
    return made
  }
  return {
    situationOf: ({ step, reference, target }) =>
      situationOf(tables().outcomes.get(step.operation) ?? noOutcomes, step, reference.answer, target.answer),
    judge: (exchange, before) => {
      const { step, difference, reference, target } = exchange
      if (!difference) return 'permitted'
      const { outcomes, members } = tables()
      const { operation } = step
      if (!isOperationName(operation)) return isText ? 'permitted' : judgeLedger(before, members)
      const { pointer, outcomes: met } = difference
      const failure = judgeFailures(met, isText)
      if (failure) return failure
      if (met.reference === 'accepted' && met.target === 'accepted') {
        const answers = { reference: reference.answer, target: target.answer, isEcho: isEcho(target) }
        return judgeMember({ pointer, ...answers, operation, isText }, members)
      }
      if (!reference.answer || !target.answer)
        return isText
          ? 'permitted'
          : { kind: 'text-is-silent', because: 'an earlier answer of one side lacks a value of the request' }
      const own = outcomes.get(operation) ?? noOutcomes
      const earlier = before.map((one) => one.step)
      return judgeBySituation(
        possibleOutcomes(own, step),
        featuresWith(earlier, step, own.members),
        {
          reference: reference.answer,
          target: target.answer,
          isAccepted: met.target === 'accepted',
          because: `the reference returns "${summarizeAnswer(reference)}", and "${summarizeAnswer(target)}" is not permitted`,
        },
        isText,
      )
    },
  }
}

function judgeFailures(
  { reference, target }: NonNullable<Exchange['difference']>['outcomes'],
  isText: boolean,
): Ruling | 'permitted' | undefined {
  const rules = ['GEN-NO-SERVER-ERROR']
  if (target === 'server-error') return { kind: 'breaks-rule', rules, because: 'the target returns a server error' }
  if (target === 'no-answer')
    return { kind: 'breaks-rule', rules: ['GEN-POST'], because: 'the target returns no answer' }
  if (reference !== 'server-error' && reference !== 'no-answer') return undefined
  if (isText) return 'permitted'
  return { kind: 'model-may-be-wrong', rules, because: 'the reference returns a server error or no answer' }
}

interface DifferentMember {
  pointer: string
  reference: Answer | undefined
  target: Answer | undefined
  operation: string
  isText: boolean
  isEcho: boolean
}

/** The text alone permits most values of the described form. */
function judgeMember(different: DifferentMember, members: MemberRules): Ruling | 'permitted' {
  const { pointer, target, operation, isText, isEcho } = different
  const broken = target ? brokenShapes(target, members, operation) : []
  const rules = rulesAt(pointer, members, operation, mostRules)
  if (broken.length > 0)
    return {
      kind: 'breaks-rule',
      rules: [...new Set([...broken, ...rules])].slice(0, mostRules),
      because: 'the answer does not have the described form',
    }
  // The id of another contract than the requested one is wrong.
  const isWrong = pointer === '/createdEvent/contractId' ? !isEcho : pointer.startsWith('/createdEvent/witnessParties')
  const isDetermined = isWrong || isFilled(pointer, different, members, operation)
  if (isText && !isDetermined) return 'permitted'
  return rules.length > 0
    ? { kind: 'breaks-rule', rules, because: `${pointer} differs from the value of the reference` }
    : { kind: 'text-is-silent', because: `no rule determines ${pointer || 'the whole answer'}` }
}

function isEcho({ evidence, answer }: StepResult): boolean {
  const sent = evidence?.request.body?.text
  const contractId = valueAt(answer?.json, '/createdEvent/contractId')
  return typeof contractId !== 'string' || contractId === '' || sent?.includes(JSON.stringify(contractId)) === true
}

/** Reads of the ledger show effects of the last request under test. */
function judgeLedger(before: readonly Exchange[], members: MemberRules): Ruling {
  const last = before.toReversed().find(({ step }) => isOperationName(step.operation))
  if (!last) return { kind: 'text-is-silent', because: 'the operation is not under test' }
  if (outcomeOf(last.target) !== 'accepted')
    return { kind: 'breaks-rule', rules: ['GEN-NO-EFFECT'], because: 'the ledger contradicts the answers' }
  return {
    kind: 'breaks-rule',
    rules: rulesOfAnswers(members, last.step.operation).slice(0, mostRules),
    because: `the effects of ${last.step.operation} on the ledger differ`,
  }
}
