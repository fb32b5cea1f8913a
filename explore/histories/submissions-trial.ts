/** Several submit at once, some of them the same change: each change is carried out once, and what was accepted is there, once. */
import { printJson } from '../../lib/json/json.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { formatFor, turnOf } from '../generate/draft-step.js'
import { ping } from '../generate/templates.js'
import { unique, variable } from '../generate/variable.js'
import type { MakeRound, Operation, Round } from './trial.js'

type Input = { change: string } | 'look'
type Output = { update: string } | 'refused' | { there: readonly string[] }
/** Updates by their changes. */
type State = ReadonlyMap<string, string>

const clients = 8

export const submissionsRound: MakeRound = (random, number) => {
  const submission = (client: number, change: string): Operation<Input> => ({
    client,
    input: { change },
    turn: turnOf({
      about: `submit ${change}`,
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
        ...{ commandId: unique(`${change}-${number}`), actAs: [variable('alice')], userId: variable('user') },
      },
    }),
  })
  const round: Round<State, Input, Output> = {
    name: 'submissions',
    rules: ['SAW-DUPLICATE-REJECTED', 'SAW-UPDATE-ID', 'GEN-NO-EFFECT'],
    sentence: 'A change is carried out once, what was accepted is on the ledger, once, and nothing else is.',
    setUp: [turnOf({ about: 'where the ledger ends', operation: 'ledger-end', capture: { begin: '/offset' } })],
    operations: Array.from({ length: clients }, (_, client) => [
      submission(client, random.chance(0.6) ? 'same' : `own-${client}`),
      submission(client, `other-${client}`),
    ]).flat(),
    fence: [
      {
        input: 'look',
        turn: turnOf({ about: 'where the ledger ends', operation: 'ledger-end', capture: { end: '/offset' } }),
      },
      {
        input: 'look',
        turn: turnOf({
          about: 'all that has happened',
          operation: 'updates',
          query: { stream_idle_timeout_ms: '5000' },
          body: {
            beginExclusive: variable('begin'),
            endInclusive: variable('end'),
            updateFormat: {
              includeTransactions: {
                eventFormat: formatFor(['alice'], false),
                transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
              },
            },
          },
        }),
      },
    ],
    read: (input, told, variables) => {
      const { answer } = told
      const outcome = outcomeOf(told)
      if (input === 'look') {
        const row = String(variables.get('row'))
        const listed = outcome === 'accepted' && Array.isArray(answer?.json) ? answer.json : undefined
        const own = listed?.filter((item) => printJson(item).includes(row))
        return own && { there: own.map((item) => String(valueAt(item, '/update/Transaction/value/updateId'))) }
      }
      if (outcome === 'refused') return 'refused'
      const update = valueAt(answer?.json, '/updateId')
      return outcome === 'accepted' && typeof update === 'string' ? { update } : undefined
    },
    model: {
      initial: new Map(),
      keyOf: (state) =>
        [...state]
          .map((pair) => pair.join('='))
          .sort()
          .join(),
      step: (state, input, output) => {
        if (output === 'refused') return [state]
        if (input === 'look')
          return typeof output === 'object' && 'there' in output && sameItems([...state.values()], output.there)
            ? [state]
            : []
        const isNew = !state.has(input.change) && 'update' in output && ![...state.values()].includes(output.update)
        return isNew && 'update' in output ? [new Map(state).set(input.change, output.update)] : []
      },
    },
  }
  return round as Round // what is read and what is stepped are of one round
}

const sameItems = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join()
