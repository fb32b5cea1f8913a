/** Several clients consume one contract at once. */
import { constantFrom } from 'fast-check'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { createPing, eventFormatFor, submitOne, updateFormatFor, variable } from '../generate/draft-step.js'
import { readEvents, readUpdate } from '../generate/lookups.js'
import { ping } from '../generate/templates.js'
import type { MakeTrial, Trial } from './trial.js'

type Input = 'consume' | 'read'
type Output = 'accepted' | 'refused' | 'active' | 'archived'

const clients = 10

const uses = [
  { choice: 'Respond', choiceArgument: {}, actor: 'bob' },
  { choice: 'AbortPing', choiceArgument: { anyone: variable('alice') }, actor: 'alice' },
  { choice: 'Archive', choiceArgument: {}, actor: 'alice' },
]

export const contractTrial: MakeTrial = (draw, number) => {
  const trial: Trial<boolean, Input, Output> = {
    name: 'one contract',
    rules: ['SAW-ATOMIC'],
    sentence: 'At most one of several concurrent commands consumes a contract.',
    setup: [
      submitOne('create a contract', createPing(`h${number}`), `new-${number}`, 'alice', { update: '/updateId' }),
      readUpdate('read the contract id', 'update', updateFormatFor(['alice'], false), {
        capture: { contract: '/update/Transaction/value/events/0/CreatedEvent/contractId' },
      }),
    ],
    operations: Array.from({ length: clients }, (_, client) => {
      const { choice, choiceArgument, actor } = draw(constantFrom(...uses))
      const command = { templateId: ping, contractId: variable('contract'), choice, choiceArgument }
      return {
        client,
        input: 'consume',
        step: submitOne(choice, { ExerciseCommand: command }, `use-${number}-${client}`, actor),
      }
    }),
    finalReads: [
      {
        input: 'read',
        step: readEvents('read the events of the contract', {
          contractId: variable('contract'),
          eventFormat: eventFormatFor(['alice'], false),
        }),
      },
    ],
    outputOf: (input, result) => {
      const outcome = outcomeOf(result)
      if (input === 'consume') return outcome === 'accepted' || outcome === 'refused' ? outcome : undefined
      if (outcome !== 'accepted') return undefined
      return (valueAt(result.answer?.json, '/archived') ?? null) === null ? 'active' : 'archived'
    },
    specification: {
      initial: true,
      keyOf: String,
      apply: (isActive, _, output) => {
        if (output === 'accepted') return isActive ? [false] : []
        if (output === 'refused') return [isActive]
        return isActive === (output === 'active') ? [isActive] : []
      },
    },
  }
  return trial as Trial // inputs and outputs belong to one trial
}
