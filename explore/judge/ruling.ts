/** What text and profile make of a difference: whether both answers are permitted, and if not, which rule is at stake. */
import { type OperationName, operations } from '../../interface/operations.js'
import type { Answer } from '../../runner/judge/answer.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf, saidBy } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import type { Told } from '../send/send-step.js'
import { bySituation, mostNamed } from './by-situation.js'
import { type AllStances, likely, type Stances, situationOf, stancesOf } from './expected-outcomes.js'
import { featuresWith } from './features.js'
import type { Ruling } from './finding.js'
import { brokenShapes, isFilled, type MemberRules, rulesAt, rulesOfAnswers, rulesOfMembers } from './member-rules.js'

export interface Rulebook {
  /** 'permitted': the profile has room for both answers. */
  rule(exchange: Exchange, before: readonly Exchange[]): Ruling | 'permitted'
  /** The situation by which the profile expects what the model answered, and not what the target did; undefined: none. */
  situationOf(exchange: Exchange): string | undefined
}

export interface RulebookSource {
  /** As the profile has it, and as the text alone does. Asked for once, when something has to be judged. */
  resolve(): { suite: ResolvedSuite; text: ResolvedSuite }
  /** The text alone is what is judged by. */
  isText: boolean
}

export function rulebookOf({ resolve, isText }: RulebookSource): Rulebook {
  let made: { stances: AllStances; members: MemberRules } | undefined
  const tables = () => {
    if (made) return made
    const { suite, text } = resolve()
    made = { stances: stancesOf(suite, text), members: rulesOfMembers(suite) }
    return made
  }
  return {
    situationOf: ({ turn, model, target }) =>
      situationOf(tables().stances.get(turn.operation) ?? none, turn, model.answer, target.answer),
    rule: (exchange, before) => {
      const { stances, members } = tables()
      const { turn, difference, model, target } = exchange
      if (!difference) return 'permitted'
      const operation = judgedOperation(turn.operation)
      if (!operation) return isText ? 'permitted' : onLedger(before, members)
      const { outcomes } = difference
      if (outcomes.target === 'server-error')
        return {
          kind: 'breaks-rule',
          rules: ['GEN-NO-SERVER-ERROR'],
          because: 'a request is answered by a server error',
        }
      if (outcomes.target === 'no-answer')
        return { kind: 'breaks-rule', rules: ['GEN-POST'], because: 'there is no answer' }
      if (outcomes.model === 'server-error' || outcomes.model === 'no-answer')
        return isText
          ? 'permitted'
          : { kind: 'model-may-be-wrong', rules: ['GEN-NO-SERVER-ERROR'], because: 'the model fails' }
      if (outcomes.model === 'accepted' && outcomes.target === 'accepted')
        return inAnswer(
          {
            ...{ pointer: difference.pointer, model: model.answer, target: target.answer },
            ...{ operation, isText, isEcho: isEcho(target) },
          },
          members,
        )
      // What an answer may leave out cannot be asked for afterwards.
      if (!model.answer || !target.answer)
        return isText ? 'permitted' : { kind: 'text-is-silent', because: 'one of the two was not asked' }
      const own = stances.get(operation) ?? none
      const said = {
        ...{ model: model.answer, target: target.answer, isAccepted: outcomes.target === 'accepted' },
        because: `what is answered with "${saidBy(model)}" must not be answered with "${saidBy(target)}"`,
      }
      const asked = before.map((one) => one.turn)
      return bySituation(likely(own, turn), featuresWith(asked, turn, own.members), said, isText)
    },
  }
}

const none: Stances = { bySituation: new Map(), members: new Set() }

const judgedOperation = (name: string): OperationName | undefined =>
  Object.hasOwn(operations, name) ? (name as OperationName) : undefined // just found to be a key

interface AnswerDiffers {
  pointer: string
  model: Answer | undefined
  target: Answer | undefined
  operation: string
  isText: boolean
  isEcho: boolean
}

/** By the text alone anything may be in an answer of the described form, but for what the text itself determines. */
function inAnswer(differs: AnswerDiffers, members: MemberRules): Ruling | 'permitted' {
  const { pointer, target, operation, isText } = differs
  const broken = target ? brokenShapes(target, members, operation) : []
  const rules = rulesAt(pointer, members, operation, mostNamed)
  if (broken.length > 0)
    return {
      ...{ kind: 'breaks-rule', rules: [...new Set([...broken, ...rules])].slice(0, mostNamed) },
      because: 'the answer is not of the form that is described',
    }
  // Ids have any form; who is told of another contract than he asked for is told wrong.
  const isWrong =
    pointer === '/createdEvent/contractId' ? !differs.isEcho : pointer.startsWith('/createdEvent/witnessParties')
  const isDetermined = isWrong || isFilled(pointer, differs, members, operation)
  if (isText && !isDetermined) return 'permitted'
  return rules.length > 0
    ? { kind: 'breaks-rule', rules, because: `${pointer} is another than what these rules and the model have there` }
    : { kind: 'text-is-silent', because: `no rule speaks of ${pointer || 'the whole answer'}` }
}

/** The contract that a target tells of is the one that it was asked for, or it does not say. */
function isEcho({ evidence, answer }: Told): boolean {
  const sent = evidence?.request.body?.text
  const told = valueAt(answer?.json, '/createdEvent/contractId')
  return typeof told !== 'string' || told === '' || sent?.includes(JSON.stringify(told)) === true
}

/** What is seen of the ledger is the doing of the requests before. */
function onLedger(before: readonly Exchange[], members: MemberRules): Ruling {
  const last = before.toReversed().find(({ turn }) => judgedOperation(turn.operation) !== undefined)
  if (!last) return { kind: 'text-is-silent', because: 'the operation only supports those under test' }
  const isRefused = outcomeOf(last.target) !== 'accepted'
  if (isRefused)
    return {
      kind: 'breaks-rule',
      rules: ['GEN-NO-EFFECT'],
      because: 'the ledger shows another history than the answers told of',
    }
  return {
    kind: 'breaks-rule',
    rules: rulesOfAnswers(members, last.turn.operation).slice(0, mostNamed),
    because: `the ledger shows other effects of ${last.turn.operation}`,
  }
}
