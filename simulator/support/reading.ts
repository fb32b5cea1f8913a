import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { bytesField, ProtobufError, readMessage, varintField } from '../../lib/protobuf/protobuf.js'
import { type Caller, demandRead } from '../auth/caller.js'
import { invalidArgument, missingField, negativeOffset } from '../base/errors.js'
import {
  checkEventFormat,
  checkTransactionFormat,
  type EventFormat,
  type TransactionFormat,
} from '../codec/checked-format.js'
import { type EventFormatBody, eventFormat, type UpdateFormatBody } from '../codec/event-format.js'
import { absentable, type Decoded, flag, optional } from '../json/decode.js'
import type { Participant } from '../participant/participant.js'

/** Deprecated; `verbose` has no effect on JSON. */
export const deprecatedMembers = { filter: absentable(eventFormat), verbose: optional(flag, false) }

/** Throws `INVALID_ARGUMENT` for both members or none. */
export function oneFormat<T>(
  name: string,
  present: T | undefined,
  { filter, verbose }: Decoded<typeof deprecatedMembers>,
  fromFilter: (filter: EventFormatBody) => T,
): T {
  if (present && (filter || verbose)) {
    throw invalidArgument('service', `${name} excludes filter and verbose; please give one of them`)
  }
  if (present) return present
  if (filter) return fromFilter(filter)
  throw invalidArgument('service', `either ${name} or filter is required`)
}

export const allEffects = (filter: EventFormatBody): UpdateFormatBody => ({
  includeTransactions: { eventFormat: filter, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
})

function demandFormat(caller: Caller, { byParty, forAnyParty }: EventFormatBody): void {
  if (forAnyParty) demandRead(caller, [])
  for (const party of byParty.keys()) demandRead(caller, [party])
}

/** Throws also the errors of `checkEventFormat`. */
export function readable(caller: Caller, format: EventFormatBody | undefined, participant: Participant): EventFormat {
  if (format) demandFormat(caller, format)
  else demandRead(caller, [])
  if (!format) throw missingField('service', 'event_format')
  return checkEventFormat(format, participant, 'service')
}

export function demandUpdates(caller: Caller, format: UpdateFormatBody | undefined): void {
  const wanted = format?.includeTransactions
  if (wanted?.eventFormat) demandFormat(caller, wanted.eventFormat)
  else demandRead(caller, [])
}

/** Undefined: no transactions. */
export function checkUpdateFormat(
  format: UpdateFormatBody | undefined,
  participant: Participant,
): TransactionFormat | undefined {
  if (!format) throw missingField('service', 'update_format')
  return format.includeTransactions && checkTransactionFormat(format.includeTransactions, participant, 'service')
}

export function refuseNegative(offset: bigint | undefined, field: string): void {
  if (offset === undefined || offset >= 0n) return
  throw negativeOffset('service', `Offset ${offset} in ${field} is a negative integer`)
}

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

/** Pages of contracts and updates. */

export interface Continuation {
  /** Of the last item. */
  position: bigint
  /** An offset that all pages share. */
  bound: bigint
}

/** Binds a token to its request. */
const checksum = (question: string): Buffer => createHash('sha256').update(question).digest().subarray(0, 4)

export function encodeContinuation({ position, bound }: Continuation, question: string): string {
  const cursor = Buffer.concat([varintField(1, position), varintField(2, bound)])
  return Buffer.concat([bytesField(1, cursor), bytesField(2, checksum(question))]).toString('base64')
}

/** Undefined without a token. Throws `INVALID_ARGUMENT`. */
export function decodeContinuation(token: Buffer | undefined, question: string): Continuation | undefined {
  if (!token?.length) return undefined
  try {
    const [cursor, sum] = readMessage(token)
    if (cursor?.wire === 'bytes' && sum?.wire === 'bytes' && sum.value.equals(checksum(question))) {
      const [position, bound] = readMessage(cursor.value)
      if (position?.wire === 'varint' && bound?.wire === 'varint') {
        return { position: position.value, bound: bound.value }
      }
    }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
  }
  throw invalidArgument('service', 'the continuation token is not one that was given for this request')
}

/** The interface text leaves the sizes open. */
const pageSizes = { usual: 100, most: 1000 }

/** Throws `INVALID_ARGUMENT`. */
export function pageSize(wished: bigint | undefined): number {
  const size = Number(wished ?? pageSizes.usual)
  if (size <= 0) throw invalidArgument('service', `Requested page size must be positive, but got ${size}`)
  if (size <= pageSizes.most) return size
  throw invalidArgument('service', `Requested page size must not exceed ${pageSizes.most}, but got ${size}`)
}
