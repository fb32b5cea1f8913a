/** In the order of the reference 3.5.10. */
import { grammars, violation } from '../../interface/grammars.js'
import type { Outline } from '../../interface/prepared-transaction/codec.js'
import type { Behaviour } from '../base/behaviour.js'
import { Checks, checkField } from '../base/checks.js'
import { failedToExecute, invalidField, missingField } from '../base/errors.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { ExecuteBody } from './execute-body.js'
import { refuseBadPeriod } from './submission-body.js'

interface ExecutionRequest {
  body: ExecuteBody
  identity: Submission
  outline: Outline
  behaviour: Behaviour
}

export const executionRequestChecks = new Checks<ExecutionRequest>({
  'EXE-SUBMISSION-ID-LEDGER-STRING': ({ identity }) =>
    checkField('request', 'submission_id', grammars.ledgerString, identity.submissionId),
  'EXE-USER-ID-GRAMMAR': ({ identity }) => checkField('request', 'user_id', grammars.userId, identity.userId),
  'EXE-DEDUPLICATION-VALID': ({ body, behaviour }) => refuseBadPeriod(body.deduplicationPeriod?.period, behaviour),
  'EXE-SIGNATURE-NAMES': ({ body: { partySignatures } }) => {
    for (const { party } of partySignatures) {
      checkField('request', 'SinglePartySignatures.party', grammars.partyId, party)
      checkField('request', 'SinglePartySignatures.party', grammars.uniqueParty, party)
    }
    const given = partySignatures.flatMap(({ signatures }) => signatures)
    if (given.some(({ format }) => format === 'SIGNATURE_FORMAT_UNSPECIFIED')) {
      throw invalidField('request', 'format', 'Signature format must be specified')
    }
    for (const { signedBy } of given) {
      checkField('request', 'SinglePartySignatures.signature', grammars.fingerprint, signedBy)
    }
    const unspecified = 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED'
    if (given.some(({ algorithm }) => algorithm === unspecified)) {
      const problem = `Signing algorithm spec ${unspecified} not supported`
      throw invalidField('request', 'SinglePartySignatures.signature', problem)
    }
  },
  'EXE-HASHING-SCHEME-UNSPECIFIED': ({ body, behaviour }) => {
    if (body.hashingSchemeVersion !== 'HASHING_SCHEME_VERSION_UNSPECIFIED') return
    if (!behaviour.has('refuse-unspecified-hashing-scheme')) return
    throw invalidField('request', 'hashing_scheme_version', 'Unspecified version')
  },
  'EXE-PREPARED-VALID': ({ outline: { hasMetadata, synchronizerId }, behaviour }) => {
    if (!hasMetadata) throw missingField('request', 'synchronizer_id')
    const isLogicalOnly = behaviour.has('logical-synchronizer-ids-only')
    const logical = isLogicalOnly ? synchronizerId : synchronizerId.replace(/::\d+-\d+$/, '')
    if (violation(grammars.synchronizerId, logical) === undefined) return
    const problem = `Unable to parse \`${synchronizerId.slice(0, 100)}\` as physical synchronizer id`
    throw invalidField('request', 'synchronizer_id', `Unable to convert field \`synchronizer_id\`: ${problem}`)
  },
  'EXE-SINGLE-PARTY': ({ outline, behaviour }) => {
    if (outline.actAs.length < 2 || behaviour.has('several-signing-parties')) return
    throw failedToExecute(`Only one party can act, but the transaction names ${outline.actAs.length}`)
  },
})
