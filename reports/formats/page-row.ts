/** The data of the page, which browsers read. Its files are checked without the types of Node. */
import type { RuleVerdicts } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, StepHead } from '../../record/types/resolved-row.js'
import type { ComparedRow } from '../summary/compared-run.js'

export interface PageRow extends ComparedRow, Pick<RunRow, 'configuration' | 'verdictByText'> {
  resolved: Pick<ResolvedRow, 'case' | 'title' | 'operation' | 'source' | 'impact'>
  rules: RuleVerdicts
  /** What the row changes in a valid request. */
  change: string
  /** Statuses of the requests under test; the problem code without a response. */
  statuses: string[]
  situations: string[]
  divergences: string[]
}

/** Judgements refer to the indexes of expectations. */
export interface PageStep extends StepHead {
  expectations: PageExpectation[]
}

/** The members of an expectation that its judgement lacks. */
export interface PageExpectation extends Pick<ResolvedExpectation, 'basis' | 'besides'> {
  source: string
}

export interface RowDetails extends Pick<RunRow, 'judgements' | 'evidence' | 'variables'> {
  steps: PageStep[]
}

export interface PageRun {
  header: RunHeader
  rows: PageRow[]
}
