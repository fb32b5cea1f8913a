import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { objectIn, type SimulatorEnvironment, submitPath, textAt } from './simulator-environment.js'

export interface Outcome {
  /** `200`, or status and code. */
  code: string
  /** With LEDGER_EFFECTS, for the acting parties. */
  events: [kind: string, event: JsonObject][]
  body: JsonObject
}

let count = 0

export const createCommand = (templateId: string, createArguments: JsonValue): JsonObject => ({
  CreateCommand: { templateId, createArguments },
})

export const exerciseCommand = (
  templateId: string,
  contractId: string,
  choice: string,
  choiceArgument: JsonValue = {},
): JsonObject => ({ ExerciseCommand: { templateId, contractId, choice, choiceArgument } })

export async function submit(
  environment: SimulatorEnvironment,
  actAs: string | string[],
  commands: JsonObject | JsonObject[],
  more: JsonObject = {},
): Promise<Outcome> {
  count += 1
  const parties = [actAs].flat()
  const request = { actAs: parties, commands: [commands].flat(), commandId: `call-${count}`, userId: 'user', ...more }
  const answer = await environment.wire.post(submitPath, request)
  const body = objectIn(answer)
  if (answer.status !== 200) return { code: `${answer.status} ${textAt(body, 'code')}`, events: [], body }
  const events = await eventsOf(environment, textAt(body, 'updateId'), parties)
  return { code: '200', events, body }
}

export async function eventsOf(
  environment: SimulatorEnvironment,
  updateId: string,
  parties: string[],
  transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
): Promise<Outcome['events']> {
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, { cumulative: [wildcard] }]))
  const updateFormat = { includeTransactions: { eventFormat: { filtersByParty }, transactionShape } }
  const answer = await environment.wire.post('/v2/updates/update-by-id', { updateId, updateFormat })
  if (answer.status === 404) return []
  const update = JSON.parse(answer.text) as {
    update: { Transaction: { value: { events: Record<string, JsonObject>[] } } }
  } // the shape of each update by id
  return update.update.Transaction.value.events.flatMap((event) => Object.entries(event))
}

/** Of the first created contract. */
export function createdIn({ events, body }: Outcome): { contractId: string; blob: string } {
  const [, event] = events.find(([kind]) => kind === 'CreatedEvent') ?? []
  if (!event) throw new Error(`no created contract: ${JSON.stringify(body)}`)
  return { contractId: textAt(event, 'contractId'), blob: textAt(event, 'createdEventBlob') }
}

/** Of the first exercised choice, or the code. */
export function resultOf({ code, events }: Outcome): JsonValue {
  const [, event] = events.find(([kind]) => kind === 'ExercisedEvent') ?? []
  return event?.['exerciseResult'] ?? code
}

export const prepare = async (environment: SimulatorEnvironment, party: string, command: JsonObject, scheme = 'V2') => {
  const request = { actAs: [party], commands: [command], commandId: 'prepared', userId: 'user', synchronizerId: '' }
  const more = { packageIdSelectionPreference: [], hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}` }
  return environment.wire.post('/v2/interactive-submission/prepare', { ...request, ...more })
}
