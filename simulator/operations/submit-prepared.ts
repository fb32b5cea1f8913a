import type { Outline } from '../../interface/prepared-transaction/codec.js'
import { demandExecuteAs, demandOwnUserId, effectiveUserId } from '../auth/caller.js'
import { Checks } from '../base/checks.js'
import { failedToExecute } from '../base/errors.js'
import { inTurns } from '../base/slices.js'
import type { Call } from '../http/call.js'
import type { Commit } from '../ledger/submit/acquire.js'
import { acquirePrepared } from '../ledger/submit/acquire-prepared.js'
import { verifySigned } from '../ledger/submit/execution-checks.js'
import type { PartySignature } from '../ledger/submit/party-signature.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { ExecuteBody, PreparedBytes } from './execute-body.js'
import { executionRequestChecks } from './execution-request-checks.js'
import { expectKnownScheme } from './hashing-scheme.js'
import { minLedgerTime, refuseUnrepresentable } from './submission-body.js'

/**
 * If several entries name one party, equal signatures count once. A single entry is unchanged, with its repetitions
 * (observed on 3.5.10).
 */
function signaturesByParty(entries: ExecuteBody['partySignatures']): Map<string, PartySignature[]> {
  const entriesOf = new Map<string, PartySignature[][]>()
  for (const { party, signatures } of entries) {
    const earlier = entriesOf.get(party)
    if (earlier) earlier.push([...signatures])
    else entriesOf.set(party, [[...signatures]])
  }
  return new Map(
    [...entriesOf].map(([party, given]) => [party, given.length > 1 ? distinct(given.flat()) : given.flat()]),
  )
}

const distinct = (signatures: readonly PartySignature[]): PartySignature[] => [
  ...new Map(signatures.map((item) => [print(item), item])).values(),
]

const print = ({ format, algorithm, signedBy, signature }: PartySignature): string =>
  [format, algorithm, signedBy, signature.toString('base64')].join()

/**
 * Checks rights, request, bytes and signatures in this order. Ends when the submission can commit. `signatureLimit`: of
 * one party. Throws `LedgerError`, `RedactedError` and `ReferenceFault`.
 */
export async function submitPrepared(
  call: Call<ExecuteBody>,
  { outline, prepared: readable }: PreparedBytes,
  signatureLimit: number,
): Promise<{ commit: Commit; identity: Submission }> {
  const { participant, caller, body } = call
  const { traceId } = call.submission
  const { ledger, without, behaviour } = participant
  executionRights.run({ call, outline }, without)
  const identity: Submission = {
    userId: effectiveUserId(caller, body.userId),
    submissionId: body.submissionId === '' ? call.submission.submissionId : body.submissionId,
    commandId: readable?.metadata.submitterInfo.commandId ?? '',
    workflowId: '',
    actAs: [...new Set(outline.actAs)],
    readAs: [],
  }
  call.submission.submissionId = identity.submissionId
  executionRequestChecks.run({ body, identity, outline, behaviour }, without)
  const bound = minLedgerTime(body.minLedgerTime, ledger.clock.now())
  refuseUnrepresentable(bound)
  expectKnownScheme(body.hashingSchemeVersion, ledger.protocolVersion, failedToExecute)
  if (readable?.transaction.version === 'dev' && behaviour.has('unknown-node-version-not-hashed'))
    throw failedToExecute(nodeNotHashed)
  const scheme = body.hashingSchemeVersion === 'HASHING_SCHEME_VERSION_V3' ? 'V3' : 'V2'
  const signatures = signaturesByParty(body.partySignatures)
  const signed = { outline, prepared: readable, scheme, signatures, signatureLimit } as const
  const { prepared, hash } = verifySigned(ledger, signed, without)
  const work = acquirePrepared(ledger, {
    identity,
    prepared,
    hash,
    deduplication: body.deduplicationPeriod?.period,
    minLedgerTime: bound,
    traceId,
    without,
  })
  const commit = await inTurns(work)
  await ledger.clock.transit(participant.activity)
  return { commit, identity }
}

const nodeNotHashed =
  'Cannot hash node with LF serialization version VDev using hashing scheme V2. Please use hashing scheme V4 or higher.'

const executionRights = new Checks<{ call: Call<ExecuteBody>; outline: Outline }>({
  'AUTH-ACT-AS': ({ call: { caller, body }, outline }) => {
    demandOwnUserId(caller, body.userId)
    demandExecuteAs(caller, outline.actAs)
  },
})
