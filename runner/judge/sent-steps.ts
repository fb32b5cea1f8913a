import { operationNamed } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300

export const isSuccess = ({ response }: Evidence): boolean => response !== undefined && isSuccessStatus(response.status)

export const isRejection = ({ response }: Evidence): boolean => Math.floor((response?.status ?? 0) / 100) === 4

/** One accepted attempt of a race counts as accepted. */
export function isSent({ presigned, sentWhen }: ResolvedStep, evidence: readonly Evidence[]): boolean {
  if (presigned) return false
  if (sentWhen === undefined) return true
  const accepted = evidence.some((one) => one.role === 'act' && isSuccess(one))
  return accepted === (sentWhen === 'accepted')
}

/** The operation may commit later. */
export const isAcceptedSubmission = ({ operation }: ResolvedStep, evidence: Evidence): boolean =>
  operationNamed(operation)?.commits === true && isSuccess(evidence)
