import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { checkField } from '../base/checks.js'
import { contractEventsNotFound, missingField } from '../base/errors.js'
import { eventFormat } from '../codec/event-format.js'
import { select } from '../codec/event-selection.js'
import { archivedEvent, createdEvent } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import { endpoint, on } from '../http/endpoint.js'
import { absentable, members, optional, text } from '../json/decode.js'
import { stakeholders } from '../ledger/contracts/contract.js'
import { contractChanges } from '../ledger/transactions/transaction.js'
import { readable } from './reading.js'

const eventsByContractIdBody = members({ contractId: optional(text, ''), eventFormat: absentable(eventFormat) })

export const eventsByContractId = endpoint({
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
