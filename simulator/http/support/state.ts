/** Where the ledger stands, and what it is connected to. */
import { demandUser } from '../../auth/authorize.js'
import { ok } from '../answer.js'
import { endpoint } from '../endpoint.js'

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

export const connectedSynchronizers = endpoint({
  method: 'get',
  path: '/v2/state/connected-synchronizers',
  handle: ({ participant, caller }) => {
    demandUser(caller)
    const { alias, id } = participant.ledger.synchronizer
    return ok({
      connectedSynchronizers: [
        { synchronizerAlias: alias, synchronizerId: id, permission: 'PARTICIPANT_PERMISSION_UNSPECIFIED' },
      ],
    })
  },
})
