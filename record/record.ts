/**
 * The run record: what a run leaves behind, and the only thing that reports know. `run-record.schema.json` is the same once
 * more, for lines that come from a file.
 * NDJSON: one header line, one row line per case row as it ends, one footer line. A record without footer is incomplete.
 */
import type { RecordedBody, RecordedHeaders } from '../interface/recorded-parts.js'
import type { Verdict, VerdictCounts } from './verdict.js'

export type { RecordedBody, RecordedHeaders }

export type Strength = 'must' | 'should' | 'may' | 'client'
export type Impact = 'read' | 'write' | 'topology' | 'hazard'

/** One normative sentence of the interface, as the run knew it. */
export interface RecordedRule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Why no row can show it from outside. */
  untestable?: string
}

/** A named way for a request to be refused, and what the profile takes for that refusal. */
export interface RecordedCondition {
  name: string
  meaning: string
  /** The profile knows that such a request is not refused. */
  accepted: boolean
  /** The answers that are permitted, in words; one is enough. Empty where any refusal will do. */
  alternatives: string[]
  source?: string
}

/** Values by name, each as JSON text: long integers would not survive as numbers. */
export type RecordedVariables = Record<string, string>

/** A recorded difference between the interface text and the profile that judged the run. */
export interface RecordedDivergence {
  id: string
  rule: string
  statement: string
  source: string
}

/** Something about the operations by which a target is provisioned and looked at: no rule, and no row. */
export interface RecordedCheck {
  /** As a sentence that ought to be true. */
  what: string
  met: boolean
  /** What is the case instead. */
  found?: string
}

export interface RunHeader {
  type: 'header'
  format: 1
  run: string
  tool: { name: string; version: string }
  /** Version and SHA-256 (hex) of all suite files that were read; `rows` are all that it has, selected or not. */
  suite: { version: string; digest: string; rows?: number }
  profile: { name: string; title: string }
  target: {
    url: string
    version?: string
    protocolVersion?: number
    authorization: string
    embedded: boolean
    /** What a target file said: its name as it was called, operations that were done without, how many transactions it gave, and whether callers identified themselves as it told. */
    file?: { name: string; unreachable: string[]; given: number; authorizes?: boolean }
  }
  capabilities: Record<string, boolean>
  /** What was found of the operations that only support those under test. */
  support?: RecordedCheck[]
  seed: string
  concurrency: number
  /** The filter that selected the rows; absent when all were. */
  only?: string
  startedAt: string
  /** Rows in the plan: those that run and those that are known beforehand not to run. */
  planned: number
  rules: RecordedRule[]
  conditions?: RecordedCondition[]
  divergences: RecordedDivergence[]
  /** What every row had at hand: parties and fixtures. */
  variables?: RecordedVariables
}

/** What was sent and received in one step: as it came where it is judged, and without secrets in a record (`cleanEvidence`). */
export interface Evidence {
  step: string
  purpose: 'test' | 'probe'
  request: { method: string; url: string; headers: RecordedHeaders; body?: RecordedBody }
  response?: { status: number; headers: RecordedHeaders; body: RecordedBody }
  /** Why there is no (complete) response. */
  problem?: { code: 'timeout' | 'refused' | 'reset' | 'malformed' | 'set-up' | 'not-sent'; message: string }
  startedAt: string
  milliseconds: number
}

/** One expectation that was evaluated. `expected` and `actual` are readable texts, not values to compute with. */
export interface Judgement {
  step: string
  /** The rules that this expectation judges. */
  rules: string[]
  strength: Strength
  /** What was looked at: `status`, `header content-type`, or `body` with a JSON pointer. */
  subject: string
  pointer?: string
  expected: string
  actual: string
  met: boolean
  /** The condition, alternative or divergence by which the profile set this expectation, if one did. */
  condition?: string
  divergence?: string
}

export interface RunRow {
  type: 'row'
  /** `CASE/row`. */
  id: string
  case: string
  row: string
  title: string
  operation: string
  rules: string[]
  impact: Impact
  source: { file: string; line: number }
  verdict: Verdict
  /** One sentence; always there unless the verdict is pass. */
  reason?: string
  judgements: Judgement[]
  evidence: Evidence[]
  /** What this row had at hand beyond the header's: its marker, and what its steps captured. */
  variables?: RecordedVariables
  startedAt: string
  milliseconds: number
}

export interface RunFooter {
  type: 'footer'
  endedAt: string
  milliseconds: number
  executed: number
  counts: VerdictCounts
  /** Every planned row has a row line. */
  complete: boolean
  conforming: boolean
  /** SHA-256 (hex) over all lines before this one, line feeds included. */
  digest: string
}

/** A record as a reader found it: no footer, or a wrong one, is a finding, not an exception. */
export interface RunRecord {
  header: RunHeader
  rows: RunRow[]
  footer?: RunFooter
  /** Why the record must not be taken as whole; empty when it is. */
  defects: string[]
}
