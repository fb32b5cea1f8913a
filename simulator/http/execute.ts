/** The operations that execute a prepared transaction: they differ only in whether they wait, and in what they show. */
import { operations, supportOperations } from '../../interface/operations.js'
import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { normalisePreparedTransaction } from '../../interface/prepared-transaction/normalise.js'
import { type Outline, outlineOf } from '../../interface/prepared-transaction/outline.js'
import type { PreparedTransaction } from '../../interface/prepared-transaction/prepared-transaction.js'
import { ProtobufError } from '../../interface/protobuf.js'
import { MissingPartError } from '../../interface/protobuf-message.js'
import { demandExecuteAs, demandOwnUserId, demandRead } from '../auth/authorize.js'
import { effectiveUserId } from '../auth/caller.js'
import { Checks } from '../checks.js'
import { invalidArgument, LedgerError, RedactedError, UndecodableBody } from '../errors.js'
import { execute as takeUpExecution } from '../ledger/execute.js'
import { verifySigned } from '../ledger/execution-checks.js'
import type { PartySignature } from '../ledger/party-signature.js'
import type { Flight } from '../ledger/take-up.js'
import type { Submission } from '../ledger/transaction.js'
import { ok } from './answer.js'
import { checkTransactionFormat, partiesOf, type TransactionFormat } from './checked-format.js'
import { type Call, endpoint } from './endpoint.js'
import { wholeTransactionView } from './event-view.js'
import { type ExecuteBody, executeBody, executeForTransactionBody } from './execute-body.js'
import { executionRequestChecks } from './execution-request-checks.js'
import { minLedgerTime } from './min-ledger-time.js'

export const execute = endpoint({
  method: 'post',
  path: operations.execute.path,
  body: executeBody,
  handle: async (call) => {
    const { flight } = setOut(call, readBytes(call), signatureLimit)
    await call.participant.ledger.clock.transit()
    try {
      flight.land()
    } catch (error) {
      // What becomes of the transaction is told by its completion alone.
      if (!(error instanceof LedgerError || error instanceof RedactedError)) throw error
    }
    return ok({})
  },
})

export const executeAndWait = endpoint({
  method: 'post',
  path: supportOperations['execute-and-wait'].path,
  body: executeBody,
  handle: async (call) => {
    const { flight } = setOut(call, readBytes(call), waitingSignatureLimit)
    await call.participant.ledger.clock.transit()
    const { updateId, offset } = flight.land()
    return ok({ updateId, completionOffset: offset })
  },
})

export const executeAndWaitForTransaction = endpoint({
  method: 'post',
  path: operations['execute-and-wait-for-transaction'].path,
  body: executeForTransactionBody,
  handle: async (call) => {
    const { ledger } = call.participant
    const given = call.body.transactionFormat
    const bytes = readBytes(call)
    // Whoever asks for the format that he gets anyway needs no more rights than to execute.
    if (given?.eventFormat) demandRead(call.caller, partiesOf(given.eventFormat) ?? [])
    const format = given && checkTransactionFormat(given, ledger.packages, 'format')
    const { flight, identity } = setOut(call, bytes, waitingSignatureLimit)
    await ledger.clock.transit()
    return ok({
      transaction: wholeTransactionView(flight.land(), format ?? everythingFor(identity.actAs), ledger.packages),
    })
  },
})

/** The format where none is given. Whom the transaction was prepared to read as does not stand in the bytes. */
const everythingFor = (parties: readonly string[]): TransactionFormat => ({
  eventFormat: {
    byParty: new Map(parties.map((party) => [party, [{ kind: 'wildcard', blob: false }]])),
    forAnyParty: undefined,
  },
  transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
})

/** Signatures that one party may give to the operation that does not wait (3.5.10). */
const signatureLimit = 50

/** The reference is not known to have a limit for those that wait; here it is what can be verified within a second or two. */
const waitingSignatureLimit = 1000

interface Bytes {
  outline: Outline
  prepared: PreparedTransaction | undefined
}

/** Comes before everything that asks who is calling. */
function readBytes({ body, participant: { behaviour } }: Call<ExecuteBody>): Bytes {
  if (!body.deduplicationPeriod && behaviour.has('execute-needs-deduplication-period')) {
    throw new UndecodableBody(["Missing required field at 'deduplicationPeriod'"])
  }
  try {
    const outline = outlineOf(body.preparedTransaction)
    return { outline, prepared: readWhole(body.preparedTransaction) }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidArgument('conversion', 'Cannot parse prepared_transaction')
  }
}

function readWhole(bytes: Buffer): PreparedTransaction | undefined {
  try {
    return normalisePreparedTransaction(decodePreparedTransaction(bytes))
  } catch (error) {
    if (error instanceof MissingPartError) return undefined
    throw error
  }
}

/** All that a caller is told at once, whether he waits or not. */
function setOut(
  call: Call<ExecuteBody>,
  { outline, prepared: readable }: Bytes,
  signatureLimit: number,
): { flight: Flight; identity: Submission } {
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
  const signatures = byParty(body.partySignatures)
  const signed = { outline, prepared: readable, scheme, signatures, signatureLimit } as const
  const { prepared, hash } = verifySigned(ledger, signed, enforcement)
  const flight = takeUpExecution(ledger, {
    identity,
    prepared,
    hash,
    deduplication: body.deduplicationPeriod?.period,
    minLedgerTime: minLedgerTime(body.minLedgerTime, ledger.clock.now()),
    traceId,
  })
  return { flight, identity }
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

/** A party may have several entries; a signature that stands in two of them was given once. */
function byParty(entries: ExecuteBody['partySignatures']): Map<string, PartySignature[]> {
  const merged = new Map<string, { signatures: PartySignature[]; known: Set<string> }>()
  for (const { party, signatures } of entries) {
    const found = merged.get(party) ?? { signatures: [], known: new Set() }
    merged.set(party, found)
    for (const item of signatures) if (!found.known.has(print(item))) found.signatures.push(item)
    for (const item of signatures) found.known.add(print(item))
  }
  return new Map([...merged].map(([party, { signatures }]) => [party, signatures]))
}

const print = ({ format, algorithm, signedBy, signature }: PartySignature): string =>
  [format, algorithm, signedBy, signature.toString('base64')].join()
