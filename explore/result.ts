import type { NonLinearizableHistory } from './histories/trial.js'
import type { Finding, MetDivergence } from './judge/finding.js'

export interface ExplorationResult {
  sequences: number
  /** Sequences, trials and differences that an outage disturbed. */
  discarded: number
  exchanges: number
  /** Steps that were repeated to confirm, shrink and judge differences. */
  retried: number
  /** Requests of concurrency trials, sent only to the target. */
  raced: number
  seconds: number
  findings: Finding[]
  histories: HistoryFinding[]
  trials: number
  divergences: MetDivergence[]
  permitted: Map<string, number>
  /** Differences that no repetition confirmed, by signature. */
  unconfirmed: Map<string, number>
  /** By operation and summary of the reference's answer. */
  outcomes: Map<string, number>
}

export interface HistoryFinding extends NonLinearizableHistory {
  id: string
  /** `times` of `of` trials had a non-linearizable history. */
  times: number
  of: number
  /** Seconds since the start of the exploration. */
  seenAfter: number
  requestsBefore: number
}

export const countRequests = ({ exchanges, retried, raced }: ExplorationResult): number => exchanges + retried + raced

export const emptyResult = (): ExplorationResult => ({
  sequences: 0,
  discarded: 0,
  exchanges: 0,
  retried: 0,
  raced: 0,
  seconds: 0,
  findings: [],
  histories: [],
  trials: 0,
  divergences: [],
  permitted: new Map(),
  unconfirmed: new Map(),
  outcomes: new Map(),
})
