import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { EventFormatBody } from '../codec/event-format.js'

/** A tree contains all templates. */
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
