/** Transactions and contracts as they are read back. */
import type { JsonValue } from '../../../interface/json.js'
import { demandRead } from '../../auth/authorize.js'
import type { Caller } from '../../auth/caller.js'
import { contractEventsNotFound, offsetAfterLedgerEnd, updateNotFound } from '../../errors.js'
import { absentable, int64, members, optional, required, text } from '../../json/decode.js'
import { stakeholders } from '../../ledger/contract.js'
import { placeOf } from '../../ledger/stored-contract.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { Participant } from '../../participant.js'
import { type Answer, ok } from '../answer.js'
import {
  checkEventFormat,
  checkTransactionFormat,
  type EventFormat,
  partiesOf,
  type TransactionFormat,
} from '../checked-format.js'
import { endpoint } from '../endpoint.js'
import { type EventFormatBody, eventFormat, type TransactionFormatBody, updateFormat } from '../event-format.js'
import { select } from '../event-selection.js'
import { archivedEvent, createdEvent, transactionView } from '../event-view.js'

/** What the caller wants to read, once it is known that he may. */
function readable(caller: Caller, format: EventFormatBody, { ledger }: Participant): EventFormat {
  demandRead(caller, partiesOf(format) ?? [])
  return checkEventFormat(format, ledger.packages, 'service')
}

function readableTransactions(caller: Caller, format: TransactionFormatBody, { ledger }: Participant) {
  if (format.eventFormat) demandRead(caller, partiesOf(format.eventFormat) ?? [])
  return checkTransactionFormat(format, ledger.packages, 'service')
}

function view(transaction: Transaction, wanted: TransactionFormat, { ledger }: Participant): JsonValue | undefined {
  const shown = transactionView(transaction, wanted, ledger.packages)
  return shown && { update: { Transaction: { value: shown } } }
}

function single(
  transaction: Transaction | undefined,
  name: string,
  wanted: TransactionFormat | undefined,
  participant: Participant,
): Answer {
  const shown = transaction && wanted && view(transaction, wanted, participant)
  if (shown) return ok(shown)
  throw updateNotFound('service', 'Update not found, or not visible.', { resources: [['UPDATE_ID', name]] })
}

const updateByIdBody = members({ updateId: required(text), updateFormat: required(updateFormat) })

export const updateById = endpoint({
  method: 'post',
  path: '/v2/updates/update-by-id',
  body: updateByIdBody,
  handle: ({ participant, caller, body }) => {
    const { includeTransactions } = body.updateFormat
    const wanted = includeTransactions && readableTransactions(caller, includeTransactions, participant)
    return single(participant.ledger.transaction(body.updateId), body.updateId, wanted, participant)
  },
})

const updateByOffsetBody = members({ offset: required(int64), updateFormat: required(updateFormat) })

export const updateByOffset = endpoint({
  method: 'post',
  path: '/v2/updates/update-by-offset',
  body: updateByOffsetBody,
  handle: ({ participant, caller, body }) => {
    const { includeTransactions } = body.updateFormat
    const wanted = includeTransactions && readableTransactions(caller, includeTransactions, participant)
    const offset = Number(body.offset)
    const [found] = participant.ledger.transactionsBetween(offset - 1, offset)
    return single(found, String(body.offset), wanted, participant)
  },
})

/** Elements that a list holds at most (default of the reference participant 3.5.10). */
const listLimit = 200

const updatesBody = members({
  beginExclusive: required(int64),
  endInclusive: absentable(int64),
  updateFormat: required(updateFormat),
})

export const updates = endpoint({
  method: 'post',
  path: '/v2/updates',
  body: updatesBody,
  handle: ({ participant, caller, body }) => {
    const { includeTransactions } = body.updateFormat
    if (!includeTransactions) return ok([])
    const wanted = readableTransactions(caller, includeTransactions, participant)
    const end = body.endInclusive === undefined ? participant.ledger.end : Number(body.endInclusive)
    const shown = participant.ledger
      .transactionsBetween(Number(body.beginExclusive), end)
      .flatMap((transaction) => view(transaction, wanted, participant) ?? [])
    return ok(shown.slice(0, listLimit))
  },
})

const activeContractsBody = members({ activeAtOffset: required(int64), eventFormat: required(eventFormat) })

export const activeContracts = endpoint({
  method: 'post',
  path: '/v2/state/active-contracts',
  body: activeContractsBody,
  handle: ({ participant, caller, body, query }) => {
    const { ledger } = participant
    const wanted = readable(caller, body.eventFormat, participant)
    const offset = Number(body.activeAtOffset)
    if (offset > ledger.end) {
      throw offsetAfterLedgerEnd('service', `active_at_offset offset (${offset}) is after ledger end (${ledger.end})`, {
        context: { filters: (partiesOf(wanted) ?? []).join(', ') },
      })
    }
    const entries = ledger.activeAt(offset).flatMap((stored): JsonValue[] => {
      const { contract, createdBy } = stored
      const selection = select(wanted, contract, stakeholders(contract), ledger.packages)
      if (!selection) return []
      const node = createdBy.nodes.find((item) => item.kind === 'create' && item.contract.id === contract.id)
      const placement = { offset: createdBy.offset, nodeId: node?.id ?? 0, acsDelta: true }
      const witnesses = [...selection.parties]
      const event = createdEvent(contract, { ...selection, ...placement, witnesses }, ledger.packages)
      const entry = { createdEvent: event, ...placeOf(stored, offset) }
      return [{ workflowId: createdBy.submission.workflowId, contractEntry: { JsActiveContract: entry } }]
    })
    return ok(entries.slice(0, Number(query.get('limit') ?? listLimit)))
  },
})

const eventsByContractIdBody = members({ contractId: optional(text, ''), eventFormat: required(eventFormat) })

export const eventsByContractId = endpoint({
  method: 'post',
  path: '/v2/events/events-by-contract-id',
  body: eventsByContractIdBody,
  handle: ({ participant, caller, body }) => {
    const { ledger } = participant
    const wanted = readable(caller, body.eventFormat, participant)
    const stored = ledger.stored(body.contractId)
    const selection = stored && select(wanted, stored.contract, stakeholders(stored.contract), ledger.packages)
    const format: TransactionFormat = { eventFormat: wanted, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
    const shown = stored && transactionView(stored.createdBy, format, ledger.packages)
    if (!stored || !selection || !shown) {
      throw contractEventsNotFound('service', 'Contract events not found, or not visible.', {
        resources: [['CONTRACT_ID', body.contractId]],
      })
    }
    const event = eventOf(shown['events'], body.contractId)
    const { archivedBy, createdBy } = stored
    const archive = archivedBy?.nodes.find(
      (node) => node.kind === 'exercise' && node.consuming && node.contract.id === body.contractId,
    )
    return ok({
      created: { createdEvent: event, synchronizerId: createdBy.synchronizerId },
      archived:
        archivedBy && archive?.kind === 'exercise'
          ? {
              archivedEvent: archivedEvent(archive, archivedBy.offset, selection),
              synchronizerId: archivedBy.synchronizerId,
            }
          : null,
    })
  },
})

/** The created event of one contract among the events of its transaction. */
function eventOf(events: JsonValue | undefined, contractId: string): JsonValue {
  for (const event of Array.isArray(events) ? events : []) {
    const created =
      typeof event === 'object' && event !== null && 'CreatedEvent' in event ? event['CreatedEvent'] : null
    if (
      typeof created === 'object' &&
      created !== null &&
      'contractId' in created &&
      created['contractId'] === contractId
    ) {
      return created
    }
  }
  return null
}
