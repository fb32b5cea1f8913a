/**
 * The run record: what a run leaves behind, and the only thing that reports know. `run-record.schema.json` is the same once
 * more, for lines that come from a file.
 * NDJSON: one header line; one plan line per row, before anything of it is sent; one row line as each row ends; one footer
 * line. A record without footer is incomplete.
 */

import type { RecordedBody, RecordedHeaders } from '../../interface/recorded-parts.js'
import type { Made, Permission, RecordedRefusal } from './effects.js'
import type { RecordedCaller, RecordedConnection, RecordedWant } from './recorded-target.js'
import type { Confidence, Impact, OtherExpectations, ResolvedRow, Role, Strength } from './resolved-row.js'
import type { Verdict, VerdictCounts } from './verdict.js'

export type { RecordedBody, RecordedHeaders }

/** One normative sentence of the interface, as the run knew it. */
export interface RecordedRule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Where the text of the interface says it, by section and ordinal: `ContractByIdRequest 4.2 (contractId required)`. */
  passages?: string[]
  /** The profile of which it is a fact; such a rule is no sentence of the text. */
  factOf?: string
  /** The operations that it is about; absent where it is about all of them. */
  operations?: string[]
  /** Why no row can show it from outside. */
  untestable?: string
}

/** What the suite is known to find: participants that break one rule each, told in its mutation report. */
export interface RecordedProof {
  /** Digest of the suite that was proven; another one where cases were changed since. */
  suite: string
  /** By rule: how many deviations of it there are, and how many of them rows that claim it find. Other rules have none. */
  rules: Record<string, { deviations: number; found: number }>
}

/** The text that the suite judges against. */
export interface RecordedText {
  title: string
  version: string
  /** SHA-256 (hex) of its bytes. */
  digest: string
}

/** A named circumstance of a request, and what the profile takes for the right answer to it. */
export interface RecordedSituation {
  name: string
  meaning: string
  /** What the profile expects. */
  outcome: 'accepted' | 'refused' | 'either'
  /** The answers that are permitted, in words; one is enough. Empty where any answer of that outcome will do. */
  alternatives: string[]
  confidence: Confidence
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

/** The exchange that ended a fixture before rows were sent. */
export interface RecordedFixture {
  /** As rows name it. */
  fixture: string
  /** `step` is the index in the fixture; 0 for a party. */
  evidence: Evidence
  /** What its steps used beyond the variables of the header; absent for a party. */
  variables?: RecordedVariables
  /** Secrets were taken out of these, or out of the exchange. */
  redacted?: true
}

/** What the target answered when the run requested the rights of a user. */
export interface RecordedRights {
  user: string
  evidence: Evidence
}

/** What a profile is, and how it takes situations and divergences. */
export interface RecordedProfile {
  name: string
  title: string
  /** It judges by the text alone: rules that are facts oblige nobody. */
  basis?: 'text'
  situations?: RecordedSituation[]
  divergences: RecordedDivergence[]
}

export interface RunHeader {
  type: 'header'
  format: 2
  run: string
  tool: { name: string; version: string }
  /** Version and SHA-256 (hex) of all suite files that were read; `rows` are all that it has, selected or not. */
  suite: { version: string; digest: string; rows?: number }
  /** The text that the suite outlines; absent where the suite does not say. */
  text?: RecordedText
  profile: RecordedProfile
  /** Profiles by which the record can be judged as well. */
  otherProfiles?: RecordedProfile[]
  /** The verdicts are not those of the run: its evidence was judged once more, by `profile` above. Here is the name of the run's own. */
  judgedAgain?: { profile: string }
  target: {
    url: string
    version?: string
    protocolVersion?: number
    authorization: string
    /** The settings name the audience or scope of all tokens. */
    ownAudience?: true
    embedded: boolean
    /** What lay between, where it was more than a plain connection. */
    connection?: RecordedConnection
    /** What a target file said: its name as it was called (empty where it was said elsewhere), operations that were done without, how many presigned transactions it gave, and whether callers identified themselves as it told. */
    file?: { name: string; unreachable: string[]; presigned: number; authorizes?: boolean }
  }
  capabilities: Record<string, boolean>
  /** What was found of the operations that only support those under test. */
  support?: RecordedCheck[]
  /** How each operation answered a valid request: rows in which it may refuse were sent only if it accepted. Absent in older records. */
  controls?: RecordedFixture[]
  /** Fixtures that the target refused as it may: rows that need them are not applicable. */
  declined?: RecordedFixture[]
  /** The rights of known users, as the target listed or withheld them. */
  rights?: RecordedRights[]
  seed: string
  /** The text of a verifier from which the seed follows. */
  challenge?: string
  /** How often each row was sent, where that was more than once. */
  repeat?: number
  concurrency: number
  /** Milliseconds; `lateLook`: from the end of a row until the ledger was read for its late effects. */
  timeLimits?: { exchange: number; lateLook?: number }
  /** Absent in records of a time before it was told. */
  callers?: RecordedCaller[]
  /** Absent where no row wanted any. */
  wants?: RecordedWant[]
  /** What the run might do to its target. */
  allowed?: Permission[]
  /** Absent where no row waited for a permission. */
  refusals?: RecordedRefusal[]
  /** What the run made before its rows were sent. */
  made?: Made
  /** What else the run was told, as far as a row that is run again needs it. */
  options?: RecordedOptions
  /** The runs that this one goes on from, the first one first: rows that they had recorded are theirs. */
  resumes?: string[]
  /** The runs that this one was put together of; rows of each are judged by what that had at hand. */
  merged?: { run: string; seed: string; shard?: { index: number; of: number } }[]
  /** The runs that a reader combined into this record, the first one first; no file has them. */
  configurations?: RecordedConfiguration[]
  /** Failures that were known and put up with. */
  waivers?: RecordedWaiver[]
  /** What is to be put right about them is told, and no more. */
  lenientWaivers?: true
  /** Rows that had to be judged at least. */
  minJudged?: number
  /** What selected the rows, in words; absent when all were. */
  only?: string
  /** The same as it was said. */
  selection?: RecordedSelection
  startedAt: string
  /** Rows in the plan: those that run and those that are known beforehand not to run. */
  planned: number
  rules: RecordedRule[]
  /** Absent where the suite has no mutation report. */
  proof?: RecordedProof
  /** What every row had at hand: parties and fixtures. */
  variables?: RecordedVariables
  /** Secrets were taken out of these. */
  redacted?: true
}

/** How a participant was set up in one of several runs that count together. */
export interface RecordedConfiguration {
  run: string
  seed: string
  url: string
  version?: string
  protocolVersion?: number
  authorization: string
  synchronizers: 'one' | 'several'
  capabilities: RunHeader['capabilities']
  /** Rows that were judged there. */
  judged: number
  /** Of the footer of its record. */
  digest: string
}

/** What selected the rows of a run. */
export interface RecordedSelection {
  /** All rows of these operations: the scope of the run. */
  operations?: string[]
  only?: string[]
  not?: string[]
  impact?: Impact[]
  /** The run whose failures were run again. */
  failedOf?: string
  /** The part of the run, from 1. */
  shard?: { index: number; of: number }
  /** Rows that judge these rules, which no configuration before had examined. */
  rules?: string[]
}

/** A failure that is known and put up with, and what it covers: rows, rules or divergences by a pattern. */
export interface RecordedWaiver {
  row?: string
  rule?: string
  divergence?: string
  /** The only profile that it is about. */
  profile?: string
  reason: string
  link?: string
  owner: string
  /** The last day on which it holds, as 2027-01-31. */
  until: string
}

/** Options of a run, each absent where it was not given. */
export interface RecordedOptions {
  suite?: string
  out?: string
  protocolVersion?: number
  /** What it might do, where that was said. */
  allow?: Permission[]
  /** How many patterns were to be redacted; they themselves may tell what nobody should know. */
  redactions?: number
}

/** One row of the plan, as it was resolved by the profile of the run, and what other profiles expect instead. */
export interface PlanLine {
  type: 'plan'
  row: ResolvedRow
  /** By name of the profile. */
  otherwise?: Record<string, OtherExpectations>
}

/**
 * The role of the step, or `late-look`: what the ledger showed of the row a while after its end. Its answer is an excerpt of what
 * the run read for all of its rows, and it is filed under the step under test.
 */
export type ExchangeRole = Role | 'late-look'

/** What was sent and received in one exchange: as it came where it is judged, and without secrets in a record (`cleanRow`). */
export interface Evidence {
  /** Index of the step in the resolved row. */
  step: number
  role: ExchangeRole
  /** In a race: which of the requests, from 1. */
  attempt?: number
  request: { method: string; url: string; headers: RecordedHeaders; body?: RecordedBody }
  /** Values in the request that only the keys of the run could make, in the order of the template, each as JSON text. */
  generated?: string[]
  response?: { status: number; headers: RecordedHeaders; body: RecordedBody }
  /** Why there is no (complete) response. */
  problem?: {
    code: 'timeout' | 'refused' | 'reset' | 'malformed' | 'not-sent'
    message: string
    /** The connection ended while the request was being sent: the target never received all of it. */
    partlySent?: true
  }
  /** An attempt before this one, whose connection ended while the request was being sent, and without an answer. */
  earlier?: { message: string; startedAt: string; milliseconds: number }
  startedAt: string
  milliseconds: number
}

/** One check that was evaluated. `expected` and `actual` are readable texts, not values to compute with. */
export interface Judgement {
  /** Index of the step in the resolved row. */
  step: number
  role: ExchangeRole
  attempt?: number
  /** Index among the expectations of the step, those of the others in a race behind them; absent where no answer came that could be held against any. */
  expectation?: number
  /** The rules that this expectation judges. */
  rules: string[]
  strength: Strength
  confidence: Confidence
  /** What was looked at: `status`, `header content-type`, or `body` with a JSON pointer. */
  subject: string
  pointer?: string
  expected: string
  actual: string
  met: boolean
  /** The situation, with the alternative in brackets where there are several, or the divergence by which the profile set this expectation. */
  situation?: string
  divergence?: string
}

/** What became of a row. Everything that was known of it beforehand stands in its plan line. */
export interface RowLine {
  type: 'row'
  id: string
  verdict: Verdict
  /** One sentence; always there unless the verdict is pass. */
  reason?: string
  /** Divergences by which another profile knows of its failure, or that the target does not share where it follows the text. */
  known?: string[]
  judgements: Judgement[]
  evidence: Evidence[]
  /** Why later steps were not sent. */
  stopped?: string
  /** It was sent several times: how often it came to each verdict. What stands here is of the time that was worst. */
  repeated?: Partial<Record<Verdict, number>>
  /** Secrets were taken out of what it was judged by: what is left says less than what came. */
  redacted?: true
  /** What this row had at hand beyond the header's: its marker, and what its steps captured. */
  variables?: RecordedVariables
  startedAt: string
  milliseconds: number
}

/** A row line with the row that it is about. */
export interface RunRow extends RowLine {
  resolved: ResolvedRow
  /** Which of the configurations of the header it ran in, from 1; absent where there is one. */
  configuration?: number
}

/** Why a run ended before its plan did. */
export interface EndedEarly {
  cause: 'interrupted' | 'time-over' | 'target-gone' | 'failed-enough'
  /** For people; ends with a full stop. */
  sentence: string
}

/** A time in which the target did not answer; `to` is absent where it did not come back. ISO 8601. */
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
  /** No row stands against the target; how much that proves, `unexamined` says. */
  conforming: boolean
  /** Ids of the obligations (*must*) that no row judged. Absent in records of a time before it was told. */
  unexamined?: string[]
  ended?: EndedEarly
  /** Rows that met one were sent again where that was possible, and are blocked otherwise. */
  outages?: RecordedOutage[]
  /** Rows that were seen to change what is vetted. */
  vetting?: string[]
  /** Submissions that were accepted, those of fixtures included: each may have committed a transaction. */
  transactions?: number
  /** Users from whom everything was taken back that the run had given them; those that it made are deactivated. Looked at afterwards. */
  withdrawn?: string[]
  /** What the run, or one before it, changed at the target and could not put back: a sentence each. */
  left?: string[]
  /** SHA-256 (hex) over all lines before this one, line feeds included. */
  digest: string
}

/** A record as a reader found it: no footer, or a wrong one, is a finding, not an exception. */
export interface RunRecord {
  header: RunHeader
  /** In the order of the record. */
  plan: PlanLine[]
  /** Rows that have ended, in that order. */
  rows: RunRow[]
  footer?: RunFooter
  /** Why the record must not be taken as whole; empty when it is. */
  defects: string[]
}
