import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import type { Caller } from '../auth/caller.js'
import { checkArgument, checkField } from '../base/checks.js'
import {
  contractEventsNotFound,
  invalidArgument,
  missingField,
  nonPositiveOffset,
  undecodable,
  updateNotFound,
} from '../base/errors.js'
import { select } from '../codec/checked-format.js'
import {
  type EventFormatBody,
  eventFormat,
  type TransactionShape,
  transactionFormat,
  type UpdateFormatBody,
  updateFormat,
} from '../codec/event-format.js'
import { archivedEvent, createdEvent, transactionView } from '../codec/event-view.js'
import { type Answer, ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { absentable, type Decoded, int64, list, members, message, optional, text } from '../json/decode.js'
import { stakeholders } from '../ledger/contracts/contract.js'
import { contractChanges, type Transaction } from '../ledger/transactions/transaction.js'
import type { Participant } from '../participant/participant.js'
import { checkUpdateFormat, demandUpdates, readable, transactionTree } from './reading.js'

type Key = { updateId: string } | { offset: bigint }

/** Throws `UPDATE_NOT_FOUND` and the errors of `checkUpdateFormat`. */
function lookUp(
  key: Key,
  format: UpdateFormatBody | undefined,
  { participant, caller }: { participant: Participant; caller: Caller },
): JsonObject {
  demandUpdates(caller, format)
  checkKey(key)
  const wanted = checkUpdateFormat(format, participant)
  const found =
    'updateId' in key
      ? participant.ledger.state.transactions.get(key.updateId)
      : transactionAt(Number(key.offset), participant)
  const shown = found && wanted && transactionView(found, wanted, participant)
  if (shown) return shown
  throw updateNotFound('service', 'Update not found, or not visible.', {
    resources: ['updateId' in key ? ['UPDATE_ID', key.updateId] : ['OFFSET', String(key.offset)]],
  })
}

function checkKey(key: Key): void {
  if ('offset' in key) {
    if (key.offset > 0n) return
    throw nonPositiveOffset('reading', `Offset ${key.offset} in offset is not a positive integer`)
  }
  if (key.updateId === '') throw missingField('service', 'update_id')
  checkArgument('service', grammars.updateId, key.updateId)
}

const transactionAt = (offset: number, { ledger }: Participant): Transaction | undefined =>
  ledger.transactionsBetween(offset - 1, offset)[0]

const asUpdate = (transaction: JsonObject): Answer => ok({ update: { Transaction: { value: transaction } } })

const updateByIdBody = message({ updateId: optional(text, ''), updateFormat: absentable(updateFormat) })

const updateById = endpoint({
  ...on(supportOperations['update-by-id']),
  body: updateByIdBody,
  handle: (call) => asUpdate(lookUp({ updateId: call.body.updateId }, call.body.updateFormat, call)),
})

const updateByOffsetBody = message({ offset: optional(int64, 0n), updateFormat: absentable(updateFormat) })

const updateByOffset = endpoint({
  ...on(supportOperations['update-by-offset']),
  body: updateByOffsetBody,
  handle: (call) => asUpdate(lookUp({ offset: call.body.offset }, call.body.updateFormat, call)),
})

// Deprecated operations.

const allUpdatesOf = (parties: readonly string[], transactionShape: TransactionShape): UpdateFormatBody => {
  const byParty: EventFormatBody['byParty'] = new Map(
    parties.map((party) => [party, [{ kind: 'wildcard', blob: false }]]),
  )
  return { includeTransactions: { eventFormat: { byParty, forAnyParty: undefined }, transactionShape } }
}

const deprecatedMembers = {
  requestingParties: optional(list(text), []),
  transactionFormat: absentable(transactionFormat),
}

/** Throws `INVALID_ARGUMENT` for both members or none. */
function formatOf({ requestingParties, transactionFormat: format }: Decoded<typeof deprecatedMembers>) {
  if (format === undefined && requestingParties.length > 0) {
    return allUpdatesOf(requestingParties, 'TRANSACTION_SHAPE_ACS_DELTA')
  }
  if (format !== undefined && requestingParties.length === 0) return { includeTransactions: format }
  throw invalidArgument('service', 'please give one of transaction_format and requesting_parties')
}

const transactionByIdBody = message({ updateId: optional(text, ''), ...deprecatedMembers })

const transactionById = endpoint({
  method: 'post',
  path: '/v2/updates/transaction-by-id',
  body: transactionByIdBody,
  handle: (call) => ok({ transaction: lookUp({ updateId: call.body.updateId }, formatOf(call.body), call) }),
})

const transactionByOffsetBody = message({ offset: optional(int64, 0n), ...deprecatedMembers })

const transactionByOffset = endpoint({
  method: 'post',
  path: '/v2/updates/transaction-by-offset',
  body: transactionByOffsetBody,
  handle: (call) => ok({ transaction: lookUp({ offset: call.body.offset }, formatOf(call.body), call) }),
})

const tree = (path: string, name: string, key: (text: string) => Key): Endpoint =>
  endpoint({
    method: 'get',
    path: `${path}/:${name}`,
    handle: (call) => {
      const format = allUpdatesOf(call.query.getAll('parties'), 'TRANSACTION_SHAPE_LEDGER_EFFECTS')
      return ok({ transaction: transactionTree(lookUp(key(call.params[name] ?? ''), format, call)) })
    },
  })

const transactionTreeById = tree('/v2/updates/transaction-tree-by-id', 'update', (updateId) => ({ updateId }))

const transactionTreeByOffset = tree('/v2/updates/transaction-tree-by-offset', 'offset', (offset) => {
  if (!/^[+-]?\d{1,19}$/.test(offset)) throw undecodable('path parameter offset')
  return { offset: BigInt(offset) }
})

const eventsByContractIdBody = members({ contractId: optional(text, ''), eventFormat: absentable(eventFormat) })

const eventsByContractId = endpoint({
  ...on(supportOperations['events-by-contract-id']),
  body: eventsByContractIdBody,
  handle: ({ participant, caller, body: { contractId, eventFormat: requested } }) => {
    const { ledger } = participant
    const format = readable(caller, requested, participant)
    if (contractId === '') throw missingField('service', 'contract_id')
    checkField('service', 'contract_id', grammars.contractId, contractId)
    const stored = ledger.stored(contractId)
    const selection = stored && select(format, stored.contract, stakeholders(stored.contract), ledger.packages)
    const created = stored?.createdBy.nodes.find((item) => item.kind === 'create' && item.contract.id === contractId)
    if (!stored || !selection || !created) throw notFound(contractId)
    const { contract, createdBy, archivedBy } = stored
    const context = {
      offset: createdBy.offset,
      nodeId: created.id,
      // Never active if its own transaction archived it.
      acsDelta: !contractChanges(stored.createdBy.nodes).archived.has(contractId),
      witnesses: [...selection.parties],
    }
    const archive = archivedBy?.nodes.find(
      (node) => node.kind === 'exercise' && node.consuming && node.contract.id === contractId,
    )
    return ok({
      created: {
        createdEvent: createdEvent(contract, { ...selection, ...context }, participant),
        synchronizerId: createdBy.synchronizerId,
      },
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

const notFound = (contractId: string) =>
  contractEventsNotFound('service', 'Contract events not found, or not visible.', {
    resources: [['CONTRACT_ID', contractId]],
  })

export const lookupEndpoints: readonly Endpoint[] = [
  updateById,
  updateByOffset,
  transactionById,
  transactionByOffset,
  transactionTreeById,
  transactionTreeByOffset,
  eventsByContractId,
]
