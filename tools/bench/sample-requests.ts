import { readFileSync } from 'node:fs'
import { operations } from '../../interface/operations.js'
import type { BenchRequest } from './load.js'

const template = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

export const postJson = async (url: string, path: string, body: object): Promise<string> => {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${text}`)
  return text
}

export const getText = async (url: string, path: string): Promise<string> => (await fetch(url + path)).text()

export const memberOf = (text: string, name: string): string => {
  const [, value] = new RegExp(`"${name}":"([^"]+)"`).exec(text) ?? []
  if (value === undefined) throw new Error(`no ${name} in ${text}`)
  return value
}

export interface Fixture {
  party: string
  contractId: string
}

export async function createFixture(url: string): Promise<Fixture> {
  const party = memberOf(await postJson(url, '/v2/parties', { partyIdHint: 'alice' }), 'party')
  const accepted = await postJson(url, operations['submit-and-wait'].path, submission(party, 'ground'))
  const [contractId = ''] = await contractIdsOf(url, { party }, memberOf(accepted, 'updateId'))
  return { party, contractId }
}

export async function contractIdsOf(
  url: string,
  { party }: Pick<Fixture, 'party'>,
  updateId: string,
): Promise<string[]> {
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } } }
  const update = await postJson(url, '/v2/updates/update-by-id', {
    updateId,
    updateFormat: { includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' } },
  })
  return [...update.matchAll(/"contractId":"([^"]+)"/g)].map(([, id = '']) => id)
}

const creation = (party: string) => ({
  CreateCommand: { templateId: template, createArguments: { id: 'x', initiator: party, responder: party } },
})

export const submission = (party: string, commandId: string, commands: object[] = [creation(party)]) => ({
  ...{ commands, commandId, actAs: [party], userId: 'bench' },
})

const submitting = (body: object): BenchRequest => ({
  path: operations['submit-and-wait'].path,
  body: JSON.stringify(body),
  status: 200,
})

export const creating = ({ party }: Fixture, commandId: string, count: number): BenchRequest =>
  submitting(
    submission(
      party,
      commandId,
      Array.from({ length: count }, () => creation(party)),
    ),
  )

export const submit = ({ party }: Fixture, commandId: string): BenchRequest => submitting(submission(party, commandId))

export const exercise = ({ party, contractId }: Fixture, commandId: string): BenchRequest => {
  const choice = { choice: 'AbortPing', choiceArgument: { anyone: party } }
  return submitting(
    submission(party, commandId, [{ ExerciseCommand: { templateId: template, contractId, ...choice } }]),
  )
}

export const lookUp = ({ party, contractId }: Fixture): BenchRequest => ({
  path: operations['contract-by-id'].path,
  body: JSON.stringify({ contractId, queryingParties: [party] }),
  status: 200,
})

/** Requests that are rejected for different reasons, in turns. */
export function rejected({ party, contractId }: Fixture): (index: number) => BenchRequest {
  const { 'submit-and-wait': submitAndWait, 'contract-by-id': contractById } = operations
  const unknownId = contractId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const choice = { templateId: template, contractId: unknownId, choice: 'Archive', choiceArgument: {} }
  const valid = submission(party, 'refused')
  const bodies: [path: string, body: unknown, status: number][] = [
    [contractById.path, { contractId: unknownId, queryingParties: [party] }, 404],
    [contractById.path, { contractId: 'no id', queryingParties: [party] }, 400],
    [contractById.path, { contractId: 7 }, 400],
    [submitAndWait.path, {}, 400],
    [submitAndWait.path, { ...valid, actAs: [] }, 400],
    [submitAndWait.path, { ...valid, commandId: 'ü' }, 400],
    [submitAndWait.path, { ...valid, commands: [{ ExerciseCommand: choice }] }, 404],
  ]
  const requests = bodies.map(([path, body, status]) => ({ path, body: JSON.stringify(body), status }))
  const broken = { path: submitAndWait.path, body: '{"commands":', status: 400 }
  const all: [BenchRequest, ...BenchRequest[]] = [broken, ...requests]
  return (index) => all[index % all.length] ?? broken
}

export async function uploadDar(url: string, name: string): Promise<void> {
  const body = readFileSync(new URL(`../../../model/packages/${name}.dar`, import.meta.url))
  const answer = await fetch(`${url}/v2/dars`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
}

const many = '#conformance-limits:ConformanceLimits:Many'

/** A choice of the contract creates any number of nodes. */
export async function createManyContract(url: string, { party }: Fixture): Promise<string> {
  const create = { CreateCommand: { templateId: many, createArguments: { owner: party } } }
  const accepted = await postJson(url, operations['submit-and-wait'].path, submission(party, 'many', [create]))
  const [contractId = ''] = await contractIdsOf(url, { party }, memberOf(accepted, 'updateId'))
  return contractId
}

let sent = 0

export function packageRequests({ party }: Fixture, contractId: string): Record<string, () => BenchRequest> {
  const request = (command: object) => submitting(submission(party, `package-${sent++}`, [command]))
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
