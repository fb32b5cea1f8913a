/** What comparisons need of a run, without evidence. */
import type { RowResult, RunHeader } from '../../record/types/record.js'
import type { VerdictCounts } from '../../record/types/verdict.js'

/** Percentiles, in milliseconds. */
export interface Spread {
  p5: number
  median: number
  p95: number
  answers: number
}

/** `judgements` has only the unmet ones. */
export interface ComparedRow extends RowResult {
  /** Equal for rows with the same failure. */
  faults: string
  sent: boolean
}

type OfHeader = 'run' | 'startedAt' | 'tool' | 'suite' | 'text' | 'target' | 'only' | 'repeat' | 'judgedAgain'

export interface ComparedHeader extends Pick<RunHeader, OfHeader | 'callers' | 'allowed' | 'merged'> {
  profile: { name: string; title: string }
}

export interface ComparedRun {
  header: ComparedHeader
  planned: number
  /** In suite order. */
  rows: readonly ComparedRow[]
}

export interface RunFacts extends ComparedRun {
  conclusion: string
  counts: VerdictCounts
  isComplete: boolean
  problems: readonly string[]
  /** Of the record, one sentence each. */
  defects: readonly string[]
  /** Of failed rows. */
  causes: readonly { cause: string; rule?: string; rows: number }[]
  /** Response times of the requests under test, by operation. */
  latency: Readonly<Record<string, Spread>>
  /** Rows by verdict, for each operation. */
  operations: Readonly<Record<string, SomeCounts>>
  /** In the order of the header. */
  rules: readonly RuleFacts[]
}

/** Verdicts without a row are absent. */
export type SomeCounts = Partial<VerdictCounts>

export interface RuleFacts {
  id: string
  section: string
  /** Only of a rule that some row does not meet. */
  statement?: string
  counts: SomeCounts
}
