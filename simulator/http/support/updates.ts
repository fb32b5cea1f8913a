/** Transactions and contracts as they are read back. */
import type { JsonValue } from '../../../interface/json.js'
import { demandRead } from '../../auth/authorize.js'
import type { Caller } from '../../auth/caller.js'
import { contractEventsNotFound, offsetAfterLedgerEnd, updateNotFound } from '../../errors.js'
import { absentable, int64, members, optional, required, text } from '../../json/decode.js'
import { stakeholders } from '../../ledger/contract.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { Participant } from '../../participant.js'
import { type Answer, ok } from '../answer.js'
import { endpoint } from '../endpoint.js'
import {
  type EventFormat,
  eventFormat,
  partiesOf,
  select,
  type TransactionShape,
  updateFormat,
} from '../event-format.js'
import { archivedEvent, createdEvent, transactionView } from '../event-view.js'

interface WantedTransactions {
  eventFormat: EventFormat
  transactionShape: TransactionShape
}

const readable = (caller: Caller, format: EventFormat): void => demandRead(caller, partiesOf(format) ?? [])

function view(transaction: Transaction, wanted: WantedTransactions, { ledger }: Participant): JsonValue | undefined {
  const shown = transactionView(transaction, wanted.eventFormat, wanted.transactionShape, ledger.packages)
  return shown && { update: { Transaction: { value: shown } } }
}

function single(
  transaction: Transaction | undefined,
  name: string,
  wanted: WantedTransactions | undefined,
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
    const wanted = body.updateFormat.includeTransactions
    if (wanted) readable(caller, wanted.eventFormat)
    return single(participant.ledger.transaction(body.updateId), body.updateId, wanted, participant)
  },
})

const updateByOffsetBody = members({ offset: required(int64), updateFormat: required(updateFormat) })

export const updateByOffset = endpoint({
  method: 'post',
  path: '/v2/updates/update-by-offset',
  body: updateByOffsetBody,
  handle: ({ participant, caller, body }) => {
    const wanted = body.updateFormat.includeTransactions
    if (wanted) readable(caller, wanted.eventFormat)
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
    const wanted = body.updateFormat.includeTransactions
    if (!wanted) return ok([])
    readable(caller, wanted.eventFormat)
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
    readable(caller, body.eventFormat)
    const offset = Number(body.activeAtOffset)
    if (offset > ledger.end) {
      throw offsetAfterLedgerEnd('service', `active_at_offset offset (${offset}) is after ledger end (${ledger.end})`, {
        context: { filters: [...(partiesOf(body.eventFormat) ?? [])].join(', ') },
      })
    }
    const entries = ledger.activeAt(offset).flatMap(({ contract, createdBy }): JsonValue[] => {
      const selection = select(body.eventFormat, contract, stakeholders(contract), ledger.packages)
      if (!selection) return []
      const node = createdBy.nodes.find((item) => item.kind === 'create' && item.contract.id === contract.id)
      const placement = { offset: createdBy.offset, nodeId: node?.id ?? 0, acsDelta: true, interfaceViews: [] }
      const event = createdEvent(
        contract,
        { ...placement, witnesses: [...selection.parties], blob: selection.blob },
        ledger.packages,
      )
      const entry = { createdEvent: event, synchronizerId: createdBy.synchronizerId, reassignmentCounter: 0 }
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
    readable(caller, body.eventFormat)
    const stored = ledger.stored(body.contractId)
    const wanted: WantedTransactions = {
      eventFormat: body.eventFormat,
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    }
    const selection =
      stored && select(body.eventFormat, stored.contract, stakeholders(stored.contract), ledger.packages)
    const shown =
      stored && transactionView(stored.createdBy, wanted.eventFormat, wanted.transactionShape, ledger.packages)
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
              archivedEvent: archivedEvent(archive, archivedBy.offset, [...selection.parties]),
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
