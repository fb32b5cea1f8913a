/** A loaded suite. */
import type { OperationName } from '../../interface/operations.js'
import type {
  Confidence,
  Data,
  Impact,
  Later,
  Matcher as ResolvedMatcher,
  SourceLine,
  Strength,
  TokenTemplate,
  WireForm,
  Writing,
} from '../../record/types/resolved-row.js'
import type { KeyKind } from '../sign/signing-key.js'

/** A place in a suite file; lines and columns count from 1. */
export interface Location extends SourceLine {
  column: number
}

export interface Rule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Passages of the interface text; empty for a fact of a profile. */
  passages: Passage[]
  /** The profile of the fact, if the interface text has no sentence for it. */
  factOf?: string
  /** Each needs a case of the rule; empty: a case of any operation suffices. */
  operations: OperationName[]
  untestable?: string
  location: Location
}

/** A passage of the interface text: a row of a table with its column, a numbered rule, or a sentence. */
export interface Passage {
  section: string
  name: string
  location: Location
}

export interface InterfaceText {
  title: string
  version: string
  digest: string
}

/** A section of the interface text. Ordinals of sections and passages are their positions, from 1. */
export interface Section {
  name: string
  passages: Listed[]
  /** By passage: why it needs neither a rule nor an unspecified behaviour. */
  withoutRule: Map<string, { reason: string; location: Location }>
  location: Location
}

export interface UnspecifiedBehaviour {
  id: string
  question: string
  passages: Passage[]
  /** The profile that defines the behaviour, and its definition. */
  filledBy?: string
  answer?: string
  location: Location
}

export interface Listed {
  name: string
  location: Location
}

/** A named circumstance of a request. Profiles define its outcome. */
export interface Situation {
  name: string
  meaning: string
  location: Location
}

/** The situation of a valid request, which every profile accepts. */
export const accepted = 'accepted'

/** Expected properties of a response; each member is an expectation. */
export interface ResponsePattern {
  status?: string[]
  mediaType?: string
  code?: string
  category?: number
  grpc?: number
  /** Required entries of the error context; null permits any value. */
  context?: Record<string, string | null>
  resources?: string[]
  retry?: string | null
  /** A string that occurs in the body. */
  mentions?: string
  /** The body contains the hash to be signed, in hexadecimal. */
  namesHash?: true
}

/** One permitted response; without a pattern, the default of the profile for the outcome applies. */
export interface PermittedResponse extends ResponsePattern {
  name: string
  outcome: 'accepted' | 'refused'
}

export interface SituationFact {
  situation: string
  /** Never empty. The record names the one that a response matches. */
  alternatives: PermittedResponse[]
  divergence?: string
  confidence: Confidence
  source: string
  location: Location
}

export interface Divergence {
  id: string
  rule: string
  statement: string
  confidence: Confidence
  source: string
  protocolVersion?: number
  /** Limits the divergence to these situations of the request under test. */
  situations?: string[]
  /** Replaces expectations of the rule at these pointers. */
  expect: Map<string, Matcher>
  location: Location
}

export interface Format {
  matcher: Matcher
  /** The matcher from the interface text alone. */
  text: Matcher
  confidence: Confidence
}

export interface Profile {
  name: string
  title: string
  /** Prefix of the versions that the profile describes; undefined for no particular version. */
  line?: string
  /** The basis for the schema of successful responses: the text, or also facts about the reference. */
  basis: 'text' | 'facts'
  /** The basis for the statuses of acceptance and rejection, if it is not the text. */
  statusesBy?: string
  accepted: ResponsePattern & { confidence: Confidence }
  /** The response to a rejected request, if its situation defines none. */
  refused: ResponsePattern & { confidence: Confidence }
  situations: Map<string, SituationFact>
  /** Facts by situation and protocol version, if the version matters. */
  versions: Map<string, Map<number, SituationFact>>
  formats: Map<string, Format>
  divergences: Divergence[]
  location: Location
}

/**
 * Each entry is an expectation of the value. `format` names a format of the profile, in which `${of}` stands for `of`. An empty
 * format expects nothing.
 */
export type Matcher = ResolvedMatcher & { format?: string; of?: Data }

/** An expectation of one part of a response; by default, it judges the rules of its row. */
export interface Expected<What> {
  what: What
  rules?: string[]
  location: Location
}

export interface Expectation {
  status?: Expected<string[]>
  headers?: Map<string, Expected<Matcher>>
  body?: Map<string, Expected<Matcher>>
  /** Whether the body is checked against the schema of the interface. */
  schema: boolean
}

export interface RawRequest {
  method?: string
  path?: string
  headers?: Record<string, string | null>
  /** The body as text or as base64, instead of JSON. */
  text?: string
  base64?: string
  wire?: WireForm
  /** An invalid spelling of the JSON body. */
  written?: Writing
}

export interface BaseRequest {
  name: string
  operation: string
  as?: string
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Data
  /** A presigned transaction of the target file can replace the response. */
  presignable?: true
  location: Location
}

/** The request is sent several times at once. One is accepted, and the rest are in the situation `others`; without it, all are accepted. */
export interface Race {
  times: number
  others?: string
}

/** One request and response of a case, a fixture or a probe. */
export interface Step {
  name: string
  request: string
  as?: string
  token?: string
  edit: Map<string, Data>
  remove: string[]
  raw?: RawRequest
  /** JSON pointers into the response, by variable. */
  capture: Map<string, string>
  race?: Race
  /** Seconds in which the step is repeated until its expectations are met. */
  eventually?: number
  sameConnection?: true
  later?: Later
  /** Name of the situation; `accepted` for a valid request. */
  outcome?: Expected<string>
  expect: Expectation
  location: Location
}

/** One row of a case, with complete steps; the last one is under test. */
export interface Row {
  id: string
  title: string
  /** Rules of expectations without their own. */
  rules: string[]
  /** Location of the row's own `rules`; undefined if its case names them. */
  ownRules?: Location
  impact: Impact
  /** Tests whether the operation accepts a plain request, so it is judged even if the control failed. */
  uncontrolled?: true
  needs: string[]
  values: ReadonlyMap<string, Data>
  steps: Step[]
  location: Location
}

export interface Case {
  id: string
  title: string
  operation: string
  /** The observed effect of its rows with the impact `hazard` on a faulty participant. */
  hazard?: string
  /** A second error in the requests of its rows. Under profiles that do not distinguish rejections, a rejection proves nothing. */
  besides?: string
  rules?: { ids: string[]; location: Location }
  /** Name of the probe around its rejected rows, and around accepted ones if it has steps for them. */
  afterwards?: string
  serial: boolean
  /** Sent at the end of each row, whatever its result: they restore what it changed. */
  restore: Step[]
  rows: Row[]
  location: Location
}

/** Steps before and after a row, which show that a rejected request had no effect. */
export interface Probe {
  name: string
  statement: string
  rules: string[]
  before: Step[]
  after: Step[]
  /** Sent after an accepted request; they judge the rules of the row. */
  afterAcceptance: Step[]
  location: Location
}

export type RightName =
  | 'ParticipantAdmin'
  | 'IdentityProviderAdmin'
  | 'CanReadAsAnyParty'
  | 'CanExecuteAsAnyParty'
  | `CanActAs ${string}`
  | `CanReadAs ${string}`
  | `CanExecuteAs ${string}`

/** A caller: with authorization a user of the participant, without it a user id. */
export interface Actor {
  name: string
  rights: RightName[]
  apart?: true
  location: Location
}

export interface TokenVariant extends TokenTemplate {
  location: Location
}

export interface ExternalKeys {
  keys: [KeyKind, ...KeyKind[]]
  threshold: number
}

/** State that rows need, created once per run before the rows that use its variables. */
export interface Fixture {
  name: string
  /** A party with a name that is unique to the run; external if it has keys. */
  party?: { hint: string; external?: ExternalKeys; everywhere?: true }
  /** A key that no party has registered. */
  key?: KeyKind
  /** A recorded prepared transaction and its hash, both in base64. */
  prepared?: { transaction: string; hash: string }
  /** The fixture is a control: its last step is a valid request of this operation. If it fails, a rejection proves nothing. */
  controls?: OperationName
  values: ReadonlyMap<string, Data>
  steps: Step[]
  location: Location
}

export interface Suite {
  version: string
  /** SHA-256 (hex) over all files, names included. */
  digest: string
  text?: InterfaceText
  outline: Section[]
  rules: Map<string, Rule>
  unspecified: Map<string, UnspecifiedBehaviour>
  /** Testable rules without cases, by operation, and unused situations. */
  gaps: { rules: Map<OperationName, Listed[]>; situations: Listed[] }
  situations: Map<string, Situation>
  profiles: Map<string, Profile>
  requests: Map<string, BaseRequest>
  actors: Map<string, Actor>
  tokens: Map<string, TokenVariant>
  fixtures: Map<string, Fixture>
  probes: Map<string, Probe>
  cases: Case[]
  folder?: string
  /** File contents by the names in locations. */
  texts?: ReadonlyMap<string, string>
}
