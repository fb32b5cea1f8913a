/** From an interpreted submission to a transaction. In between it is in flight, and others feel that. */
import { Checks } from '../../base/checks.js'
import {
  duplicateCommand,
  inactiveContracts,
  LedgerError,
  lockedContracts,
  submissionAlreadyInFlight,
} from '../../base/errors.js'
import { shortened } from '../../base/shortened.js'
import { printChangeId } from '../state/deduplication.js'
import type { InterpretedSubmission, Verdict } from '../state/interpreted-submission.js'
import type { Ledger } from '../state/ledger.js'
import type { Route } from '../state/synchronizer.js'
import { contractChanges, type Interpretation, type Node, type Transaction } from '../transactions/transaction.js'

/** A submission that has been acquired: its change id and the contracts that it consumes are its own until it is decided. */
export interface InFlightSubmission {
  /** Commits, or throws the verdict against it, a `LedgerError` or `RedactedError`. To be called once. */
  commit(): Transaction
}

/**
 * Acquires what a submission needs to be in flight. Throws `SUBMISSION_ALREADY_IN_FLIGHT` where the same change is in flight;
 * whatever else speaks against it is decided now and told when it commits, as the participant 3.5.10 does with what its
 * synchronizer has to say.
 */
export function acquire(ledger: Ledger, submission: InterpretedSubmission): InFlightSubmission {
  const { identity, interpretation, route } = submission
  refuseSameChange(ledger, submission)
  const verdict = verdictOn(ledger, submission)
  const taken = verdict ? [] : [...contractChanges(interpretation.nodes).archived, ...route.reassigned]
  const end = ledger.inFlight.begin(identity, new Set(taken))
  return {
    commit: () => {
      end()
      if (!verdict) return ledger.commit(submission)
      ledger.refuse(submission, verdict)
      throw verdict
    },
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
  repetition(ledger, submission) ?? submission.verdict?.() ?? inactive(ledger, submission) ?? locked(ledger, submission)

const changeChecks = new Checks<{ ledger: Ledger; submission: InterpretedSubmission }>([
  {
    rule: 'EXE-CHANGE-ID',
    run: ({ ledger, submission }) => {
      const found = duplicate(ledger, submission)
      if (found) throw found
    },
  },
])

function repetition(ledger: Ledger, submission: InterpretedSubmission): LedgerError | undefined {
  if (!submission.enforcement) return duplicate(ledger, submission)
  try {
    submission.enforcement.enforce(changeChecks, { ledger, submission })
    return undefined
  } catch (error) {
    if (error instanceof LedgerError) return error
    throw error
  }
}

function duplicate(ledger: Ledger, { identity, route, deduplication }: InterpretedSubmission): LedgerError | undefined {
  const earlier = ledger.deduplication.duplicateOf(identity, deduplication, ledger.clock.now())
  if (!earlier) return undefined
  return duplicateCommand('service', 'Command submission already exists.', {
    context: {
      changeId: printChangeId(identity),
      completion_offset: String(earlier.offset),
      accepted: 'true',
      psid: ledger.shownId(route.synchronizer),
      existingSubmissionId: `Some(${earlier.submission.submissionId})`,
    },
    definite: 'true',
  })
}

/** Disclosed contracts may be archived, or never have been on this ledger: their blobs only show what they would hold. */
function inactive(ledger: Ledger, { interpretation, route }: InterpretedSubmission): LedgerError | undefined {
  const nodes = inputs(interpretation).filter(({ contract }) => !ledger.contract(contract.id))
  if (nodes.length === 0) return undefined
  return inactiveContracts(
    'service',
    'Rejected transaction is referring to inactive contracts ',
    report(ledger, route, nodes),
  )
}

/** Whoever uses a contract that is about to be consumed loses, even if he only reads it. */
function locked(ledger: Ledger, { interpretation, route }: InterpretedSubmission): LedgerError | undefined {
  const nodes = inputs(interpretation).filter(({ contract }) => ledger.inFlight.isLocked(contract.id))
  if (nodes.length === 0) return undefined
  return lockedContracts(
    'service',
    'Rejected transaction is referring to locked contracts ',
    report(ledger, route, nodes),
  )
}

/** The nodes that use a contract which the transaction does not create itself. */
function inputs({ nodes }: Interpretation): Node[] {
  const { created } = contractChanges(nodes)
  return nodes.filter(({ contract }) => !created.has(contract.id))
}

/** What a participant says of the contracts for which it did not confirm a transaction. */
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
