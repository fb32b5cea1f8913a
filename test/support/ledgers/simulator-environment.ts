/** Two parties on each synchronizer. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { operations } from '../../../interface/operations.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
// Loaded early: with a short time limit, the first upload has no time to load it.
import '../../../simulator/support/uploaded-packages.js'
import { connect, type Wire, type WireAnswer } from '../servers/wire.js'

export const submitPath = operations['submit-and-wait'].path
export const lookUpPath = operations['contract-by-id'].path
export const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

export interface SimulatorEnvironment {
  url: string
  wire: Wire
  alice: string
  bob: string
  synchronizer: string
  synchronizers: string[]
  participant: string
  /** `more` replaces members. */
  submission(more?: JsonObject): JsonObject
  ledgerEnd(): Promise<JsonValue>
}

let commands = 0

export function connectTo(t: Test, simulator: Simulator): Wire {
  const wire = connect(simulator.url)
  t.teardown(async () => {
    await wire.close()
    await simulator.close()
  })
  return wire
}

/** `headers`: the token of a user who may allocate parties. */
export const simulatorEnvironment = async (
  t: Test,
  options: SimulatorOptions = {},
  headers: Record<string, string> = {},
): Promise<SimulatorEnvironment> => environmentOf(t, await startSimulator(options), headers)

export async function environmentOf(
  t: Test,
  simulator: Simulator,
  headers: Record<string, string> = {},
): Promise<SimulatorEnvironment> {
  const wire = connectTo(t, simulator)
  const get = async (path: string): Promise<JsonObject> => objectIn(await wire.send({ method: 'GET', path, headers }))
  const { connectedSynchronizers } = await get('/v2/state/connected-synchronizers')
  const synchronizers = [connectedSynchronizers ?? []].flat().map((item) => textAt(item, 'synchronizerId'))
  const allocate = async (partyIdHint: string): Promise<string> => {
    const allocated = []
    for (const synchronizerId of synchronizers) {
      allocated.push(objectIn(await wire.post('/v2/parties', { partyIdHint, synchronizerId }, headers)))
    }
    return textAt(allocated[0]?.['partyDetails'], 'party')
  }
  const [alice, bob] = [await allocate('alice'), await allocate('bob')]
  return {
    url: simulator.url,
    wire,
    alice,
    bob,
    synchronizer: synchronizers[0] ?? '',
    synchronizers,
    participant: textAt(await get('/v2/parties/participant-id'), 'participantId'),
    submission: (more = {}) => {
      commands += 1
      const createArguments = { id: 'ping', initiator: alice, responder: bob }
      const create = { CreateCommand: { templateId: ping, createArguments } }
      return { commands: [create], commandId: `c-${commands}`, actAs: [alice], userId: 'user', ...more }
    },
    ledgerEnd: async () => (await get('/v2/state/ledger-end'))['offset'] ?? null,
  }
}

export function objectIn({ status, json, text }: WireAnswer): JsonObject {
  const body = json()
  if (!isJsonObject(body)) throw new Error(`no JSON object with ${status}: ${text.slice(0, 200)}`)
  return body
}

export function textAt(value: JsonValue | undefined, name: string): string {
  const found = isJsonObject(value) ? value[name] : undefined
  if (typeof found !== 'string') throw new Error(`no string ${name} in ${JSON.stringify(value)}`)
  return found
}

export async function createdContract(
  environment: SimulatorEnvironment,
  submission: JsonObject = environment.submission(),
  headers: Record<string, string> = {},
): Promise<{ contractId: string; blob: string }> {
  const accepted = objectIn(await environment.wire.post(submitPath, submission, headers))
  const [party = environment.alice] = Array.isArray(submission['actAs']) ? submission['actAs'].map(String) : []
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } } }
  const updateFormat = {
    includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
  }
  const request = { updateId: accepted['updateId'] ?? '', updateFormat }
  const update = await environment.wire.post('/v2/updates/update-by-id', request, headers)
  const [, contractId] = /"contractId":"([0-9a-f]+)"/.exec(update.text) ?? []
  const [, blob] = /"createdEventBlob":"([^"]+)"/.exec(update.text) ?? []
  if (contractId === undefined || blob === undefined) throw new Error(`no created contract in ${update.text}`)
  return { contractId, blob }
}

const folder = new URL('../../../../model/packages/', import.meta.url)
// In version order.
const archives = readdirSync(folder)
  .filter((name) => name.endsWith('.dar'))
  .sort()
const isInvalidUpgrade = (name: string): boolean => name.includes('1.2.0')
/** Only one package of each name and version can be vetted. */
const isSecond = (name: string): boolean => name.endsWith('-b.dar')

/** Those that can be vetted together. */
export async function uploadPackages(wire: Wire): Promise<void> {
  for (const name of archives) if (!isInvalidUpgrade(name) && !isSecond(name)) await upload(wire, name, '/v2/dars')
}

export async function uploadUnvetted(wire: Wire): Promise<void> {
  for (const name of archives)
    if (isInvalidUpgrade(name) || isSecond(name)) await upload(wire, name, '/v2/dars?vetAllPackages=false')
}

async function upload(wire: Wire, name: string, path: string): Promise<void> {
  const { status, text } = await wire.send({ path, body: readFileSync(new URL(name, folder)) })
  if (status !== 200) throw new Error(`upload of ${name}: ${text}`)
}
