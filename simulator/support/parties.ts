import { grammars, violation } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandUser, demandUserAdmin } from '../auth/caller.js'
import { checkArgument, checkOptionalField } from '../base/checks.js'
import { invalidArgument, invalidField } from '../base/errors.js'
import { shortened } from '../base/strings.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { message, optional, text } from '../json/decode.js'
import { notConnectedTo, partySynchronizerOpen, partyWithoutSynchronizer } from '../ledger/route/synchronizer-errors.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/ledger-state.js'
import { pageOf, pageSizes } from './page.js'

const details = (party: string, ledger: Ledger): JsonObject => ({
  party,
  isLocal: !ledger.isElsewhere(party),
  localMetadata: { resourceVersion: String(ledger.partyVersion(party)), annotations: {} },
  identityProviderId: '',
})

const participantId = endpoint({
  ...on(supportOperations['participant-id']),
  handle: ({ participant, caller }) => {
    demandUser(caller)
    return ok({ participantId: participant.ledger.participantId })
  },
})

/** Unknown parties are omitted. */
const getParty = endpoint({
  ...on(supportOperations['get-party']),
  handle: ({ participant, caller, params, query }) => {
    demandUserAdmin(caller)
    const named = new Set([params['party'] ?? '', ...query.getAll('parties')])
    const known = [...named].filter((party) => participant.ledger.knowsParty(party))
    return ok({ partyDetails: known.map((party) => details(party, participant.ledger)) })
  },
})

const listParties = endpoint({
  method: 'get',
  path: '/v2/parties',
  handle: ({ participant: { ledger }, caller, query }) => {
    demandUserAdmin(caller)
    const start = query.get('filter-party') ?? ''
    const names = ledger.parties.filter((party) => party.startsWith(start))
    const { items, nextPageToken } = pageOf(names, query, pageSizes.parties, 'service')
    return ok({ partyDetails: items.map((party) => details(party, ledger)), nextPageToken })
  },
})

const allocatePartyBody = message({
  partyIdHint: optional(text, ''),
  userId: optional(text, ''),
  synchronizerId: optional(text, ''),
})

const allocateParty = endpoint({
  ...on(supportOperations['allocate-party']),
  body: allocatePartyBody,
  handle: ({ participant, caller, body, submission }) => {
    const { ledger, users } = participant
    demandUserAdmin(caller)
    const hint = body.partyIdHint === '' ? `party-${ledger.entropy.uuid()}` : body.partyIdHint
    checkArgument('request', grammars.partyId, hint)
    checkArgument('request', grammars.uniqueParty, ledger.partyIdOf(hint))
    checkOptionalField('request', 'user_id', grammars.userId, body.userId)
    // The hash of the topology transaction identifies an allocation.
    submission.submissionId = `1220${ledger.entropy.hex(32)}`
    const synchronizer = synchronizerFor(hint, body.synchronizerId, ledger, submission.submissionId)
    // An unknown user must not leave a party.
    if (body.userId !== '') users.get(body.userId, 'granting rights')
    const party = ledger.allocateParty(hint, synchronizer)
    if (party === undefined) {
      throw invalidArgument(
        'request',
        `Party already exists: party ${shortened(ledger.partyIdOf(hint))} is already allocated on this node`,
        {
          parties: `['${hint}']`,
          submissionId: `'${submission.submissionId}'`,
        },
      )
    }
    if (body.userId !== '') users.grant(body.userId, [{ kind: 'CanActAs', party }])
    return ok({ partyDetails: details(party, ledger) })
  },
})

/** Throws `LedgerError`. */
function synchronizerFor(hint: string, id: string, ledger: Ledger, submissionId: string): Synchronizer {
  const problem = id === '' ? undefined : violation(grammars.synchronizerId, id)
  if (problem) throw invalidField('service', 'synchronizer_id', problem, { parties: `['${hint}']` })
  const found = ledger.synchronizer(id)
  if (found) return found
  if (id !== '') throw notConnectedTo(id)
  if (ledger.synchronizers.length === 0) throw partyWithoutSynchronizer(submissionId)
  throw partySynchronizerOpen(ledger.partyIdOf(hint))
}

export const partyEndpoints: readonly Endpoint[] = [participantId, listParties, getParty, allocateParty]
