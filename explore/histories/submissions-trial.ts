/** Several clients submit at once, some the same change. */
import { printJson } from '../../lib/json/json.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { createPing, submitOne } from '../generate/draft-step.js'
import { chance } from '../generate/draw.js'
import { readEnd, readUpdates } from '../generate/lookups.js'
import type { MakeTrial, Operation, Trial } from './trial.js'

type Input = { change: string } | 'read'
type Output = { update: string } | 'refused' | { listed: readonly string[] }
type State = ReadonlyMap<string, string>

const clients = 8

export const submissionsTrial: MakeTrial = (draw, number) => {
  const submission = (client: number, change: string): Operation<Input> => ({
    client,
    input: { change },
    step: submitOne(`submit ${change}`, createPing(`h${number}`), `${change}-${number}`),
  })
  const trial: Trial<State, Input, Output> = {
    name: 'submissions',
    rules: ['SAW-DUPLICATE-REJECTED', 'SAW-UPDATE-ID', 'GEN-NO-EFFECT'],
    sentence: 'The ledger contains each accepted change exactly once, and no other change.',
    setup: [readEnd('begin')],
    operations: Array.from({ length: clients }, (_, client) => [
      submission(client, draw(chance(60)) ? 'same' : `own-${client}`),
      submission(client, `other-${client}`),
    ]).flat(),
    finalReads: [
      { input: 'read', step: readEnd('end') },
      { input: 'read', step: readUpdates(['alice']) },
    ],
    outputOf: (input, result, variables) => {
      const { answer } = result
      const outcome = outcomeOf(result)
      if (input === 'read') {
        const row = String(variables.get('row'))
        const listed = outcome === 'accepted' && Array.isArray(answer?.json) ? answer.json : undefined
        const own = listed?.filter((item) => printJson(item).includes(row))
        return own && { listed: own.map((item) => String(valueAt(item, '/update/Transaction/value/updateId'))) }
      }
      if (outcome === 'refused') return 'refused'
      const update = valueAt(answer?.json, '/updateId')
      return outcome === 'accepted' && typeof update === 'string' ? { update } : undefined
    },
    specification: {
      initial: new Map(),
      keyOf: (state) =>
        [...state]
          .map((pair) => pair.join('='))
          .sort()
          .join(),
      apply: (state, input, output) => {
        if (output === 'refused') return [state]
        if (input === 'read')
          return typeof output === 'object' && 'listed' in output && sameItems([...state.values()], output.listed)
            ? [state]
            : []
        const isNew = !state.has(input.change) && 'update' in output && ![...state.values()].includes(output.update)
        return isNew && 'update' in output ? [new Map(state).set(input.change, output.update)] : []
      },
    },
  }
  return trial as Trial // inputs and outputs belong to one trial
}

const sameItems = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join()
