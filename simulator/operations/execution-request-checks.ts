/** In the order of the reference 3.5.10. */
import { grammars, violation } from '../../interface/grammars.js'
import type { Outline } from '../../interface/prepared-transaction/codec.js'
import type { Behaviour } from '../base/behaviour.js'
import { Checks, checkField } from '../base/checks.js'
import { failedToExecute, invalidField, missingField } from '../base/errors.js'
import type { PartySignature } from '../ledger/submit/party-signature.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { ExecuteBody } from './execute-body.js'
import { refuseBadPeriod } from './submission-body.js'

interface ExecutionRequest {
  body: ExecuteBody
  identity: Submission
  outline: Outline
  behaviour: Behaviour
}

const ofEachSignature =
  (run: (signature: PartySignature) => void) =>
  ({ body }: ExecutionRequest): void => {
    for (const { signatures } of body.partySignatures) signatures.forEach(run)
  }

export const executionRequestChecks = new Checks<ExecutionRequest>([
  {
    rule: 'EXE-SUBMISSION-ID-LEDGER-STRING',
    run: ({ identity }) => checkField('request', 'submission_id', grammars.ledgerString, identity.submissionId),
  },
  {
    rule: 'EXE-USER-ID-GRAMMAR',
    run: ({ identity }) => checkField('request', 'user_id', grammars.userId, identity.userId),
  },
  {
    rule: 'EXE-DEDUPLICATION-VALID',
    run: ({ body, behaviour }) => refuseBadPeriod(body.deduplicationPeriod?.period, behaviour),
  },
  {
    rule: 'EXE-SIGNATURE-NAMES',
    run: ({ body }) => {
      for (const { party } of body.partySignatures) {
        checkField('request', 'SinglePartySignatures.party', grammars.partyId, party)
        checkField('request', 'SinglePartySignatures.party', grammars.uniqueParty, party)
      }
    },
  },
  {
    rule: 'EXE-SIGNATURE-NAMES',
    run: ofEachSignature(({ format }) => {
      if (format !== 'SIGNATURE_FORMAT_UNSPECIFIED') return
      throw invalidField('request', 'format', 'Signature format must be specified')
    }),
  },
  {
    rule: 'EXE-SIGNATURE-NAMES',
    run: ofEachSignature(({ signedBy }) =>
      checkField('request', 'SinglePartySignatures.signature', grammars.fingerprint, signedBy),
    ),
  },
  {
    rule: 'EXE-SIGNATURE-NAMES',
    run: ofEachSignature(({ algorithm }) => {
      if (algorithm !== 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED') return
      throw invalidField(
        'request',
        'SinglePartySignatures.signature',
        `Signing algorithm spec ${algorithm} not supported`,
      )
    }),
  },
  {
    rule: 'EXE-HASHING-SCHEME-UNSPECIFIED',
    run: ({ body, behaviour }) => {
      if (body.hashingSchemeVersion !== 'HASHING_SCHEME_VERSION_UNSPECIFIED') return
      if (!behaviour.has('refuse-unspecified-hashing-scheme')) return
      throw invalidField('request', 'hashing_scheme_version', 'Unspecified version')
    },
  },
  {
    rule: 'EXE-PREPARED-VALID',
    run: ({ outline: { hasMetadata, synchronizerId }, behaviour }) => {
      if (!hasMetadata) throw missingField('request', 'synchronizer_id')
      const isLogicalOnly = behaviour.has('logical-synchronizer-ids-only')
      const logical = isLogicalOnly ? synchronizerId : synchronizerId.replace(/::\d+-\d+$/, '')
      if (violation(grammars.synchronizerId, logical) === undefined) return
      const problem = `Unable to parse \`${synchronizerId.slice(0, 100)}\` as physical synchronizer id`
      throw invalidField('request', 'synchronizer_id', `Unable to convert field \`synchronizer_id\`: ${problem}`)
    },
  },
  {
    rule: 'EXE-SINGLE-PARTY',
    run: ({ outline, behaviour }) => {
      if (outline.actAs.length < 2 || behaviour.has('several-signing-parties')) return
      throw failedToExecute(`Only one party can act, but the transaction names ${outline.actAs.length}`)
    },
  },
])
