/** Requests of the two operations that are asked most. */
import { operations } from '../interface/operations.js'
import type { BenchRequest } from './load.js'

const template = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

export const asked = async (url: string, path: string, body: object): Promise<string> => {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}

export const got = async (url: string, path: string): Promise<string> => (await fetch(url + path)).text()

export const found = (text: string, name: string): string => {
  const [, value] = new RegExp(`"${name}":"([^"]+)"`).exec(text) ?? []
  if (value === undefined) throw new Error(`no ${name} in ${text}`)
  return value
}

/** A party and one of its contracts on a simulator. */
export interface Ground {
  party: string
  contractId: string
}

export async function prepareGround(url: string): Promise<Ground> {
  const party = found(await asked(url, '/v2/parties', { partyIdHint: 'alice' }), 'party')
  const accepted = await asked(url, operations['submit-and-wait'].path, submission(party, 'ground'))
  const [contractId = ''] = await contractIdsOf(url, { party }, found(accepted, 'updateId'))
  return { party, contractId }
}

/** Contracts that a transaction has created. */
export async function contractIdsOf(
  url: string,
  { party }: Pick<Ground, 'party'>,
  updateId: string,
): Promise<string[]> {
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } } }
  const update = await asked(url, '/v2/updates/update-by-id', {
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

/** So many contracts with one submission. */
export const creating = ({ party }: Ground, commandId: string, count: number): BenchRequest =>
  submitting(
    submission(
      party,
      commandId,
      Array.from({ length: count }, () => creation(party)),
    ),
  )

export const submit = ({ party }: Ground, commandId: string): BenchRequest => submitting(submission(party, commandId))

/** A choice that consumes the contract. */
export const exercise = ({ party, contractId }: Ground, commandId: string): BenchRequest => {
  const choice = { choice: 'AbortPing', choiceArgument: { anyone: party } }
  return submitting(
    submission(party, commandId, [{ ExerciseCommand: { templateId: template, contractId, ...choice } }]),
  )
}

export const lookUp = ({ party, contractId }: Ground): BenchRequest => ({
  path: operations['contract-by-id'].path,
  body: JSON.stringify({ contractId, queryingParties: [party] }),
  status: 200,
})

/** Requests that are refused for one reason after the other; none of them is taken up. */
export function refused({ party, contractId }: Ground): (index: number) => BenchRequest {
  const { 'submit-and-wait': submitAndWait, 'contract-by-id': contractById } = operations
  const nowhere = contractId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const choice = { templateId: template, contractId: nowhere, choice: 'Archive', choiceArgument: {} }
  const valid = submission(party, 'refused')
  const bodies: [path: string, body: unknown, status: number][] = [
    [contractById.path, { contractId: nowhere, queryingParties: [party] }, 404],
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
