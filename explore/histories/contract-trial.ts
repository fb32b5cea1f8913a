/** Several use up one contract at once: it can be used up once. */

import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { formatFor, turnOf } from '../generate/draft-step.js'
import { ping } from '../generate/templates.js'
import { unique, variable } from '../generate/variable.js'
import type { MakeRound, Round } from './trial.js'

type Input = 'use up' | 'look'
type Output = 'accepted' | 'refused' | 'active' | 'archived'

const clients = 10

export const contractRound: MakeRound = (random, number) => {
  const round: Round<boolean, Input, Output> = {
    name: 'one contract',
    rules: ['SAW-ATOMIC'],
    sentence: 'A contract is used up once, by whoever comes first.',
    setUp: [
      turnOf({
        about: 'create a contract',
        operation: 'submit-and-wait',
        body: {
          commands: [
            {
              CreateCommand: {
                templateId: ping,
                createArguments: { id: unique(`h${number}`), initiator: variable('alice'), responder: variable('bob') },
              },
            },
          ],
          ...{ commandId: unique(`new-${number}`), actAs: [variable('alice')], userId: variable('user') },
        },
        capture: { update: '/updateId' },
      }),
      turnOf({
        about: 'read its id',
        operation: 'update-by-id',
        body: {
          updateId: variable('update'),
          updateFormat: {
            includeTransactions: {
              eventFormat: formatFor(['alice'], false),
              transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
            },
          },
        },
        capture: { contract: '/update/Transaction/value/events/0/CreatedEvent/contractId' },
      }),
    ],
    operations: Array.from({ length: clients }, (_, client) => {
      const [choice, argument, actor] = random.pick([
        ['Respond', {}, 'bob'],
        ['AbortPing', { anyone: variable('alice') }, 'alice'],
        ['Archive', {}, 'alice'],
      ] as const)
      return {
        client,
        input: 'use up',
        turn: turnOf({
          about: choice,
          operation: 'submit-and-wait',
          body: {
            commands: [
              {
                ExerciseCommand: {
                  templateId: ping,
                  contractId: variable('contract'),
                  choice,
                  choiceArgument: argument,
                },
              },
            ],
            ...{ commandId: unique(`use-${number}-${client}`), actAs: [variable(actor)], userId: variable('user') },
          },
        }),
      }
    }),
    fence: [
      {
        input: 'look',
        turn: turnOf({
          about: 'what became of it',
          operation: 'events-by-contract-id',
          body: { contractId: variable('contract'), eventFormat: formatFor(['alice'], false) },
        }),
      },
    ],
    read: (input, told) => {
      const outcome = outcomeOf(told)
      if (input === 'use up') return outcome === 'accepted' || outcome === 'refused' ? outcome : undefined
      if (outcome !== 'accepted') return undefined
      return (valueAt(told.answer?.json, '/archived') ?? null) === null ? 'active' : 'archived'
    },
    model: {
      initial: true,
      keyOf: String,
      step: (isActive, _, output) => {
        if (output === 'accepted') return isActive ? [false] : []
        if (output === 'refused') return [isActive]
        return isActive === (output === 'active') ? [isActive] : []
      },
    },
  }
  return round as Round // what is read and what is stepped are of one round
}
