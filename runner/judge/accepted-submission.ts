import { operationNamed } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { isSuccess } from './sent-steps.js'

/** Whether a transaction may have been committed for it: of what does not wait, the answer does not tell. */
export const isAcceptedSubmission = ({ operation }: Pick<ResolvedStep, 'operation'>, evidence: Evidence): boolean =>
  operationNamed(operation)?.commits === true && isSuccess(evidence)
