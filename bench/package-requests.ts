/** Requests with packages of the model. */
import { readFileSync } from 'node:fs'
import { operations } from '../interface/operations.js'
import type { BenchRequest } from './load.js'
import { type Fixture, memberOf, postJson } from './sample-requests.js'

export async function uploadDar(url: string, name: string): Promise<void> {
  const body = readFileSync(new URL(`../../model/packages/${name}.dar`, import.meta.url))
  const answer = await fetch(`${url}/v2/dars`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
}

let commands = 0

const submission = (party: string, command: object) => ({
  ...{ commands: [command], commandId: `package-${commands++}`, actAs: [party], userId: 'bench' },
})

const path = operations['submit-and-wait'].path
const many = '#conformance-limits:ConformanceLimits:Many'

/** Creates a contract with a choice that creates any number of nodes. */
export async function createManyContract(url: string, { party }: Fixture): Promise<string> {
  const accepted = await postJson(
    url,
    path,
    submission(party, { CreateCommand: { templateId: many, createArguments: { owner: party } } }),
  )
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } } }
  const update = await postJson(url, '/v2/updates/update-by-id', {
    updateId: memberOf(accepted, 'updateId'),
    updateFormat: { includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' } },
  })
  return memberOf(update, 'contractId')
}

export function packageRequests({ party }: Fixture, contractId: string): Record<string, () => BenchRequest> {
  const request = (command: object): BenchRequest => ({
    path,
    body: JSON.stringify(submission(party, command)),
    status: 200,
  })
  const asset = '#conformance-model:Conformance:Asset'
  const createArguments = { issuer: party, owner: party, name: 'gold', amount: '3' }
  const guarded = '#conformance-model:Conformance:Guarded'
  return {
    create: () => request({ CreateCommand: { templateId: asset, createArguments } }),
    'create and exercise': () =>
      request({
        CreateAndExerciseCommand: {
          ...{ templateId: guarded, createArguments: { owner: party, amount: '3' } },
          ...{ choice: 'Spend', choiceArgument: { amount: '1' } },
        },
      }),
    'exercise with 30 creates': () =>
      request({
        ExerciseCommand: { templateId: many, contractId, choice: 'CreateMany', choiceArgument: { count: '30' } },
      }),
  }
}
