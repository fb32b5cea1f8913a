import { firstMicro } from '../../../lib/json/instant.js'
import { declareRules } from '../../base/checks.js'
import {
  duplicateCommand,
  inactiveContracts,
  invalidDeduplicationPeriod,
  LedgerError,
  lockedContracts,
  RedactedError,
  submissionAlreadyInFlight,
} from '../../base/errors.js'
import type { Slices } from '../../base/slices.js'
import { shortened } from '../../base/strings.js'
import { type CommandRequest, interpretAndRoute } from '../route/routed-interpretation.js'
import { type DeduplicationPeriod, isInPeriod, printChangeId, printDuration } from '../state/deduplication.js'
import type { InterpretedSubmission, Verdict } from '../state/interpreted-submission.js'
import type { Ledger } from '../state/ledger.js'
import type { Route } from '../state/ledger-state.js'
import {
  contractChanges,
  type Interpretation,
  type Node,
  type Submission,
  type Transaction,
} from '../transactions/transaction.js'

/**
 * Decides an acquired submission, which until then owns its change id and the contracts that it consumes. Throws
 * `LedgerError` or `RedactedError`. Call once.
 */
export type Commit = () => Transaction

/** Throws `SUBMISSION_ALREADY_IN_FLIGHT`. `Commit` throws all other errors, like synchronizer verdicts of the reference participant 3.5.10. */
export function acquire(ledger: Ledger, submission: InterpretedSubmission): Commit {
  const { identity, interpretation, route } = submission
  refuseSameChange(ledger, submission)
  const verdict = verdictOn(ledger, submission)
  const taken = verdict ? [] : [...contractChanges(interpretation.nodes).archived, ...route.reassigned]
  const end = ledger.inFlight.begin(identity, new Set(taken))
  return () => {
    end()
    if (!verdict) return ledger.commit(submission)
    ledger.refuse(submission, verdict)
    throw verdict
  }
}

/** Only the completion reports a rejection. */
export function commitUnreported(commit: Commit): void {
  try {
    commit()
  } catch (error) {
    if (!(error instanceof LedgerError || error instanceof RedactedError)) throw error
  }
}

function refuseSameChange(ledger: Ledger, { identity, route }: InterpretedSubmission): void {
  const pending = ledger.inFlight.sameChange(identity)
  if (!pending) return
  throw submissionAlreadyInFlight('service', 'The submission is already in-flight', {
    context: {
      physicalSynchronizerId: ledger.shownId(route.synchronizer),
      changeId: printChangeId(identity),
      existingSubmissionId: `Some(${pending.submissionId})`,
      existingSubmissionSynchronizerId: shortened(route.synchronizer.id),
    },
  })
}

const verdictOn = (ledger: Ledger, submission: InterpretedSubmission): Verdict | undefined =>
  periodTooLong(ledger, submission) ??
  duplicate(ledger, submission) ??
  submission.verdict?.() ??
  inactive(ledger, submission) ??
  locked(ledger, submission)

/** The period begins before the first possible ledger time. */
function periodTooLong(
  ledger: Ledger,
  { identity, route, deduplication }: InterpretedSubmission,
): LedgerError | undefined {
  const longest = ledger.clock.now() - firstMicro
  if (deduplication?.kind !== 'duration' || deduplication.nanos / 1000n <= longest) return undefined
  return invalidDeduplicationPeriod('service', 'The submitted command had an invalid deduplication period.', {
    context: {
      changeId: printChangeId(identity),
      longest_duration: printDuration(longest * 1000n),
      psid: ledger.shownId(route.synchronizer),
      requestedPeriod: `DeduplicationDuration(${printDuration(deduplication.nanos)})`,
    },
  })
}

declareRules('EXE-CHANGE-ID')

function duplicate(
  ledger: Ledger,
  { identity, route, deduplication, without }: InterpretedSubmission,
): LedgerError | undefined {
  if (without?.has('EXE-CHANGE-ID')) return undefined
  const earlier = ledger.acceptedChange(identity)
  if (!earlier || !isInPeriod(earlier, deduplication, ledger.clock.now())) return undefined
  return duplicateCommand('service', 'Command submission already exists.', {
    context: {
      changeId: printChangeId(identity),
      completion_offset: String(earlier.offset),
      accepted: 'true',
      psid: ledger.shownId(route.synchronizer),
      existingSubmissionId: `Some(${earlier.submission.submissionId})`,
    },
  })
}

/** A blob does not prove that a disclosed contract is active. */
function inactive(ledger: Ledger, { interpretation, route }: InterpretedSubmission): LedgerError | undefined {
  const nodes = inputs(interpretation).filter(({ contract }) => !ledger.contract(contract.id))
  if (nodes.length === 0) return undefined
  return inactiveContracts(
    'service',
    'Rejected transaction is referring to inactive contracts ',
    report(ledger, route, nodes),
  )
}

/** A submission that only reads a locked contract is rejected too. */
function locked(ledger: Ledger, { interpretation, route }: InterpretedSubmission): LedgerError | undefined {
  const nodes = inputs(interpretation).filter(({ contract }) => ledger.inFlight.isLocked(contract.id))
  if (nodes.length === 0) return undefined
  return lockedContracts(
    'service',
    'Rejected transaction is referring to locked contracts ',
    report(ledger, route, nodes),
  )
}

function inputs({ nodes }: Interpretation): Node[] {
  const { created } = contractChanges(nodes)
  return nodes.filter(({ contract }) => !created.has(contract.id))
}

function report(ledger: Ledger, { synchronizer }: Route, nodes: readonly Node[]) {
  const ids = [...new Set(nodes.map(({ contract }) => contract.id))]
  return {
    context: {
      CONTRACT_ID: `List(${ids.join(', ')})`,
      reported_by_participant_id: `PAR::${ledger.participantId}`,
      confirming_parties: [...(nodes[0]?.witnesses ?? []), ledger.participantId].join(', '),
      psid: ledger.shownId(synchronizer),
    },
    resources: ids.map((id): [string, string] => ['CONTRACT_ID', id]),
  }
}

export interface CommandSubmission extends Submission, CommandRequest {
  actAs: string[]
  readAs: string[]
  deduplication?: DeduplicationPeriod
  /** In microseconds; the caller has waited for this time. */
  minLedgerTime?: bigint
  /** Microseconds by which the ledger time may be earlier than now. */
  leeway?: bigint
  traceId: string
}

/**
 * Interprets, routes and acquires, in this order. Throws `LedgerError`.
 * @example
 * const commit = await inTurns(acquireCommands(ledger, submission))
 * commit().offset // 12
 */
export function* acquireCommands(ledger: Ledger, submission: CommandSubmission): Slices<Commit> {
  const { deduplication, minLedgerTime, leeway = 0n, traceId } = submission
  const { userId, commandId, submissionId, workflowId, actAs, readAs } = submission
  const identity: Submission = { userId, commandId, submissionId, workflowId, actAs, readAs }
  const now = ledger.clock.now()
  let effectiveAt = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now - leeway
  let routed = yield* interpretAndRoute(ledger, submission, { now, effectiveAt, signed: false })
  const latest = latestCreation(routed.interpretation)
  if (latest > effectiveAt) {
    effectiveAt = latest
    routed = yield* interpretAndRoute(ledger, submission, { now, effectiveAt, signed: false })
  }
  return acquire(ledger, { identity, ...routed, deduplication, effectiveAt, traceId })
}

/** Of the used contracts, in microseconds. */
const latestCreation = (interpretation: Interpretation): bigint =>
  inputs(interpretation).reduce(
    (latest, { contract }) => (contract.createdAt > latest ? contract.createdAt : latest),
    0n,
  )
