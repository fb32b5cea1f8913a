import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { ping, type SimulatorEnvironment, submitPath } from '../support/ledgers/simulator-environment.js'
import type { WireAnswer } from '../support/servers/wire.js'

const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }

export const seenBy = (party: string): JsonObject => ({ filtersByParty: { [party]: { cumulative: [wildcard] } } })

export const updatesOf = (party: string, more: JsonObject = {}): JsonObject => ({
  beginExclusive: 0,
  updateFormat: {
    includeTransactions: { eventFormat: seenBy(party), transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
  },
  ...more,
})

/** As one transaction of alice. */
export const submitPings = (
  { wire, alice, bob, submission }: SimulatorEnvironment,
  ids: readonly string[] = ['ping'],
  headers: Record<string, string> = {},
): Promise<WireAnswer> =>
  wire.post(
    submitPath,
    submission({
      userId: '',
      commands: ids.map((id) => ({
        CreateCommand: { templateId: ping, createArguments: { id, initiator: alice, responder: bob } },
      })),
      ...(Object.keys(headers).length === 0 && { userId: 'user' }),
    }),
    headers,
  )

export async function listed({ wire }: SimulatorEnvironment, path: string, request: JsonObject): Promise<JsonValue[]> {
  const answer = await wire.post(`${path}?stream_idle_timeout_ms=0`, request)
  const elements = answer.json()
  if (!Array.isArray(elements)) throw new Error(`no list: ${answer.text.slice(0, 200)}`)
  return elements
}
