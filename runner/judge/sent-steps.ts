/** Sent, accepted and possibly committed steps. */
import { operationNamed } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

export const isSuccess = ({ response }: Pick<Evidence, 'response'>): boolean =>
  Math.floor((response?.status ?? 0) / 100) === 2

/** Whether the step is sent after this evidence. One accepted attempt of a race counts as accepted. */
export function isSent({ presigned, sentWhen }: ResolvedStep, evidence: readonly Evidence[]): boolean {
  if (presigned) return false
  if (sentWhen === undefined) return true
  const accepted = evidence.some((one) => one.role === 'act' && isSuccess(one))
  return accepted === (sentWhen === 'accepted')
}

/** Whether a transaction may be committed: an operation that does not wait for completion does not report it. */
export const isAcceptedSubmission = ({ operation }: Pick<ResolvedStep, 'operation'>, evidence: Evidence): boolean =>
  operationNamed(operation)?.commits === true && isSuccess(evidence)
