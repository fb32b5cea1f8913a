import { grammars } from '../../interface/grammars.js'
import { operations } from '../../interface/operations.js'
import { demandRead } from '../auth/caller.js'
import { Checks, checkArgument, checkOptionalField } from '../base/checks.js'
import { contractPayloadNotFound, missingField } from '../base/errors.js'
import { createdEvent } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import { endpoint, on } from '../http/endpoint.js'
import { type DecodedBy, list, message, optional, text } from '../json/decode.js'
import { type Contract, stakeholders } from '../ledger/contracts/contract.js'

/** Finds archived contracts too (observed on 3.5.10). */
const contractByIdBody = message({ contractId: optional(text, ''), queryingParties: optional(list(text), []) })

const requestChecks = new Checks<DecodedBy<typeof contractByIdBody>>({
  'CBI-CONTRACT-ID-REQUIRED': ({ contractId }) => {
    if (contractId === '') throw missingField('service', 'contract_id')
  },
  'CBI-CONTRACT-ID-GRAMMAR': ({ contractId }) =>
    checkOptionalField('service', 'contract_id', grammars.contractId, contractId),
  'CBI-QUERYING-PARTY-GRAMMAR': ({ queryingParties }) => {
    for (const party of queryingParties) checkArgument('service', grammars.partyId, party)
  },
})

const visibility = new Checks<{ contract: Contract; queryingParties: readonly string[] }>({
  'CBI-STAKEHOLDER-INTERSECTION': ({ contract, queryingParties }) => {
    if (queryingParties.length === 0) return
    if (!stakeholders(contract).some((party) => queryingParties.includes(party))) throw notFound(contract.id)
  },
})

const notFound = (contractId: string) =>
  contractPayloadNotFound('service', 'Contract payload not found, or not visible.', {
    resources: [['CONTRACT_ID', contractId]],
  })

export const contractById = endpoint({
  ...on(operations['contract-by-id']),
  body: contractByIdBody,
  handle: ({ participant, caller, body }) => {
    const { ledger, without, behaviour } = participant
    demandRead(caller, body.queryingParties)
    requestChecks.run(body, without)
    const contract = ledger.stored(body.contractId)?.contract
    if (!contract) throw notFound(body.contractId)
    visibility.run({ contract, queryingParties: body.queryingParties }, without)
    const isShownAll = body.queryingParties.length === 0 && behaviour.has('stakeholders-as-witnesses')
    const witnesses = stakeholders(contract).filter((party) => isShownAll || body.queryingParties.includes(party))
    const populated = behaviour.has('populated-contract-lookup')
    const context = {
      offset: populated ? 1 : 0,
      nodeId: 0,
      acsDelta: false,
      views: new Set<never>(),
      witnesses,
      blob: populated,
    }
    return ok({ createdEvent: createdEvent(contract, context, participant) })
  },
})
