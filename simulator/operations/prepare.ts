import { supportOperations } from '../../interface/operations.js'
import { encodePreparedTransaction, type PreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../interface/prepared-transaction/hash.js'
import { type HashingScheme, TransactionHashError } from '../../interface/prepared-transaction/hash-encoding.js'
import { isInstant, printInstant } from '../../lib/json/instant.js'
import { demandRead } from '../auth/caller.js'
import { failedToPrepare, invalidArgument, invalidField } from '../base/errors.js'
import { inTurns } from '../base/slices.js'
import { command, disclosedContract, prefetchContractKey } from '../codec/commands.js'
import { packageNamesIn } from '../codec/conversion.js'
import { ok } from '../http/answer.js'
import { endpoint, on } from '../http/endpoint.js'
import { absentable, flag, int32, list, mapped, members, optional, required, text } from '../json/decode.js'
import { instant } from '../json/times.js'
import type { DeduplicationPeriod } from '../ledger/state/deduplication.js'
import type { LedgerState } from '../ledger/state/ledger-state.js'
import { prepareTransaction } from '../ledger/submit/prepare.js'
import { expectKnownScheme, type HashingSchemeName, preparedSchemeName, thirdSchemeRefused } from './hashing-scheme.js'
import { minLedgerTime, minLedgerTimeBody, noBound, type SubmissionBody } from './submission-body.js'
import { checkedSubmission, preprocessingChecks } from './submission-checks.js'

/** As error contexts show it. */
const noPeriod: DeduplicationPeriod = { kind: 'duration', nanos: 0n }

/** `submission`: as for submit-and-wait; missing members are empty. */
const prepareBody = mapped(
  members({
    commandId: required(text),
    commands: required(list(command)),
    actAs: required(list(text)),
    synchronizerId: required(text),
    packageIdSelectionPreference: required(list(text)),
    userId: optional(text, ''),
    readAs: optional(list(text), []),
    minLedgerTime: optional(minLedgerTimeBody, noBound),
    disclosedContracts: optional(list(disclosedContract), []),
    prefetchContractKeys: optional(list(prefetchContractKey), []),
    maxRecordTime: absentable(instant),
    estimateTrafficCost: optional(members({ disabled: optional(flag, false) }), { disabled: false }),
    hashingSchemeVersion: optional(preparedSchemeName, 'HASHING_SCHEME_VERSION_V2'),
    tapsMaxPasses: absentable(int32),
    verboseHashing: optional(flag, false),
  }),
  ({ maxRecordTime, estimateTrafficCost, hashingSchemeVersion, verboseHashing, minLedgerTime: bound, ...rest }) => {
    const { packageIdSelectionPreference: preference, prefetchContractKeys: prefetch, ...shared } = rest
    const unused = { workflowId: '', submissionId: '', deduplication: noPeriod }
    const submission: SubmissionBody = { ...shared, ...bound, ...unused, preference, prefetch }
    const estimateCost = !estimateTrafficCost.disabled
    return { submission, maxRecordTime, hashingSchemeVersion, verboseHashing, estimateCost }
  },
)

export const prepare = endpoint({
  ...on(supportOperations.prepare),
  body: prepareBody,
  handle: async (call) => {
    const { participant, body } = call
    const { ledger, without } = participant
    const { submission } = body
    call.submission.submissionId = '' // nothing is submitted
    const { commands, identity, disclosed, now } = checkedSubmission(call, submission, (caller) =>
      demandRead(caller, [...submission.actAs, ...submission.readAs]),
    )
    refuseUnrepresentable(body.maxRecordTime)
    const scheme = schemeOf(body.hashingSchemeVersion, ledger.protocolVersion)
    const [command, ...more] = commands
    if (!command || more.length > 0) throw failedToPrepare('Preparing multiple commands is currently not supported')
    preprocessingChecks.run(commands, without)
    const onePass = submission.tapsMaxPasses === 1n
    const bounds = { minLedgerTime: minLedgerTime(submission, now), maxRecordTime: body.maxRecordTime }
    const packageNames = packageNamesIn(submission.commands)
    const routing = { prescribed: submission.synchronizerId, preference: submission.preference }
    const request = { ...identity, command, packageNames, disclosed, ...routing }
    const prepared = await inTurns(prepareTransaction(ledger, { ...request, ...bounds, onePass }))
    rememberReaders(ledger.state, prepared.metadata.transactionUuid, identity.readAs)
    return answer(prepared, scheme, { details: body.verboseHashing, estimatedAt: body.estimateCost ? now : undefined })
  },
})

/** Throws `INVALID_ARGUMENT`. */
function refuseUnrepresentable(maxRecordTime: bigint | undefined): void {
  if (maxRecordTime === undefined || isInstant(maxRecordTime)) return
  throw invalidArgument('request', `Can not represent ledger time ${printInstant(maxRecordTime)} as a Daml timestamp`)
}

/** Protocol version 34 has one scheme, later versions two. */
function schemeOf(name: HashingSchemeName, protocolVersion: number): HashingScheme {
  if (name === 'HASHING_SCHEME_VERSION_UNSPECIFIED') {
    throw invalidField('request', 'hashing_scheme_version', 'the hashing scheme version is unspecified')
  }
  if (name === 'HASHING_SCHEME_VERSION_V2') return 'V2'
  expectKnownScheme(name, protocolVersion, failedToPrepare)
  if (protocolVersion >= 35) return 'V3'
  throw thirdSchemeRefused(protocolVersion)
}

/** The reference returns hashing details only if its configuration enables them. */
const noDetails = 'Verbose hashing is disabled on this participant. Contact the node administrator for more details.'

function answer(
  prepared: PreparedTransaction,
  scheme: HashingScheme,
  { details, estimatedAt }: { details: boolean; estimatedAt: bigint | undefined },
) {
  return ok({
    preparedTransaction: encodePreparedTransaction(prepared).toString('base64'),
    preparedTransactionHash: hash(prepared, scheme).toString('base64'),
    hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}`,
    hashingDetails: details ? noDetails : null,
    costEstimation: estimatedAt === undefined ? null : noCost(estimatedAt),
  })
}

function hash(prepared: PreparedTransaction, scheme: HashingScheme): Buffer {
  try {
    return hashPreparedTransaction(prepared, scheme)
  } catch (error) {
    if (error instanceof TransactionHashError) throw failedToPrepare(error.message)
    throw error
  }
}

/** Without traffic control, all costs are 0. */
const noCost = (at: bigint) => ({
  estimationTimestamp: printInstant(at),
  confirmationRequestTrafficCostEstimation: 0,
  confirmationResponseTrafficCostEstimation: 0,
  totalTrafficCostEstimation: 0,
})

/** The oldest entries are dropped first. */
const mostRemembered = 10_000

/** Keeps the `readAs` parties, which an execution needs and prepared bytes lack. */
function rememberReaders({ preparedReaders }: LedgerState, transactionUuid: string, readers: readonly string[]): void {
  if (readers.length === 0) return
  preparedReaders.set(transactionUuid, readers)
  const [first] = preparedReaders.keys()
  if (preparedReaders.size > mostRemembered && first !== undefined) preparedReaders.delete(first)
}
