/** Errors that synchronizer and participants detect after the submission, in their order. */

import type { PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { printInstant } from '../../../lib/json/instant.js'
import {
  duplicateUuid,
  type LedgerError,
  ledgerTimeOutOfBound,
  malformedRequest,
  maxRecordTimeExceeded,
  preparationTimeOutOfBound,
  RedactedError,
} from '../../base/errors.js'
import type { Ledger } from '../state/ledger.js'
import type { LedgerState, Synchronizer } from '../state/ledger-state.js'

export interface SignedContent {
  prepared: PreparedTransaction
  /** Ledger time, in microseconds. */
  effectiveAt: bigint
  synchronizer: Synchronizer
  /** Also true if the ledger time prevents the interpretation. */
  conforms: boolean
}

/** In microseconds; defaults of the reference participant 3.5.10. */
const ledgerTimeTolerance = 60_000_000n
const preparationTimeTolerance = 24n * 3_600_000_000n

/** The first error, or undefined. Reserves the transaction's UUID. */
export function executionVerdict(ledger: Ledger, content: SignedContent): LedgerError | RedactedError | undefined {
  const now = ledger.clock.now()
  return (
    withoutActors(ledger, content) ??
    repeatedUuid(ledger, content, now) ??
    (content.conforms ? undefined : new RedactedError('INVALID_ARGUMENT', { traced: false })) ??
    outOfTime(ledger, content, now)
  )
}

function withoutActors(ledger: Ledger, { prepared, synchronizer }: SignedContent): LedgerError | undefined {
  if (prepared.metadata.submitterInfo.actAs.length > 0) return undefined
  return malformedRequest('service', 'Malformed request', {
    context: {
      reason: 'SubmitterMetadataError(The actAs set must not be empty.)',
      message: 'Transaction confirmation request creation failed',
      psid: ledger.shownId(synchronizer),
    },
  })
}

function repeatedUuid(ledger: Ledger, { prepared }: SignedContent, now: bigint): LedgerError | undefined {
  const uuid = prepared.metadata.transactionUuid.toLowerCase()
  const until = reserveUuid(ledger.state, uuid, now)
  if (until === undefined) return undefined
  return duplicateUuid(
    'routing',
    `The request UUID (${uuid}) is a duplicate of a previous request with an identical UUID. It cannot be re-used until ${printInstant(until)}.`,
    { context: { uuid, expireAfter: printInstant(until) } },
  )
}

/** In microseconds (observed on 3.5.10). */
const timeToRemember = 2n * preparationTimeTolerance

/**
 * For each sequenced transaction, accepted or rejected. If the UUID is already reserved, returns the expiry in
 * microseconds since 1970.
 */
function reserveUuid({ takenUuids }: LedgerState, uuid: string, now: bigint): bigint | undefined {
  // Entries are in order of expiry.
  for (const [taken, until] of takenUuids) {
    if (until > now) break
    takenUuids.delete(taken)
  }
  const until = takenUuids.get(uuid)
  if (until === undefined) takenUuids.set(uuid, now + timeToRemember)
  return until
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

function outOfTime(ledger: Ledger, content: SignedContent, now: bigint): LedgerError | undefined {
  const { effectiveAt, prepared, synchronizer } = content
  const { preparationTime, maxRecordTime, submitterInfo } = prepared.metadata
  const report = {
    context: {
      reported_by_participant_id: `PAR::${ledger.participantId}`,
      confirming_parties: [ledger.participantId, ...submitterInfo.actAs].join(', '),
      psid: ledger.shownId(synchronizer),
    },
  }
  const at = `recordTime=${printInstant(now)}`
  if (distance(effectiveAt, now) > ledgerTimeTolerance) {
    return ledgerTimeOutOfBound(
      'service',
      `Rejected transaction as delta of the ledger time and the record time exceed the time tolerance ledgerTime=${printInstant(effectiveAt)}, ${at}, maxDelta=1m`,
      report,
    )
  }
  if (distance(preparationTime, now) > preparationTimeTolerance) {
    return preparationTimeOutOfBound(
      'service',
      `Rejected transaction as delta of the preparation time and the record time exceed the time tolerance preparationTime=${printInstant(preparationTime)}, ${at}`,
      report,
    )
  }
  if (maxRecordTime !== undefined && maxRecordTime < now) {
    return maxRecordTimeExceeded(
      'service',
      `Rejected transaction as record time exceeds the maximum record time: ${at}, maxRecordTime=${printInstant(maxRecordTime)}`,
      report,
    )
  }
  return undefined
}
