/** Which steps of a row are sent, as far as that follows from what was answered. */
import { operationNamed } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

export const isSuccess = ({ response }: Pick<Evidence, 'response'>): boolean =>
  Math.floor((response?.status ?? 0) / 100) === 2

/** `evidence`: what the row has so far. Of several requests at once one that is accepted is enough. */
export function isSent({ presigned, sentWhen }: ResolvedStep, evidence: readonly Evidence[]): boolean {
  if (presigned) return false
  if (sentWhen === undefined) return true
  const accepted = evidence.some((one) => one.role === 'act' && isSuccess(one))
  return accepted === (sentWhen === 'accepted')
}

/** Whether a transaction may have been committed for it: of what does not wait, the answer does not tell. */
export const isAcceptedSubmission = ({ operation }: Pick<ResolvedStep, 'operation'>, evidence: Evidence): boolean =>
  operationNamed(operation)?.commits === true && isSuccess(evidence)
