import { grammars, violation } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandUser, demandUserAdmin } from '../auth/caller.js'
import { checkArgument } from '../base/checks.js'
import {
  concurrentPartyUpdate,
  invalidArgument,
  invalidField,
  invalidPartyUpdate,
  missingField,
  partyAnnotationsTooLarge,
  partyNotFound,
} from '../base/errors.js'
import { updatedMetadata } from '../base/object-metadata.js'
import { shortened } from '../base/strings.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { absentable, flag, message, optional, text } from '../json/decode.js'
import { notConnectedTo, partySynchronizerOpen, partyWithoutSynchronizer } from '../ledger/route/synchronizer-errors.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/ledger-state.js'
import {
  initialAnnotations,
  leavesIn,
  metadataBody,
  metadataChange,
  onlyIf,
  pageOf,
  pageSizes,
  refuseLargePage,
  refuseUnknownProvider,
  updateMask,
} from './accounts.js'

function details(party: string, ledger: Ledger): JsonObject {
  const { version, annotations } = ledger.metadataOf(party)
  return {
    party,
    isLocal: !ledger.isElsewhere(party),
    localMetadata: { resourceVersion: String(version), annotations: { ...annotations } },
    identityProviderId: '',
  }
}

const metadataOfParty = (context: Record<string, string> = {}) =>
  ({ origin: 'reading', object: 'party_details.local_metadata', context }) as const

const participantId = endpoint({
  ...on(supportOperations['participant-id']),
  handle: ({ participant, caller }) => {
    demandUser(caller)
    return ok({ participantId: participant.ledger.participantId })
  },
})

/** For the context of errors. */
const namedParties = (parties: readonly string[]) => ({
  parties: `[${parties.map((party) => `'${party}'`).join(', ')}]`,
})

/** Unknown parties are omitted. */
const getParty = endpoint({
  ...on(supportOperations['get-party']),
  handle: ({ participant, caller, params, query }) => {
    demandUserAdmin(caller)
    const named = [...new Set([params['party'] ?? '', ...query.getAll('parties')])]
    const problem = named.map((party) => violation(grammars.partyId, party)).find((found) => found !== undefined)
    if (problem !== undefined) throw invalidArgument('reading', problem, namedParties(named))
    const known = named.filter((party) => participant.ledger.knowsParty(party))
    return ok({ partyDetails: known.map((party) => details(party, participant.ledger)) })
  },
})

const listParties = endpoint({
  method: 'get',
  path: '/v2/parties',
  handle: ({ participant: { ledger }, caller, query }) => {
    demandUserAdmin(caller)
    refuseLargePage(query, pageSizes.parties, 'service')
    const start = query.get('filter-party') ?? ''
    const names = ledger.parties.filter((party) => party.startsWith(start))
    const { items, nextPageToken } = pageOf(names, query, pageSizes.parties, 'service')
    return ok({ partyDetails: items.map((party) => details(party, ledger)), nextPageToken })
  },
})

const allocatePartyBody = message({
  partyIdHint: optional(text, ''),
  localMetadata: absentable(metadataBody),
  identityProviderId: optional(text, ''),
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
    const context = namedParties([hint])
    const hintProblem = violation(grammars.partyId, hint) ?? violation(grammars.uniqueParty, ledger.partyIdOf(hint))
    if (hintProblem !== undefined) throw invalidArgument('reading', hintProblem, context)
    const annotations = initialAnnotations(body.localMetadata, metadataOfParty(context))
    const userProblem = body.userId === '' ? undefined : violation(grammars.userId, body.userId)
    if (userProblem !== undefined) throw invalidField('reading', 'user_id', userProblem, context)
    // The hash of the topology transaction identifies an allocation.
    submission.submissionId = `1220${ledger.entropy.hex(32)}`
    const synchronizer = synchronizerFor(hint, body.synchronizerId, ledger, submission.submissionId)
    refuseUnknownProvider('reading', body.identityProviderId, participant.identityProviders)
    // An unknown user must not leave a party.
    if (body.userId !== '') users.get(body.userId, 'granting rights')
    const party = ledger.allocateParty(hint, synchronizer, { annotations, version: 0 })
    if (party === undefined) {
      throw invalidArgument(
        'request',
        `Party already exists: party ${shortened(ledger.partyIdOf(hint))} is already allocated on this node`,
        { ...context, submissionId: `'${submission.submissionId}'` },
      )
    }
    if (body.userId !== '') users.grant(body.userId, [{ kind: 'CanActAs', party }])
    return ok({ partyDetails: details(party, ledger) })
  },
})

/** Throws `LedgerError`. */
function synchronizerFor(hint: string, id: string, ledger: Ledger, submissionId: string): Synchronizer {
  const problem = id === '' ? undefined : violation(grammars.synchronizerId, id)
  if (problem) throw invalidField('service', 'synchronizer_id', problem, namedParties([hint]))
  const found = ledger.synchronizer(id)
  if (found) return found
  if (id !== '') throw notConnectedTo(id)
  if (ledger.synchronizers.length === 0) throw partyWithoutSynchronizer(submissionId)
  throw partySynchronizerOpen(ledger.partyIdOf(hint))
}

const updatePartyBody = message({
  partyDetails: absentable(
    message({
      party: optional(text, ''),
      isLocal: optional(flag, false),
      localMetadata: absentable(metadataBody),
      identityProviderId: optional(text, ''),
    }),
  ),
  updateMask: absentable(updateMask),
})

const updatedFields = [
  'party',
  'is_local',
  'identity_provider_id',
  'local_metadata.annotations',
  'local_metadata.resource_version',
] as const

const updateParty = endpoint({
  method: 'patch',
  path: '/v2/parties/:party',
  body: updatePartyBody,
  handle: ({ participant: { ledger }, caller, params, body }) => {
    demandUserAdmin(caller)
    const { partyDetails, updateMask: mask } = body
    const party = params['party'] ?? ''
    if (partyDetails?.party !== party) {
      throw invalidArgument('conversion', `${party} does not match party in body: ${partyDetails?.party ?? ''}`)
    }
    checkArgument('reading', grammars.partyId, party)
    if (!mask) throw missingField('reading', 'update_mask')
    const change = metadataChange(partyDetails.localMetadata, metadataOfParty())
    const resources: [string, string][] = [['PARTY', party]]
    const failed = `Update operation for party '${party}' failed due to`
    const fields = leavesIn(mask.paths, updatedFields, (problem) =>
      invalidPartyUpdate('reading', `${failed}: ${problem}`, { resources }),
    )
    const known = ledger.state.parties.get(party)
    if (!known || !ledger.knowsParty(party)) {
      throw partyNotFound('reading', `Party: '${party}' was not found when updating party details`, { resources })
    }
    known.metadata = updatedMetadata(known.metadata, onlyIf(fields.has('local_metadata.annotations'), change), {
      concurrent: () =>
        concurrentPartyUpdate('reading', `${failed} a concurrent update to the same party`, { resources }),
      tooLarge: () =>
        partyAnnotationsTooLarge('reading', `Maximum annotations size for party '${party}' has been exceeded`, {
          resources,
        }),
    })
    return ok({ partyDetails: details(party, ledger) })
  },
})

export const partyEndpoints: readonly Endpoint[] = [participantId, listParties, getParty, allocateParty, updateParty]
