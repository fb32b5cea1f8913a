import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { objectIn, type SimulatorEnvironment, submitPath } from '../ledgers/simulator-environment.js'
import { at } from '../replay/replay-variables.js'
import type { WireAnswer } from '../servers/wire.js'

const blob = { includeCreatedEventBlob: false }
export const template = (templateId: string): JsonObject => ({ TemplateFilter: { value: { templateId, ...blob } } })
export const interfaceOf = (interfaceId: string): JsonObject => ({
  InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, ...blob } },
})
export const wildcard: JsonObject = { WildcardFilter: { value: blob } }

export const only = (party: string, ...filters: JsonObject[]): JsonObject => ({
  filtersByParty: { [party]: { cumulative: filters.map((identifierFilter) => ({ identifierFilter })) } },
})

export const acsPath = '/v2/state/active-contracts'

export const create = (entity: string, createArguments: JsonObject): JsonObject => ({
  CreateCommand: { templateId: `#conformance-model:Conformance:${entity}`, createArguments },
})
export const exercise = (
  entity: string,
  contractId: string,
  choice: string,
  choiceArgument: JsonObject = {},
): JsonObject => ({
  ExerciseCommand: { templateId: `#conformance-model:Conformance:${entity}`, contractId, choice, choiceArgument },
})

/** For alice. Returns the transaction. */
export async function submit(
  { wire, submission }: SimulatorEnvironment,
  commands: JsonObject[],
  more: JsonObject = {},
) {
  const { updateId, completionOffset } = objectIn(await wire.post(submitPath, submission({ commands, ...more })))
  return { updateId: String(updateId), offset: Number(completionOffset) }
}

export const objects = (value: JsonValue): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
export const codeOf = (answer: WireAnswer): string => {
  if (!answer.contentType?.startsWith('application/json')) return `${answer.status} ${answer.text}`
  const body = answer.json()
  return `${answer.status} ${isJsonObject(body) ? String(body['code']) : 'a list'}`
}

export const activeContract = (entry: JsonObject) =>
  at(entry, '/contractEntry/JsActiveContract/createdEvent') as JsonObject // an entry of a contract
export const textsOf = (entries: JsonObject[]): JsonValue[] =>
  entries.map((entry) => at(activeContract(entry), '/createArgument/text') ?? null)

export const note = (author: string, text: string, readers: string[] = []) => create('Note', { author, readers, text })
