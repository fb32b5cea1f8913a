import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { printInstant } from '../../lib/json/instant.js'
import { demandPartyInformation, demandUser } from '../auth/caller.js'
import { checkArgument } from '../base/checks.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'

const ledgerEnd = endpoint({
  ...on(supportOperations['ledger-end']),
  handle: ({ participant, caller }) => {
    demandUser(caller)
    const { ledger, clock, behaviour } = participant
    const recordTime = printInstant(clock.now())
    const times = ledger.synchronizers.map(({ id }) => ({ synchronizerId: id, recordTime }))
    return ok({ offset: ledger.end, ...(behaviour.has('members-since-3.6') && { synchronizerTimes: times }) })
  },
})

const prunedOffsets = endpoint({
  method: 'get',
  path: '/v2/state/latest-pruned-offsets',
  handle: ({ caller }) => {
    demandUser(caller)
    return ok({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 })
  },
})

const permission = 'PARTICIPANT_PERMISSION'

/** `party`: only the synchronizers that host it. */
const connectedSynchronizers = endpoint({
  ...on(supportOperations['connected-synchronizers']),
  handle: ({ participant: { ledger }, caller, query }) => {
    const party = query.get('party') ?? ''
    if (party === '') demandUser(caller)
    else demandPartyInformation(caller, party)
    if (party !== '') checkArgument('service', grammars.partyId, party)
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

export const stateEndpoints: readonly Endpoint[] = [ledgerEnd, prunedOffsets, connectedSynchronizers]
