/** Parties that the participant hosts. */
import { grammars, violation } from '../../../interface/grammars.js'
import type { JsonObject } from '../../../interface/json.js'
import { demandUser, demandUserAdmin } from '../../auth/authorize.js'
import { invalidArgument } from '../../errors.js'
import { members, optional, text } from '../../json/decode.js'
import { ok } from '../answer.js'
import { endpoint } from '../endpoint.js'

const details = (party: string): JsonObject => ({
  party,
  isLocal: true,
  localMetadata: { resourceVersion: '0', annotations: {} },
  identityProviderId: '',
})

export const participantId = endpoint({
  method: 'get',
  path: '/v2/parties/participant-id',
  handle: ({ participant, caller }) => {
    demandUser(caller)
    return ok({ participantId: participant.ledger.participantId })
  },
})

export const getParty = endpoint({
  method: 'get',
  path: '/v2/parties/:party',
  handle: ({ participant, caller, params }) => {
    demandUserAdmin(caller)
    const party = params['party'] ?? ''
    return ok({ partyDetails: participant.ledger.knowsParty(party) ? [details(party)] : [] })
  },
})

const allocatePartyBody = members({ partyIdHint: optional(text, ''), userId: optional(text, '') })

export const allocateParty = endpoint({
  method: 'post',
  path: '/v2/parties',
  body: allocatePartyBody,
  handle: ({ participant, caller, body, submission }) => {
    demandUserAdmin(caller)
    const hint = body.partyIdHint === '' ? `party-${participant.ledger.entropy.uuid()}` : body.partyIdHint
    const problem = violation(grammars.partyId, hint)
    if (problem) throw invalidArgument('request', problem)
    const party = participant.ledger.allocateParty(hint)
    if (party === undefined) {
      // Allocations are known by the hash of their topology transaction.
      submission.submissionId = `1220${participant.ledger.entropy.hex(32)}`
      throw invalidArgument('request', `Party already exists: party ${hint} is already allocated on this node`, {
        parties: `['${hint}']`,
        submissionId: `'${submission.submissionId}'`,
      })
    }
    if (body.userId !== '') participant.users.grant(body.userId, [{ kind: 'CanActAs', party }])
    return ok({ partyDetails: details(party) })
  },
})
