import type { OperationName } from '../../interface/operations.js'
import type { CamelCased } from '../../lib/camel-case.js'
import type { RecordedText } from '../../record/types/record.js'
import type {
  Confidence,
  Data,
  Impact,
  Matcher as ResolvedMatcher,
  SourceLine,
  TokenTemplate,
} from '../../record/types/resolved-row.js'
import type { KeyKind } from '../sign/signing-key.js'
import type { Shapes } from './shapes.js'

/** Lines and columns count from 1. */
export interface Location extends SourceLine {
  column: number
}

export interface Rule extends Omit<Shapes['rule'], 'passages' | 'operations' | 'fact-of'> {
  /** Empty for a fact of a profile. */
  passages: Passage[]
  /** Undefined: the interface text. */
  factOf?: string
  /** Empty: a case of any operation suffices. */
  operations: OperationName[]
  location: Location
}

/** A name occurs once in a section. */
export interface PassageName {
  section: string
  name: string
}

export interface Passage extends PassageName {
  location: Location
}

export interface Section {
  name: string
  passages: Listed[]
  withoutRule: Map<string, { reason: string; location: Location }>
}

export interface UnspecifiedBehaviour extends Omit<CamelCased<Shapes['unspecified']>, 'section' | 'passages'> {
  passages: Passage[]
  location: Location
}

export interface Listed {
  name: string
  location: Location
}

export interface Situation extends Listed {
  meaning: string
}

/** The profile of the interface text alone. */
export const textProfile = 'interface'

export const accepted = 'accepted'

export interface ResponsePattern extends Omit<CamelCased<Shapes['response']>, 'status'> {
  status?: string[]
}

/** Default: the profile's pattern for the outcome. */
export interface PermittedResponse extends ResponsePattern {
  name: string
  outcome: 'accepted' | 'refused'
}

export interface RowFact {
  /** Never empty. */
  alternatives: PermittedResponse[]
  divergence?: string
}

export interface SituationFact extends RowFact {
  situation: string
  /** Rows with another outcome, by id. */
  byRow?: ReadonlyMap<string, RowFact>
  confidence: Confidence
  source: string
  location: Location
}

export interface Divergence extends Omit<CamelCased<Shapes['divergence']>, 'expect'> {
  confidence: Confidence
  source: string
  /** By pointer; replaces expectations of the rule. */
  expect: Map<string, Matcher>
  location: Location
}

export interface Format {
  matcher: Matcher
  /** From the interface text alone. */
  text: Matcher
  confidence: Confidence
}

/** A profile outside the suite folder. */
export interface ProfileFile {
  path: string
  text: string
}

export interface SituationFacts {
  situations: Map<string, SituationFact>
  /** By situation and protocol version. */
  versions: Map<string, Map<number, SituationFact>>
}

export interface Profile extends SituationFacts {
  name: string
  file?: ProfileFile
  title: string
  /** Prefix of versions; undefined: no particular version. */
  line?: string
  /** Basis of the response schema: the text alone, or also facts about the reference. */
  basis: 'text' | 'facts'
  /** Basis of the status classes, if not the text. */
  statusesBy?: string
  accepted: ResponsePattern & { confidence: Confidence }
  /** For situations without their own response. */
  refused: ResponsePattern & { confidence: Confidence }
  formats: Map<string, Format>
  /** Common properties of rejections, by error code. */
  codes: ReadonlyMap<string, ResponsePattern>
  divergences: Divergence[]
  location: Location
}

/** In a named format, `${of}` has the value of `of`. An empty format expects nothing. */
export type Matcher = ResolvedMatcher & { format?: string; of?: Data }

/** Default: the rules of the row. */
export interface Expected<What> {
  what: What
  rules?: string[]
  location: Location
}

export interface Expectation {
  headers?: Map<string, Expected<Matcher>>
  body?: Map<string, Expected<Matcher>>
  /** Check the schema of the interface; not in fixtures. */
  schema: boolean
}

export interface BaseRequest extends Omit<Shapes['request'], 'operation'> {
  name: string
  operation: string
  location: Location
}

export type Race = Shapes['race']

export interface Step extends Omit<CamelCased<Shapes['step']>, 'outcome' | 'expect'> {
  name: string
  outcome?: Expected<string>
  expect: Expectation
  location: Location
}

/** A case states these for rows without their own; the needs of both apply. */
export interface RowTraits {
  title: string
  /** Rules of expectations without their own. */
  rules: string[]
  impact: Impact
  needs: string[]
}

/** The last step is under test. */
export interface Row extends RowTraits {
  id: string
  /** Undefined if the case names them. */
  ownRules?: Location
  /** Judged even if the control failed. */
  uncontrolled?: true
  values: Record<string, Data>
  steps: Step[]
  location: Location
}

export interface Case extends Pick<Shapes['case'], 'id' | 'title' | 'hazard' | 'besides' | 'afterwards'> {
  operation: string
  /** Undefined if each row names its own. */
  ownRules?: Location
  serial: boolean
  /** Sent at the end of each row, whatever its result. */
  restore: Step[]
  rows: Row[]
  location: Location
}

export interface Probe {
  name: string
  rules: string[]
  before: Step[]
  after: Step[]
  /** Their expectations judge the rules of the row. */
  afterAcceptance: Step[]
  location: Location
}

/** With authorization a user of the participant, without it a user id. */
export type ResolvedActor = Shapes['actor'] & { name: string }

export type Actor = ResolvedActor & { location: Location }

export interface TokenVariant extends TokenTemplate {
  location: Location
}

export interface ExternalKeys {
  keys: [KeyKind, ...KeyKind[]]
  threshold: number
}

/** What a fixture is, whatever its steps. */
export interface FixtureKind {
  name: string
  /** External if it has keys. */
  party?: { hint: string; external?: ExternalKeys; everywhere?: true }
  /** A key that no party has registered. */
  key?: KeyKind
  /** Both in base64. */
  prepared?: { transaction: string; hash: string }
  /** Its last step is a valid request of this operation. */
  controls?: OperationName
}

/** Created once per run. */
export interface Fixture extends FixtureKind {
  /** Choices that consume nothing of the fixture. */
  keeps?: string[]
  values: Record<string, Data>
  steps: Step[]
  location: Location
}

/** The interface text and its obligations. */
export interface SuiteRules {
  text?: RecordedText
  outline: Section[]
  rules: Map<string, Rule>
  unspecified: Map<string, UnspecifiedBehaviour>
}

export interface SuiteContent extends SuiteRules {
  version: string
  situations: Map<string, Situation>
  profiles: Map<string, Profile>
  requests: Map<string, BaseRequest>
  actors: Map<string, Actor>
  tokens: Map<string, TokenVariant>
  fixtures: Map<string, Fixture>
  probes: Map<string, Probe>
  cases: Case[]
  folder?: string
  /** By file name. */
  texts?: ReadonlyMap<string, string>
}

export interface Suite extends SuiteContent {
  /** SHA-256 (hex) over all files, names included. */
  digest: string
}
