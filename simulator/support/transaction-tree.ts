/** The deprecated view of a transaction: its events by node id, exercises and creates alike. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { EventFormatBody } from '../codec/event-format.js'

/** A tree is shown whole, whichever templates were asked for. */
export function withWildcards({ byParty, forAnyParty }: EventFormatBody): EventFormatBody {
  const widen = (filters: NonNullable<EventFormatBody['forAnyParty']>) => [
    ...filters,
    { kind: 'wildcard' as const, blob: false },
  ]
  return {
    byParty: new Map([...byParty].map(([party, filters]) => [party, widen(filters)])),
    forAnyParty: forAnyParty && widen(forAnyParty),
  }
}

/** A transaction with all its effects, as a tree. */
export function transactionTree(transaction: JsonObject): JsonObject {
  const { events, externalTransactionHash: _, paidTrafficCost: __, ...rest } = transaction
  const entries = (Array.isArray(events) ? events : []).flatMap(treeEvent)
  return { ...rest, eventsById: Object.fromEntries(entries) }
}

function treeEvent(event: JsonValue): [string, JsonValue][] {
  if (!isJsonObject(event)) return []
  return Object.entries(event).flatMap(([kind, value]): [string, JsonValue][] =>
    isJsonObject(value) ? [[String(value['nodeId']), { [kind.replace(/Event$/, 'TreeEvent')]: { value } }]] : [],
  )
}
