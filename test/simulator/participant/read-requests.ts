import { supportOperations } from '../../../interface/operations.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { LedgerState } from '../../../simulator/ledger/state/ledger-state.js'
import type { Transaction } from '../../../simulator/ledger/transactions/transaction.js'
import { lookUpPath } from '../../support/ledgers/simulator-environment.js'
import type { Wire, WireRequest } from '../../support/servers/wire.js'

const get = (path: string): WireRequest => ({ method: 'GET', path })
const post = (path: string, body: JsonObject): WireRequest => ({ path, body: JSON.stringify(body) })

const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }
const eventFormat = { filtersByParty: {}, filtersForAnyParty: { cumulative: [wildcard] }, verbose: true }
const transactionFormat = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' }
const updateFormat = { includeTransactions: transactionFormat }
const limited = '?limit=10000&stream_idle_timeout_ms=1'

export function readRequests(state: LedgerState, users: Iterable<string>): WireRequest[] {
  const parties = [...state.parties.keys()]
  return [
    ...['parties/participant-id', 'parties', 'users', 'packages'].map((name) => get(`/v2/${name}`)),
    get('/v2/idps'),
    get('/v2/idps/other'),
    ...['ledger-end', 'latest-pruned-offsets', 'connected-synchronizers'].map((name) => get(`/v2/state/${name}`)),
    post(supportOperations['list-vetted-packages'].path, {}),
    post('/v2/package-vetting', {}),
    post('/v2/updates/get-updates-page', { updateFormat }),
    post(`/v2/commands/command-completions${limited}`, { parties, beginExclusive: 0 }),
    ...parties.flatMap((party) => [
      get(`/v2/parties/${encodeURIComponent(party)}`),
      get(`/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}`),
    ]),
    ...[...users].flatMap((user) => [get(`/v2/users/${user}`), get(`/v2/users/${user}/rights`)]),
    ...state.packages.all().flatMap(({ id }) => [get(`/v2/packages/${id}/status`), get(`/v2/packages/${id}`)]),
    ...[...new Set(state.packages.all().map(({ name }) => name))].flatMap((packageName) => [
      post('/v2/interactive-submission/preferred-packages', {
        packageVettingRequirements: [{ packageName, parties: parties.slice(0, 1) }],
      }),
      get(
        `/v2/interactive-submission/preferred-package-version?package-name=${packageName}&parties=${encodeURIComponent(parties[0] ?? '')}`,
      ),
    ]),
    ...[...state.transactions.values()].flatMap((transaction, index) => {
      const [first, ...others] = aboutTransaction(transaction, parties)
      return index % 10 === 0 ? [first, ...others] : [first]
    }),
    ...['', '/flats'].map((kind) => post(`/v2/updates${kind}${limited}`, { beginExclusive: 0, updateFormat })),
    post(`/v2/updates/trees${limited}`, { beginExclusive: 0, filter: eventFormat, verbose: true }),
    ...[state.end, state.end >> 1].flatMap((activeAtOffset) => [
      post(`/v2/state/active-contracts${limited}`, { activeAtOffset, eventFormat }),
      post('/v2/state/active-contracts-page', { activeAtOffset, eventFormat, maxPageSize: 10 }),
    ]),
    ...[...state.contracts].flatMap(([contractId, { contract }]) => [
      post('/v2/events/events-by-contract-id', { contractId, eventFormat }),
      post(lookUpPath, { contractId, queryingParties: contract.signatories }),
    ]),
    ...[...new Set(state.completions.map(({ submission }) => submission.userId))].map((userId) =>
      post(`/v2/commands/completions${limited}`, { userId, parties, beginExclusive: 0 }),
    ),
  ]
}

const aboutTransaction = (
  { updateId, offset }: Transaction,
  parties: readonly string[],
): [WireRequest, ...WireRequest[]] => {
  const reading = `?${parties.map((party) => `parties=${encodeURIComponent(party)}`).join('&')}`
  return [
    post('/v2/updates/update-by-id', { updateId, updateFormat }),
    post('/v2/updates/update-by-offset', { offset, updateFormat }),
    post('/v2/updates/transaction-by-id', { updateId, transactionFormat }),
    post('/v2/updates/transaction-by-offset', { offset, transactionFormat }),
    get(`/v2/updates/transaction-tree-by-id/${updateId}${reading}`),
    get(`/v2/updates/transaction-tree-by-offset/${offset}${reading}`),
  ]
}

export const requestsAfter = (offset: number): WireRequest[] => [
  get('/v2/state/ledger-end'),
  post(`/v2/updates${limited}`, { beginExclusive: offset, updateFormat }),
]

export async function answers(wire: Wire, requests: readonly WireRequest[]): Promise<string[]> {
  const shown: string[] = []
  for (const request of requests) {
    const { status, text } = await wire.send(request)
    shown.push(`${request.path} ${String(request.body ?? '')}\n${status} ${text}`)
  }
  return shown
}
