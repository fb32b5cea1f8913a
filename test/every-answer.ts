/** Asks a participant everything that it can be asked about what it remembers. */
import type { JsonObject } from '../interface/json.js'
import { supportOperations } from '../interface/operations.js'
import type { LedgerState } from '../simulator/ledger/ledger-state.js'
import { lookUpPath } from './simulator-world.js'
import type { Wire, WireRequest } from './wire.js'

const get = (path: string): WireRequest => ({ method: 'GET', path })
const post = (path: string, body: JsonObject): WireRequest => ({ path, body: JSON.stringify(body) })

const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
const eventFormat = { filtersByParty: {}, filtersForAnyParty: { cumulative: [wildcard] }, verbose: true }
const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
const updateFormat = { includeTransactions: { eventFormat, transactionShape } }

/** One request for everything that a state has a name for. */
export function everyQuestion(state: LedgerState, users: Iterable<string>): WireRequest[] {
  const { 'connected-synchronizers': connected, 'list-vetted-packages': vetted } = supportOperations
  const parties = [...state.parties.keys()]
  return [
    ...['/v2/version', '/v2/parties/participant-id', '/v2/state/ledger-end', connected.path, '/v2/packages'].map(get),
    ...parties.flatMap((party) => [
      get(`/v2/parties/${encodeURIComponent(party)}`),
      get(`${connected.path}?party=${encodeURIComponent(party)}`),
    ]),
    get('/v2/users'),
    ...[...users].flatMap((user) => [get(`/v2/users/${user}`), get(`/v2/users/${user}/rights`)]),
    post(vetted.path, {}),
    ...state.packages.all().map(({ id }) => get(`/v2/packages/${id}/status`)),
    ...[...state.transactions.values()].flatMap(({ updateId, offset }) => [
      post('/v2/updates/update-by-id', { updateId, updateFormat }),
      post('/v2/updates', { beginExclusive: offset - 1, endInclusive: offset, updateFormat }),
    ]),
    ...[state.end, state.end >> 1].map((activeAtOffset) =>
      post('/v2/state/active-contracts?limit=1000', { activeAtOffset, eventFormat }),
    ),
    ...[...state.contracts].flatMap(([contractId, { contract }]) => [
      post('/v2/events/events-by-contract-id', { contractId, eventFormat }),
      post(lookUpPath, { contractId, queryingParties: contract.signatories }),
    ]),
    ...[...new Set(state.completions.map(({ submission }) => submission.userId))].map((userId) =>
      post('/v2/commands/completions?limit=10000', { userId, parties, beginExclusive: 0 }),
    ),
  ]
}

/** What has happened since the offset. */
export const newsAfter = (offset: number): WireRequest[] => [
  get('/v2/state/ledger-end'),
  post('/v2/updates', { beginExclusive: offset, updateFormat }),
]

/** Sends the requests one after the other and returns what was answered. */
export async function answers(wire: Wire, requests: readonly WireRequest[]): Promise<string[]> {
  const told: string[] = []
  for (const request of requests) {
    const { status, text } = await wire.send(request)
    told.push(`${request.path} ${String(request.body ?? '')}\n${status} ${text}`)
  }
  return told
}
