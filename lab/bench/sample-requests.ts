/** Requests to a simulator with one party and its contracts of the built-in package. */
import { operations, supportOperations } from '../../interface/operations.js'
import type { BenchRequest } from './load.js'

const template = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

export async function postJson(url: string, path: string, body: object): Promise<string> {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${text}`)
  return text
}

function memberOf(text: string, name: string): string {
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
  const [contractId = ''] = await createContracts(url, party, 1)
  return { party, contractId }
}

let commands = 0

const submission = (party: string, contracts = 1) => ({
  commands: Array.from({ length: contracts }, () => ({
    CreateCommand: { templateId: template, createArguments: { id: 'x', initiator: party, responder: party } },
  })),
  commandId: `command-${commands++}`,
  actAs: [party],
  userId: 'bench',
})

/** In one transaction. Resolves with the contract ids. */
export async function createContracts(url: string, party: string, count: number): Promise<string[]> {
  const accepted = await postJson(url, operations['submit-and-wait'].path, submission(party, count))
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } } }
  const update = await postJson(url, '/v2/updates/update-by-id', {
    updateId: memberOf(accepted, 'updateId'),
    updateFormat: { includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' } },
  })
  return [...update.matchAll(/"contractId":"([^"]+)"/g)].map(([, id = '']) => id)
}

export const submit = ({ party }: Fixture): BenchRequest => ({
  path: operations['submit-and-wait'].path,
  body: JSON.stringify(submission(party)),
  status: 200,
})

export const prepare = ({ party }: Fixture): BenchRequest => ({
  path: supportOperations.prepare.path,
  body: JSON.stringify({ ...submission(party), synchronizerId: '', packageIdSelectionPreference: [] }),
  status: 200,
})

export const lookUp = ({ party, contractId }: Fixture): BenchRequest => ({
  path: operations['contract-by-id'].path,
  body: JSON.stringify({ contractId, queryingParties: [party] }),
  status: 200,
})

/** Requests that are rejected for different reasons, in turns. */
export function rejected({ party, contractId }: Fixture): () => BenchRequest {
  const { 'submit-and-wait': submitAndWait, 'contract-by-id': contractById } = operations
  const unknownId = contractId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const bodies: [path: string, body: unknown, status: number][] = [
    [contractById.path, { contractId: unknownId, queryingParties: [party] }, 404],
    [contractById.path, { contractId: 'no id', queryingParties: [party] }, 400],
    [contractById.path, { contractId: 7 }, 400],
    [submitAndWait.path, {}, 400],
    [submitAndWait.path, { ...submission(party), actAs: [] }, 400],
  ]
  const requests = bodies.map(([path, body, status]) => ({ path, body: JSON.stringify(body), status }))
  const broken = { path: submitAndWait.path, body: '{"commands":', status: 400 }
  let index = 0
  return () => requests[index++ % (requests.length + 1)] ?? broken
}
