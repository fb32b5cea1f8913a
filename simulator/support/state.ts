/** Where the ledger stands, and what it is connected to. */
import { grammars, violation } from '../../interface/grammars.js'
import { demandPartyInformation, demandUser } from '../auth/authorize.js'
import { invalidArgument } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { endpoint } from '../http/endpoint.js'

export const ledgerEnd = endpoint({
  method: 'get',
  path: '/v2/state/ledger-end',
  handle: ({ participant, caller }) => {
    demandUser(caller)
    return ok({ offset: participant.ledger.end })
  },
})

export const prunedOffsets = endpoint({
  method: 'get',
  path: '/v2/state/latest-pruned-offsets',
  handle: ({ caller }) => {
    demandUser(caller)
    return ok({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 })
  },
})

const permission = 'PARTICIPANT_PERMISSION'

/** With a party in the query only the synchronizers that host it, and what the participant may do for it there. */
export const connectedSynchronizers = endpoint({
  method: 'get',
  path: '/v2/state/connected-synchronizers',
  handle: ({ participant: { ledger }, caller, query }) => {
    const party = query.get('party') ?? ''
    if (party === '') demandUser(caller)
    else demandPartyInformation(caller, party)
    const problem = party === '' ? undefined : violation(grammars.partyId, party)
    if (problem) throw invalidArgument('service', problem)
    const here = ['', ledger.participantId].includes(query.get('participantId') ?? '')
    const hosting = ledger.synchronizers.filter((item) => party === '' || (here && ledger.isHosted(party, item)))
    const may = ledger.isExternal(party) ? 'CONFIRMATION' : 'SUBMISSION'
    return ok({
      connectedSynchronizers: hosting.map(({ alias, id }) => ({
        synchronizerAlias: alias,
        synchronizerId: id,
        permission: `${permission}_${party === '' ? 'UNSPECIFIED' : may}`,
      })),
    })
  },
})
