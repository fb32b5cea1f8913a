/**
 * The run record, as in `run-record.schema.json`. NDJSON: one header; one line for each exchange before the rows; one line
 * for each completed row; one line with the last reads; one footer. No line refers to another line. A record without a footer is incomplete.
 */

import type { RecordedBody, RecordedHeaders } from '../../interface/recorded-parts.js'
import type { Made, Permission, RecordedRefusal } from './effects.js'
import type { CheckedFact, EndedEarly, Reason } from './reason.js'
import type { AppliedWaiver, RecordedOptions, RecordedSelection, RecordedWaiver } from './recorded-options.js'
import type { RecordedCaller, RecordedConnection, RecordedWant } from './recorded-target.js'
import type { Confidence, OtherExpectations, ResolvedRow, Role, Strength } from './resolved-row.js'
import type { Verdict, VerdictCounts } from './verdict.js'

export type { RecordedBody, RecordedHeaders }

/** A sentence of the interface text, or a fact of a profile. */
export interface RecordedRule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Section and ordinal: `ContractByIdRequest 4.2 (contractId required)`. */
  passages?: string[]
  factOf?: string
  /** Absent for all operations. */
  operations?: string[]
  untestable?: string
}

export interface RecordedProof {
  suite: string
  /** By rule: number of mutants, and of mutants that its rows find. */
  rules: Record<string, { deviations: number; found: number }>
}

export interface RecordedText {
  title: string
  version: string
  digest: string
  /** Passages without a rule, as in `RecordedRule.passages`. */
  unruled?: UnruledPassage[]
}

export interface UnruledPassage {
  passage: string
  because: string
  /** The text leaves the behaviour open. */
  open?: true
}

export interface RecordedSituation {
  name: string
  meaning: string
  outcome: 'accepted' | 'refused' | 'either'
  /** Permitted answers; empty if the outcome permits every answer. */
  alternatives: string[]
  confidence: Confidence
  source?: string
}

/** JSON text by name, which preserves long integers. */
export type RecordedVariables = Record<string, string>

/** A difference between the interface text and the profile. */
export interface RecordedDivergence {
  id: string
  rule: string
  statement: string
  source: string
}

export interface RecordedCheck {
  what: string
  met: boolean
  found?: string
}

export interface RecordedFixture {
  fixture: string
  /** `step`: index in the fixture; 0 for a party. */
  evidence: Evidence
  variables?: RecordedVariables
  redacted?: true
}

/** `purpose`: the phase, such as `rights`, or the operation that a read of the ledger calls. */
export interface LoggedExchange {
  purpose: string
  evidence: Evidence
  /** Random values that the run drew before it, as JSON text: public keys and signatures. */
  drawn?: string[]
  redacted?: true
}

/** Written before the rows, in the order of the requests. */
export interface RecordedExchange extends LoggedExchange {
  type: 'exchange'
}

/** What the settings state and no exchange shows, without secrets. */
export interface RecordedSettings {
  protocolVersion?: number
  /** User ids by actor, with the source of the token. `rights`: stated by the settings. */
  callers: { actor: string; user: string; credential?: string; rights?: string[] }[]
  administrator: string
  synchronizer?: string
  /** Ids by fixture. */
  parties?: Record<string, string>
  /** JSON text by fixture and member. */
  given?: Record<string, RecordedVariables>
  /** Declared facts. */
  claims?: RecordedVariables
  presigned?: RecordedPresignedParty[]
}

export interface RecordedPresignedParty {
  party: string
  publicKey: { format: string; keyData: string; keySpec: string }
  transactions: {
    prepared: string
    hash: string
    mark: string
    synchronizerId?: string
    signature: { format: string; signature: string; signedBy: string; signingAlgorithmSpec: string }
  }[]
}

export interface RecordedProfile {
  name: string
  title: string
  /** A profile outside the suite: its path, and its text. */
  file?: { path: string; text: string }
  /** Facts are not mandatory. */
  basis?: 'text'
  situations?: RecordedSituation[]
  divergences: RecordedDivergence[]
}

/** Which rows the run has. */
export interface Planned {
  /** `digest`: SHA-256 (hex) of all suite files. `rows`: all, selected or not. */
  suite: { version: string; digest: string; rows?: number }
  only?: string
  selection?: RecordedSelection
  /** Ids of all rows, also of those that do not run. */
  plan: string[]
}

export interface RunHeader extends Planned {
  type: 'header'
  format: 4
  run: string
  tool: { name: string; version: string }
  text?: RecordedText
  profile: RecordedProfile
  /** `profile` above judged again; this is the profile of the run. */
  judgedAgain?: { profile: string }
  target: {
    url: string
    version?: string
    /** Participant id. Absent if the target did not report it. */
    participant?: string
    protocolVersion?: number
    authorization: string
    ownAudience?: true
    embedded: boolean
    connection?: RecordedConnection
    /** `name`: empty without a file. `presigned`: number of transactions. `given`: fixtures with values from the settings. */
    file?: { name: string; unreachable: string[]; presigned: number; given?: string[] }
  }
  capabilities: Record<string, boolean>
  support?: RecordedCheck[]
  /** Valid requests of each operation. */
  controls?: RecordedFixture[]
  seed: string
  /** Text of a verifier, which determines the seed. */
  challenge?: string
  /** More than one. */
  repeat?: number
  /** Most rows in flight. */
  concurrency: number
  /** Milliseconds. `lateCheck`: from the end of a row to its late-effects check. */
  timeLimits?: { exchange: number; lateCheck?: number }
  callers?: RecordedCaller[]
  wants?: RecordedWant[]
  allowed?: Permission[]
  refusals?: RecordedRefusal[]
  made?: Made
  options?: RecordedOptions
  settings?: RecordedSettings
  /** Resumed runs, oldest first. */
  resumes?: string[]
  /** Rows of each are judged with its own variables. */
  merged?: { run: string; seed: string; shard?: { index: number; of: number } }[]
  /** Never in a record file. */
  configurations?: RecordedConfiguration[]
  waivers?: RecordedWaiver[]
  /** Findings about waivers are only printed. */
  lenientWaivers?: true
  minJudged?: number
  startedAt: string
  rules: RecordedRule[]
  proof?: RecordedProof
  /** Shared by all rows. */
  variables?: RecordedVariables
  redacted?: true
}

export interface RecordedConfiguration {
  run: string
  seed: string
  url: string
  version?: string
  participant?: string
  protocolVersion?: number
  authorization: string
  synchronizers: 'one' | 'several'
  capabilities: RunHeader['capabilities']
  judged: number
  digest: string
}

/** `late-check`: the late-effects check; its answer is an excerpt of a shared answer. */
export type ExchangeRole = Role | 'late-check'

export interface StepReference {
  /** Index in the resolved row. */
  step: number
  role: ExchangeRole
  /** In a race, from 1. */
  attempt?: number
}

export interface Period {
  startedAt: string
  milliseconds: number
}

export interface Evidence extends StepReference, Period {
  request: { method: string; url: string; headers: RecordedHeaders; body?: RecordedBody }
  /** In template order, as JSON text. */
  generated?: string[]
  response?: { status: number; headers: RecordedHeaders; body: RecordedBody }
  /** Present without a complete response. */
  problem?: {
    /** `closed`: an answer to an earlier request of the step announced it. */
    code: 'timeout' | 'refused' | 'reset' | 'malformed' | 'not-sent' | 'closed'
    message: string
    /** Code of the system for a refused connection, such as `ECONNREFUSED`. */
    cause?: string
    /** The connection ended before the whole request was sent. */
    partlySent?: true
  }
  /** The first attempt of a request that was sent again. `status`: 429; absent if its connection ended. */
  earlier?: { message: string; status?: number; startedAt: string; milliseconds: number }
}

export interface Judgement extends CheckedFact, StepReference {
  /** Index among the expectations of the step, then those of the others in a race; absent without an answer. */
  expectation?: number
  rules: string[]
  strength: Strength
  confidence: Confidence
  met: boolean
  /** With the alternative in brackets if the situation has several. */
  situation?: string
  divergence?: string
}

/** A row without its requests. */
export interface RowResult {
  id: string
  verdict: Verdict
  /** Absent for pass. */
  reason?: Reason
  /** Excuses the row, has expired, or names a row that passes. */
  waiver?: AppliedWaiver
  /** Divergences of the profile that the target does not share. */
  known?: string[]
  judgements: Judgement[]
  /** Verdicts of a repeated row. All other members are from the worst repetition. */
  repeated?: Partial<Record<Verdict, number>>
  milliseconds: number
}

export interface RunRow extends RowResult {
  type: 'row'
  /**
   * The verdict by the text alone: of a failure, a warning, and a row with a recorded divergence, unless the text is the
   * profile or needs other requests. Any other pass is also a pass by the text.
   */
  verdictByText?: Verdict
  evidence: Evidence[]
  stopped?: Reason
  /** Redaction removed judged evidence. */
  redacted?: true
  variables?: RecordedVariables
  startedAt: string
  resolved: ResolvedRow
  /** What the text expects otherwise; present with `verdictByText`. */
  byText?: OtherExpectations
  /** From 1; absent with one configuration, and in a record file. */
  configuration?: number
}

export interface RecordedRead {
  /** Of the interface, such as `updates`. */
  operation: string
  evidence: Evidence
  /** As of a logged exchange. */
  drawn?: string[]
  redacted?: true
}

/**
 * `contradicted`: the participant contradicts itself, so the rows fail. `unproven`: no oracle proves the rows, so they
 * are blocked. `disturbed`: another row changed what the rows need, so they are blocked, also if they failed. `stated`:
 * a certificate states it.
 */
export interface OracleFinding {
  kind: 'contradicted' | 'unproven' | 'disturbed' | 'stated'
  /** The operation whose answers the rows rely on. */
  oracle: string
  reason: Reason
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

/** ISO 8601; without `to`, the target did not recover. */
export interface RecordedOutage {
  from: string
  to?: string
}

/** Of the rows. */
export interface Tally {
  executed: number
  counts: VerdictCounts
  /** Every planned row has a row line. */
  complete: boolean
  /** No row contradicts conformance. */
  conforming: boolean
}

/** What the rows do not show. */
export interface RunSummary {
  endedAt: string
  milliseconds: number
  ended?: EndedEarly
  outages?: RecordedOutage[]
  vetting?: string[]
  transactions?: number
  /** Users whose granted rights the run revoked; created users are deactivated. The run verifies both. */
  withdrawn?: string[]
  /** Changes that could not be restored, one sentence each. */
  left?: string[]
}

export interface RunFooter extends Tally, RunSummary {
  type: 'footer'
  /** Mandatory rules that no row judged. */
  unexamined?: string[]
  /** SHA-256 (hex) of all earlier lines with their line feeds. */
  digest: string
}

/** A missing or wrong footer is a defect, not an exception. */
export interface RunRecord {
  header: RunHeader
  exchanges?: RecordedExchange[]
  /** With the findings of `oracles`. */
  rows: RunRow[]
  oracles?: OraclesLine
  footer?: RunFooter
  /** One sentence each. */
  defects: string[]
}
