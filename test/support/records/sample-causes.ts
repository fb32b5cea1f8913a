import type { Judgement, RunRow } from '../../../record/types/record.js'
import { failureCauses } from '../../../reports/summary/failure-causes.js'
import { sampleHeader } from './sample-record.js'
import { sampleJudgement, sampleRow } from './sample-row.js'

/** A failed row with unmet judgements. */
export const failedRow = (id: string, judgements: Partial<Judgement>[], more: Partial<RunRow> = {}): RunRow =>
  sampleRow(id, {
    verdict: 'fail',
    judgements: judgements.map((one) => sampleJudgement({ met: false, ...one })),
    ...more,
  })

/** Titles and row ids of the causes. A cause is the title if the record lacks its rule. */
export const titledCauses = (rows: RunRow[]): [title: string, ids: string[]][] =>
  failureCauses(rows, sampleHeader({ rules: [] })).map(({ title, rows: some }) => [title, some.map(({ id }) => id)])
