/** What the suite files say, once read and checked. Nothing here knows of YAML, of HTTP or of a target. */
import type { OperationName } from '../interface/operations.js'
import type { Impact, Strength } from '../record/record.js'
import type { KeyKind } from './sign/signing-key.js'

/** Where a piece of a suite stands; lines and columns count from 1. */
export interface Place {
  file: string
  line: number
  column: number
}

/** Any value of a YAML file; strings may hold `${variables}`. */
export type Data = null | boolean | number | string | Data[] | { [name: string]: Data }

export interface Rule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Where the text of the interface says it. */
  origins: Origin[]
  /** Each of these needs a case of the rule; empty: one of any operation will do. */
  operations: OperationName[]
  /** Why no case can show it from outside. */
  untestable?: string
  place: Place
}

/** A place in the text of the interface: a row of a table with its column, a numbered rule, a sentence. */
export interface Origin {
  section: string
  name: string
  /** Where the suite names it. */
  place: Place
}

/** A section of the text of the interface. */
export interface Section {
  name: string
  places: Listed[]
  /** By place: why neither a rule nor an open point has to name it. */
  withoutRule: Map<string, { reason: string; place: Place }>
  place: Place
}

/** Something that the text of the interface leaves open. */
export interface OpenPoint {
  id: string
  question: string
  origins: Origin[]
  /** Name of the profile that fills it, and what it takes for the answer. */
  filledBy?: string
  answer?: string
  place: Place
}

/** A name in a list, and where it stands. */
export interface Listed {
  name: string
  place: Place
}

/** A named way for a request to be refused. What it looks like is told by profiles. */
export interface Condition {
  name: string
  meaning: string
  place: Place
}

/** What an answer must look like; every member that is given is an expectation of its own. */
export interface Outcome {
  /** `400`, a class as `4xx`, or a list of either. */
  status?: string[]
  mediaType?: string
  code?: string
  category?: number
  grpc?: number
  /** Entries that the error context must have; a null value stands for any. */
  context?: Record<string, string | null>
  /** Kinds of resources, in order. */
  resources?: string[]
  /** `retryInfo` of the error body. */
  retry?: string | null
  /** A text that the body holds somewhere. */
  mentions?: string
  /** The body names the hash that would have had to be signed, in hexadecimal. */
  namesHash?: true
}

export interface NamedOutcome extends Outcome {
  name: string
  /** In place of everything else: the request is accepted after all. */
  accepted?: true
}

/** How a fact is known: seen live, or read in a source. What disagrees with a fact that was only read is a warning. */
export type Confidence = 'observed' | 'read'

/** What a profile says of a condition: refused in one of these ways, or - a divergence - accepted. */
export interface ConditionOutcome {
  condition: string
  accepted: boolean
  /** One is enough; the one met is recorded. Empty when accepted. */
  alternatives: NamedOutcome[]
  divergence?: string
  confidence: Confidence
  source: string
  place: Place
}

export interface Divergence {
  id: string
  rule: string
  statement: string
  confidence: Confidence
  source: string
  /** The only protocol version with which it is one. */
  protocolVersion?: number
  /** Replaces what cases expect for the rule at these pointers. */
  expect: Map<string, Matcher>
  place: Place
}

/** How a value looks, under a name that cases use. */
export interface Form {
  matcher: Matcher
  /** The same by the text alone; it holds even where the rest was only read. */
  text: Matcher
  confidence: Confidence
}

export interface Profile {
  name: string
  title: string
  /** By what successful answers are checked: the text alone, or also what is known of the reference. */
  basis: 'text' | 'facts'
  /** How a request that must be accepted is answered. */
  accepted: Outcome
  /** How a refusal looks where the profile says nothing of its condition. */
  refused: Outcome
  conditions: Map<string, ConditionOutcome>
  /** Conditions for which another protocol version than the highest has an outcome of its own. */
  versions: Map<string, Map<number, ConditionOutcome>>
  forms: Map<string, Form>
  divergences: Divergence[]
  place: Place
}

export const matcherNames = [
  'form',
  'equals',
  'one-of',
  'type',
  'pattern',
  'grammar',
  'present',
  'null',
  'empty',
  'unpopulated',
  'timestamp',
  'same-set',
  'subset-of',
  'superset-of',
  'intersects',
  'each',
  'some',
  'includes',
  'at',
  'length',
  'greater-than',
  'at-least',
  'mentions',
  'mentions-none',
] as const

export type MatcherName = (typeof matcherNames)[number]

/** What must hold of one value: each entry is an expectation of its own. */
export type Matcher = Partial<Record<MatcherName, Data>>

export interface Expectation {
  status?: string[]
  headers?: Map<string, Matcher>
  /** By JSON pointer into the body. */
  body?: Map<string, Matcher>
  /** Check the body of a described response against the interface description; true unless said otherwise. */
  schema: boolean
}

/** How a request differs from plain JSON to the operation's path. */
export interface RawRequest {
  method?: string
  path?: string
  headers?: Record<string, string | null>
  /** The body as text or as base64 bytes, instead of JSON. */
  text?: string
  base64?: string
}

export interface BaseRequest {
  name: string
  operation: string
  as?: string
  params?: Record<string, string>
  /** What stands behind the path. */
  query?: Record<string, string>
  body?: Data
  /** A transaction that a target file gives stands in for the answer where nothing can be prepared. */
  mayBeGiven?: true
  place: Place
}

/** One exchange of a case, a fixture or a probe. */
export interface Step {
  name: string
  /** Name of a base request. */
  request: string
  as?: string
  token?: string
  edit: Map<string, Data>
  remove: string[]
  raw?: RawRequest
  /** Variables taken from the answer, by JSON pointer. */
  capture: Map<string, string>
  /** So many of the same request are sent at once; one is accepted, and each of the others is refused under the condition. */
  race?: { times: number; others: string }
  /** Seconds within which what is expected must come about: until then the step is sent again. */
  eventually?: number
  verdict: StepVerdict
  place: Place
}

/** Who calls in a step. */
export const actorOf = (step: Pick<Step, 'as'>, base: Pick<BaseRequest, 'as'>): string =>
  step.as ?? base.as ?? 'operator'

/** What is expected of a step: to be accepted, to be refused under a condition, and whatever else is stated. */
export interface StepVerdict {
  outcome: { accepted: true } | { refused: string } | undefined
  expect: Expectation
}

/** One row of a case: its steps are complete; the last one is the step under test. */
export interface Row {
  id: string
  title: string
  rules: string[]
  impact: Impact
  needs: string[]
  /** Variables that the row sets for its steps and for the probe around them. */
  values: ReadonlyMap<string, Data>
  steps: Step[]
  place: Place
}

export interface Case {
  id: string
  title: string
  operation: string
  /** Name of the probe around its rows: refused ones, and accepted ones where it has steps for those. */
  afterwards?: string
  serial: boolean
  /** Sent at the end of each row, whatever became of it: they put back what it changed. */
  restore: Step[]
  rows: Row[]
  place: Place
}

/** Steps before and after a row; what is expected of the later ones shows that a refused row had no effect. */
export interface Probe {
  name: string
  statement: string
  rules: string[]
  before: Step[]
  /** Behind what the target did not accept. */
  after: Step[]
  /** Behind what it accepted; what they expect judges the rules of the row. */
  afterAcceptance: Step[]
  place: Place
}

export type RightName =
  | 'ParticipantAdmin'
  | 'CanReadAsAnyParty'
  | `CanActAs ${string}`
  | `CanReadAs ${string}`
  | `CanExecuteAs ${string}`

/** Somebody who calls: with authorization a user of the target with these rights, without it just a user id. */
export interface Actor {
  name: string
  rights: RightName[]
  place: Place
}

/** A deliberately unacceptable (or odd) token, derived from the actor's own one. */
export interface TokenVariant {
  name: string
  meaning: string
  /** `none`: no header; `text`: this bearer text; otherwise a token with these differences. */
  none?: boolean
  header?: string
  claims?: Record<string, Data>
  secret?: string
  algorithm?: string
  place: Place
}

/** The keys of a party that signs for itself, and how many of them must sign. */
export interface ExternalKeys {
  keys: [KeyKind, ...KeyKind[]]
  threshold: number
}

/** Something that cases need to be there: made once per run, before the rows that use its variables. */
export interface Fixture {
  name: string
  /** A party is allocated under a name unique to the run; one with keys signs for itself. */
  party?: { hint: string; external?: ExternalKeys }
  /** A key that is registered for nobody. */
  key?: KeyKind
  /** A transaction that a participant prepared at another time: its bytes and their hash, both as base64. */
  prepared?: { transaction: string; hash: string }
  /** Variables that it sets for its steps. */
  values: ReadonlyMap<string, Data>
  steps: Step[]
  place: Place
}

export interface Suite {
  version: string
  /** SHA-256 (hex) over all files, names included. */
  digest: string
  /** The text of the interface, section by section; empty where the suite does not say. */
  outline: Section[]
  rules: Map<string, Rule>
  openPoints: Map<string, OpenPoint>
  /** What is known to be missing still: rules by operation, and conditions. */
  gaps: { rules: Map<OperationName, Listed[]>; conditions: Listed[] }
  conditions: Map<string, Condition>
  profiles: Map<string, Profile>
  requests: Map<string, BaseRequest>
  actors: Map<string, Actor>
  tokens: Map<string, TokenVariant>
  fixtures: Map<string, Fixture>
  probes: Map<string, Probe>
  cases: Case[]
  /** The text of each file by the name that places give it, so that a finding can show its line. */
  texts?: ReadonlyMap<string, string>
}
