/** What readers ask for, in the present members of requests and in the deprecated ones, and whether they may. */
import { demandRead } from '../auth/authorize.js'
import type { Caller } from '../auth/caller.js'
import { invalidArgument, missingField, negativeOffset } from '../base/errors.js'
import {
  checkEventFormat,
  checkTransactionFormat,
  type EventFormat,
  type TransactionFormat,
} from '../codec/checked-format.js'
import { type EventFormatBody, eventFormat, type TransactionFormatBody } from '../codec/event-format.js'
import { absentable, flag, optional } from '../json/decode.js'
import type { Participant } from '../participant/participant.js'

/** What stood for a format before: filters, and whether to be verbose (JSON always is). */
export const deprecatedMembers = { filter: absentable(eventFormat), verbose: optional(flag, false) }

interface DeprecatedMembers {
  filter: EventFormatBody | undefined
  verbose: boolean
}

/** The format of the request, by whichever members it came. Throws `INVALID_ARGUMENT` unless by one of the two. */
export function oneFormat<T>(
  name: string,
  present: T | undefined,
  { filter, verbose }: DeprecatedMembers,
  fromFilter: (filter: EventFormatBody) => T,
): T {
  if (present && (filter || verbose)) {
    throw invalidArgument('service', `${name} excludes filter and verbose; please give one of them`)
  }
  if (present) return present
  if (filter) return fromFilter(filter)
  throw invalidArgument('service', `either ${name} or filter is required`)
}

/** The deprecated members show all effects of a transaction. */
export const allEffects = (filter: EventFormatBody): { includeTransactions: TransactionFormatBody } => ({
  includeTransactions: { eventFormat: filter, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
})

function demandFormat(caller: Caller, { byParty, forAnyParty }: EventFormatBody): void {
  if (forAnyParty) demandRead(caller, [])
  for (const party of byParty.keys()) demandRead(caller, [party])
}

/** The contracts that the caller wants to see, once it is known that he may. Throws as `checkEventFormat`, and `MISSING_FIELD`. */
export function readable(caller: Caller, format: EventFormatBody | undefined, { ledger }: Participant): EventFormat {
  if (format) demandFormat(caller, format)
  else demandRead(caller, [])
  if (!format) throw missingField('service', 'event_format')
  return checkEventFormat(format, ledger.packages, 'service')
}

interface UpdateFormatBody {
  includeTransactions: TransactionFormatBody | undefined
}

/** The transactions that the caller wants to see, once it is known that he may; undefined: none at all. Throws as `readable`. */
export function readableUpdates(
  caller: Caller,
  format: UpdateFormatBody | undefined,
  { ledger }: Participant,
): TransactionFormat | undefined {
  const wanted = format?.includeTransactions
  if (wanted?.eventFormat) demandFormat(caller, wanted.eventFormat)
  else demandRead(caller, [])
  if (!format) throw missingField('service', 'update_format')
  return wanted && checkTransactionFormat(wanted, ledger.packages, 'service')
}

export function refuseNegative(offset: bigint | undefined, field: string): void {
  if (offset === undefined || offset >= 0n) return
  throw negativeOffset('service', `Offset ${offset} in ${field} is a negative integer`)
}
