import { errorText } from '../../../cli/console/failure.js'
import type { Reason } from '../../../record/types/reason.js'
import { reasonText } from '../../../reports/wording/reason-words.js'
import { TargetError } from '../../../runner/target/target.js'

/** Empty without a reason. */
export const inWords = (reason: Reason | undefined): string => (reason ? reasonText(reason) : '')

export type InWords<Row> = Omit<Row, 'reason'> & { reason: string | undefined }

export const rowInWords = <Row extends { reason?: Reason }>(row: Row): InWords<Row> => ({
  ...row,
  reason: row.reason && reasonText(row.reason),
})

/** Throws the error with the words of its facts. */
export const throwInWords = (error: unknown): never => {
  throw new TargetError(errorText(error))
}
