/** The last reads of a run, and what all reads of the ledger show together. */
import type { Evidence } from './record.js'

export interface RecordedRead {
  /** Of the interface, such as `updates`. */
  operation: string
  evidence: Evidence
}

/**
 * `contradicted`: the participant contradicts itself, so the rows fail. `unproven`: the rows are blocked. `stated`: a
 * certificate states it.
 */
export interface OracleFinding {
  kind: 'contradicted' | 'unproven' | 'stated'
  /** The operation whose answers the rows rely on. */
  oracle: string
  /** One sentence without a full stop. */
  sentence: string
  /** Of contradicted rows. */
  rules: string[]
  /** Ids. Empty if no single row is the cause. */
  rows: string[]
}

/** Written after all rows. Findings follow from the reads and the rows. */
export interface OraclesLine {
  type: 'oracles'
  reads: RecordedRead[]
  findings: OracleFinding[]
}
