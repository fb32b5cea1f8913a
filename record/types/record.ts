/**
 * The run record, the only source of reports. `run-record.schema.json` describes the same lines.
 * NDJSON: one header; one plan line for each row, before the first request; one line for each completed row; one footer.
 * A record without a footer is incomplete.
 */

import type { RecordedBody, RecordedHeaders } from '../../interface/recorded-parts.js'
import type { Made, Permission, RecordedRefusal } from './effects.js'
import type { RecordedCaller, RecordedConnection, RecordedWant } from './recorded-target.js'
import type { Confidence, Impact, OtherExpectations, ResolvedRow, Role, Strength } from './resolved-row.js'
import type { Verdict, VerdictCounts } from './verdict.js'

export type { RecordedBody, RecordedHeaders }

/** One normative sentence of the interface text, or a fact of a profile. */
export interface RecordedRule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Section and ordinal: `ContractByIdRequest 4.2 (contractId required)`. */
  passages?: string[]
  /** The profile that states the fact; such a rule is no sentence of the text. */
  factOf?: string
  /** Absent for all operations. */
  operations?: string[]
  /** Reason why no row can test it. */
  untestable?: string
}

/** The mutation report of the suite. */
export interface RecordedProof {
  /** Digest of the tested suite; differs if cases changed later. */
  suite: string
  /** By rule: number of mutants, and of mutants that rows of the rule find. Rules without mutants are absent. */
  rules: Record<string, { deviations: number; found: number }>
}

export interface RecordedText {
  title: string
  version: string
  /** SHA-256 (hex). */
  digest: string
}

/** A named condition of a request, with the expected outcome of the profile. */
export interface RecordedSituation {
  name: string
  meaning: string
  outcome: 'accepted' | 'refused' | 'either'
  /** Descriptions of permitted answers; empty if every answer of the outcome is permitted. */
  alternatives: string[]
  confidence: Confidence
  source?: string
}

/** Values by name, as JSON text, which preserves long integers. */
export type RecordedVariables = Record<string, string>

/** A recorded difference between the interface text and the profile that judged the run. */
export interface RecordedDivergence {
  id: string
  rule: string
  statement: string
  source: string
}

/** A check of supporting operations, outside rules and rows. */
export interface RecordedCheck {
  /** The expected statement. */
  what: string
  met: boolean
  /** The actual finding. */
  found?: string
}

/** The last exchange of a fixture. */
export interface RecordedFixture {
  fixture: string
  /** `step` is the index in the fixture; 0 for a party. */
  evidence: Evidence
  /** Variables in addition to those of the header; absent for a party. */
  variables?: RecordedVariables
  /** Redaction changed the variables or the exchange. */
  redacted?: true
}

/** The exchange that requested the rights of a user. */
export interface RecordedRights {
  user: string
  evidence: Evidence
}

export interface RecordedProfile {
  name: string
  title: string
  /** Judges by the text alone: facts are not mandatory. */
  basis?: 'text'
  situations?: RecordedSituation[]
  divergences: RecordedDivergence[]
}

export interface RunHeader {
  type: 'header'
  format: 2
  run: string
  tool: { name: string; version: string }
  /** `digest`: SHA-256 (hex) of all suite files. `rows`: number of all rows, selected or not. */
  suite: { version: string; digest: string; rows?: number }
  /** The interface text that the suite outlines. */
  text?: RecordedText
  profile: RecordedProfile
  /** Other profiles that can judge the record. */
  otherProfiles?: RecordedProfile[]
  /** The evidence was judged again, by `profile` above; this is the profile of the run. */
  judgedAgain?: { profile: string }
  target: {
    url: string
    version?: string
    protocolVersion?: number
    authorization: string
    /** The settings define the audience or scope of all tokens. */
    ownAudience?: true
    embedded: boolean
    /** Absent for a plain connection. */
    connection?: RecordedConnection
    /** From the target file. `name`: empty if the settings have no file. `presigned`: number of transactions. `authorizes`: it defines the callers' credentials. */
    file?: { name: string; unreachable: string[]; presigned: number; authorizes?: boolean }
  }
  capabilities: Record<string, boolean>
  /** Findings about supporting operations. */
  support?: RecordedCheck[]
  /** Valid requests of each operation. Rows that expect a rejection require that it accepts one. Absent in older records. */
  controls?: RecordedFixture[]
  /** Fixtures that the target declined as permitted; their rows are not applicable. */
  declined?: RecordedFixture[]
  /** The rights of known users, as the target listed or withheld them. */
  rights?: RecordedRights[]
  seed: string
  /** Text of a verifier; the seed follows from it. */
  challenge?: string
  /** Repetitions of each row, if more than one. */
  repeat?: number
  concurrency: number
  /** Milliseconds. `lateLook`: from the end of a row until its late-effects check. */
  timeLimits?: { exchange: number; lateLook?: number }
  /** Absent in older records. */
  callers?: RecordedCaller[]
  /** Absent if no row lacks credentials. */
  wants?: RecordedWant[]
  allowed?: Permission[]
  /** Absent if no row lacks a permission. */
  refusals?: RecordedRefusal[]
  /** Created before the first row. */
  made?: Made
  /** Further options that a repeated row needs. */
  options?: RecordedOptions
  /** Resumed runs, oldest first; recorded rows are kept. */
  resumes?: string[]
  /** Merged runs; rows of each are judged with its own variables. */
  merged?: { run: string; seed: string; shard?: { index: number; of: number } }[]
  /** Runs that a reader combined, in order; never in a file. */
  configurations?: RecordedConfiguration[]
  waivers?: RecordedWaiver[]
  /** Findings about waivers are only printed. */
  lenientWaivers?: true
  /** Minimum number of judged rows. */
  minJudged?: number
  /** Description of the selection; absent for all rows. */
  only?: string
  selection?: RecordedSelection
  startedAt: string
  /** Rows in the plan, including those that do not run. */
  planned: number
  rules: RecordedRule[]
  /** Absent without a mutation report. */
  proof?: RecordedProof
  /** Shared by all rows: parties and fixtures. */
  variables?: RecordedVariables
  /** Redaction changed the variables. */
  redacted?: true
}

/** The configuration of a participant in one of several combined runs. */
export interface RecordedConfiguration {
  run: string
  seed: string
  url: string
  version?: string
  protocolVersion?: number
  authorization: string
  synchronizers: 'one' | 'several'
  capabilities: RunHeader['capabilities']
  /** Number of judged rows. */
  judged: number
  /** Digest in the footer of its record. */
  digest: string
}

export interface RecordedSelection {
  /** The scope of the run. */
  operations?: string[]
  only?: string[]
  not?: string[]
  impact?: Impact[]
  /** The run whose failures are repeated. */
  failedOf?: string
  /** `index`: from 1. */
  shard?: { index: number; of: number }
  /** Only rows of these rules, which earlier configurations left open. */
  rules?: string[]
}

/** An accepted failure. `row`, `rule` and `divergence` are patterns. */
export interface RecordedWaiver {
  row?: string
  rule?: string
  divergence?: string
  /** Absent for all profiles. */
  profile?: string
  reason: string
  link?: string
  owner: string
  /** Last valid day, such as 2027-01-31. */
  until: string
}

/** Given options of a run. */
export interface RecordedOptions {
  suite?: string
  out?: string
  protocolVersion?: number
  allow?: Permission[]
  /** Number of redaction patterns; the patterns could contain secrets. */
  redactions?: number
}

/** A resolved row, with differing expectations of other profiles. */
export interface PlanLine {
  type: 'plan'
  row: ResolvedRow
  /** By profile name. */
  otherwise?: Record<string, OtherExpectations>
}

/**
 * The role of the step, or `late-look`: the late-effects check of the row. Its answer is an excerpt of a shared answer, recorded for
 * the step under test.
 */
export type ExchangeRole = Role | 'late-look'

/** One exchange: unchanged for the judge, without secrets in a record (`cleanRow`). */
export interface Evidence {
  /** Index of the step in the resolved row. */
  step: number
  role: ExchangeRole
  /** In a race: number of the request, from 1. */
  attempt?: number
  request: { method: string; url: string; headers: RecordedHeaders; body?: RecordedBody }
  /** Values that depend on keys of the run, in template order, as JSON text. */
  generated?: string[]
  response?: { status: number; headers: RecordedHeaders; body: RecordedBody }
  /** Reason for a missing or incomplete response. */
  problem?: {
    code: 'timeout' | 'refused' | 'reset' | 'malformed' | 'not-sent'
    message: string
    /** The connection ended before the target received the whole request. */
    partlySent?: true
  }
  /** An earlier attempt whose connection ended before the target received the whole request. */
  earlier?: { message: string; startedAt: string; milliseconds: number }
  startedAt: string
  milliseconds: number
}

/** One evaluated check. `expected` and `actual` are for readers. */
export interface Judgement {
  /** Index of the step in the resolved row. */
  step: number
  role: ExchangeRole
  attempt?: number
  /** Index among the expectations of the step, followed by those of the others in a race; absent without an answer. */
  expectation?: number
  rules: string[]
  strength: Strength
  confidence: Confidence
  /** `status`, `header content-type`, or `body` with a JSON pointer. */
  subject: string
  pointer?: string
  expected: string
  actual: string
  met: boolean
  /** The situation, with the alternative in brackets if there are several. */
  situation?: string
  divergence?: string
}

/** The result of a row; its plan line has the rest. */
export interface RowLine {
  type: 'row'
  id: string
  verdict: Verdict
  /** One sentence; present unless the verdict is pass. */
  reason?: string
  /** Divergences that another profile records for the failure, or that the target does not share. */
  known?: string[]
  judgements: Judgement[]
  evidence: Evidence[]
  /** Reason why later steps were not sent. */
  stopped?: string
  /** Verdict counts of a repeated row. All other members are from the worst repetition. */
  repeated?: Partial<Record<Verdict, number>>
  /** Redaction removed judged evidence. */
  redacted?: true
  /** In addition to the header: marker and captured values. */
  variables?: RecordedVariables
  startedAt: string
  milliseconds: number
}

export interface RunRow extends RowLine {
  resolved: ResolvedRow
  /** Number of the configuration, from 1; absent with one configuration. */
  configuration?: number
}

/** Reason why a run ended before its plan. */
export interface EndedEarly {
  cause: 'interrupted' | 'time-over' | 'target-gone' | 'failed-enough'
  /** Ends with a full stop. */
  sentence: string
}

/** A period without answers, ISO 8601; without `to`, the target did not recover. */
export interface RecordedOutage {
  from: string
  to?: string
}

export interface RunFooter {
  type: 'footer'
  endedAt: string
  milliseconds: number
  executed: number
  counts: VerdictCounts
  /** Every planned row has a row line. */
  complete: boolean
  /** No row contradicts conformance; `unexamined` limits the proof. */
  conforming: boolean
  /** Ids of mandatory rules that no row judged. Absent in older records. */
  unexamined?: string[]
  ended?: EndedEarly
  /** Affected rows were repeated if possible; otherwise they are blocked. */
  outages?: RecordedOutage[]
  /** Rows that changed vetting. */
  vetting?: string[]
  /** Accepted submissions, including fixtures. */
  transactions?: number
  /** Users whose granted rights the run revoked; created users are deactivated. The run verifies both. */
  withdrawn?: string[]
  /** Changes that could not be restored, one sentence each. */
  left?: string[]
  /** SHA-256 (hex) of all earlier lines, including line feeds. */
  digest: string
}

/** A record as read; a missing or wrong footer is a defect, not an exception. */
export interface RunRecord {
  header: RunHeader
  /** In the order of the record. */
  plan: PlanLine[]
  /** Completed rows, in order. */
  rows: RunRow[]
  footer?: RunFooter
  /** One sentence each; empty for a sound record. */
  defects: string[]
}
