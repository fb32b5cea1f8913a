/** What the operations that execute have in common: all that is found out before a transaction is in flight. */
import type { Outline } from '../../interface/prepared-transaction/outline.js'
import { demandExecuteAs, demandOwnUserId } from '../auth/authorize.js'
import { effectiveUserId } from '../auth/caller.js'
import { Checks } from '../base/checks.js'
import { inTurns } from '../base/slices.js'
import type { Call } from '../http/call.js'
import type { InFlightSubmission } from '../ledger/submit/acquire.js'
import { acquirePrepared } from '../ledger/submit/acquire-prepared.js'
import { verifySigned } from '../ledger/submit/execution-checks.js'
import type { PartySignature } from '../ledger/submit/party-signature.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { ExecuteBody } from './execute-body.js'
import { executionRequestChecks } from './execution-request-checks.js'
import { minLedgerTime } from './min-ledger-time.js'
import type { PreparedBytes } from './prepared-bytes.js'

/**
 * The signatures of each party. Where several entries name one party, equal signatures count once, also those of one entry; the
 * only entry of a party is taken as it stands (as seen on 3.5.10).
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
 * Checks rights, request, bytes and signatures, in this order, and submits the transaction: all that a caller is told at once,
 * whether he waits or not. `signatureLimit`: how many signatures one party may give. Throws `LedgerError`, `RedactedError` and
 * `ReferenceFault`.
 */
export async function submitPrepared(
  call: Call<ExecuteBody>,
  { outline, prepared: readable }: PreparedBytes,
  signatureLimit: number,
): Promise<{ inFlight: InFlightSubmission; identity: Submission }> {
  const { participant, caller, body, traceId } = call
  const { ledger, enforcement, behaviour } = participant
  enforcement.enforce(executionRights, { call, outline })
  const identity: Submission = {
    userId: effectiveUserId(caller, body.userId),
    submissionId: body.submissionId === '' ? call.submission.submissionId : body.submissionId,
    commandId: readable?.metadata.submitterInfo.commandId ?? '',
    workflowId: '',
    actAs: [...new Set(outline.actAs)],
    readAs: [],
  }
  call.submission.submissionId = identity.submissionId
  enforcement.enforce(executionRequestChecks, { body, identity, outline, behaviour })
  const scheme = body.hashingSchemeVersion === 'HASHING_SCHEME_VERSION_V3' ? 'V3' : 'V2'
  const signatures = signaturesByParty(body.partySignatures)
  const signed = { outline, prepared: readable, scheme, signatures, signatureLimit } as const
  const { prepared, hash } = verifySigned(ledger, signed, enforcement)
  const work = acquirePrepared(ledger, {
    identity,
    prepared,
    hash,
    deduplication: body.deduplicationPeriod?.period,
    minLedgerTime: minLedgerTime(body.minLedgerTime, ledger.clock.now()),
    traceId,
    enforcement,
  })
  return { inFlight: await inTurns(work), identity }
}

const executionRights = new Checks<{ call: Call<ExecuteBody>; outline: Outline }>([
  {
    rule: 'AUTH-ACT-AS',
    run: ({ call: { caller, body }, outline }) => {
      demandOwnUserId(caller, body.userId)
      demandExecuteAs(caller, outline.actAs)
    },
  },
])
