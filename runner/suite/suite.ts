/** What the suite files say, once read and checked. Nothing here knows of YAML, of HTTP or of a target. */
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

/** Where a piece of a suite stands; lines and columns count from 1. */
export interface Location extends SourceLine {
  column: number
}

export interface Rule {
  id: string
  statement: string
  strength: Strength
  section: string
  /** Where the text of the interface says it; empty where it does not. */
  passages: Passage[]
  /** The profile whose participants are known for it, where no sentence says it. */
  factOf?: string
  /** Each of these needs a case of the rule; empty: one of any operation will do. */
  operations: OperationName[]
  /** Why no case can show it from outside. */
  untestable?: string
  location: Location
}

/** A passage of the text of the interface: a row of a table with its column, a numbered rule, a sentence. */
export interface Passage {
  section: string
  name: string
  /** Where the suite names it. */
  location: Location
}

/** The text of the interface that the suite judges against. */
export interface InterfaceText {
  title: string
  version: string
  /** SHA-256 (hex) of its bytes. */
  digest: string
}

/** A section of the text of the interface; its ordinal is its position in the outline, from 1, and so is that of its passages. */
export interface Section {
  name: string
  passages: Listed[]
  /** By passage: why neither a rule nor an unspecified behaviour has to name it. */
  withoutRule: Map<string, { reason: string; location: Location }>
  location: Location
}

/** Something that the text of the interface leaves open. */
export interface UnspecifiedBehaviour {
  id: string
  question: string
  passages: Passage[]
  /** Name of the profile that fills it, and what it takes for the answer. */
  filledBy?: string
  answer?: string
  location: Location
}

/** A name in a list, and where it stands. */
export interface Listed {
  name: string
  location: Location
}

/** A named circumstance of a request. Whether it is accepted or refused then, and how that looks, is told by profiles. */
export interface Situation {
  name: string
  meaning: string
  location: Location
}

/** The situation of a request as the text has it: every profile accepts it. */
export const accepted = 'accepted'

/** What an answer must look like; every member that is given is an expectation of its own. */
export interface ResponsePattern {
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

/** One permitted answer; without any member of its own it looks as the profile's other answers of that outcome. */
export interface PermittedResponse extends ResponsePattern {
  name: string
  outcome: 'accepted' | 'refused'
}

/** What a profile says of a situation. */
export interface SituationFact {
  situation: string
  /** One is enough; the one met is recorded. Never empty. */
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
  /** The only protocol version with which it is one. */
  protocolVersion?: number
  /** The only situations of the request under test in which it is one. */
  situations?: string[]
  /** Replaces what cases expect for the rule at these pointers. */
  expect: Map<string, Matcher>
  location: Location
}

/** How a value looks, under a name that cases use. */
export interface Format {
  matcher: Matcher
  /** The same by the text alone; it holds even where the rest was only read. */
  text: Matcher
  confidence: Confidence
}

export interface Profile {
  name: string
  title: string
  /** Versions that it is about begin with that; undefined: it is about none in particular. */
  line?: string
  /** By what successful answers are checked: the text alone, or also what is known of the reference. */
  basis: 'text' | 'facts'
  /** By what else than the text it is known which statuses accept and refuse. */
  statusesBy?: string
  /** How a request that must be accepted is answered. */
  accepted: ResponsePattern & { confidence: Confidence }
  /** How a refusal looks where the profile says nothing of its situation. */
  refused: ResponsePattern & { confidence: Confidence }
  situations: Map<string, SituationFact>
  /** Situations for which another protocol version than the highest has a fact of its own. */
  versions: Map<string, Map<number, SituationFact>>
  formats: Map<string, Format>
  divergences: Divergence[]
  location: Location
}

/**
 * What must hold of one value: each entry is looked at by itself. `format` names how it looks, which profiles say; where a profile says
 * it with `${of}`, that stands for `of`. Without entries, as the format of a profile, nothing is expected.
 */
export type Matcher = ResolvedMatcher & { format?: string; of?: Data }

/** What a step expects at one spot of the answer; without rules of its own it judges those of its row. */
export interface Expected<What> {
  what: What
  rules?: string[]
  location: Location
}

export interface Expectation {
  status?: Expected<string[]>
  headers?: Map<string, Expected<Matcher>>
  /** By JSON pointer into the body. */
  body?: Map<string, Expected<Matcher>>
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
  wire?: WireForm
  /** The body in a way that is no JSON. */
  written?: Writing
}

export interface BaseRequest {
  name: string
  operation: string
  as?: string
  params?: Record<string, string>
  /** What stands behind the path. */
  query?: Record<string, string>
  body?: Data
  /** A presigned transaction of a target file stands in for the answer where nothing can be prepared. */
  presignable?: true
  location: Location
}

/**
 * So many of the same request are sent at once; one is accepted, and each of the others is in the situation `others`. Without one, all
 * are accepted.
 */
export interface Race {
  times: number
  others?: string
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
  race?: Race
  /** Seconds within which what is expected must come about: until then the step is sent again. */
  eventually?: number
  /** It is sent over the connection of the step before. */
  sameConnection?: true
  later?: Later
  /** Name of the situation in which it is; `accepted` where nothing stands against it. */
  outcome?: Expected<string>
  expect: Expectation
  location: Location
}

/** One row of a case: its steps are complete; the last one is the step under test. */
export interface Row {
  id: string
  title: string
  /** What its expectations judge that name no rules of their own. */
  rules: string[]
  /** Where it names them itself; otherwise its case does. */
  ownRules?: Location
  impact: Impact
  /** It is about whether the operation accepts a plain request: it is judged also where the control was not accepted. */
  uncontrolled?: true
  needs: string[]
  /** Variables that the row sets for its steps and for the probe around them. */
  values: ReadonlyMap<string, Data>
  steps: Step[]
  location: Location
}

export interface Case {
  id: string
  title: string
  operation: string
  /** What its rows of impact `hazard` were seen to do to a faulty participant. */
  hazard?: string
  /** What else is wrong with the requests of its rows: where refusals look alike, one of them shows nothing. */
  besides?: string
  /** The rules of all rows that name none of their own. */
  rules?: { ids: string[]; location: Location }
  /** Name of the probe around its rows: refused ones, and accepted ones where it has steps for those. */
  afterwards?: string
  serial: boolean
  /** Sent at the end of each row, whatever became of it: they put back what it changed. */
  restore: Step[]
  rows: Row[]
  location: Location
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

/** Somebody who calls: with authorization a user of the target with these rights, without it just a user id. */
export interface Actor {
  name: string
  rights: RightName[]
  /** Its user must be nobody else's. */
  apart?: true
  location: Location
}

/** A deliberately unacceptable (or unusual) token, derived from the actor's own one. */
export interface TokenVariant extends TokenTemplate {
  location: Location
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
  party?: { hint: string; external?: ExternalKeys; everywhere?: true }
  /** A key that is registered for nobody. */
  key?: KeyKind
  /** A transaction that a participant prepared at another time: its bytes and their hash, both as base64. */
  prepared?: { transaction: string; hash: string }
  /**
   * It is a control: its last step is a valid request of this operation. Rows of the operation need it: without it a refusal proves
   * nothing, and what is not accepted breaks no rule but those about the plain request.
   */
  controls?: OperationName
  /** Variables that it sets for its steps. */
  values: ReadonlyMap<string, Data>
  steps: Step[]
  location: Location
}

export interface Suite {
  version: string
  /** SHA-256 (hex) over all files, names included. */
  digest: string
  /** The text of the interface; absent where the suite does not say which. */
  text?: InterfaceText
  /** It, section by section; empty where the suite does not say. */
  outline: Section[]
  rules: Map<string, Rule>
  unspecified: Map<string, UnspecifiedBehaviour>
  /** What is known to be missing still: rules by operation, and situations. */
  gaps: { rules: Map<OperationName, Listed[]>; situations: Listed[] }
  situations: Map<string, Situation>
  profiles: Map<string, Profile>
  requests: Map<string, BaseRequest>
  actors: Map<string, Actor>
  tokens: Map<string, TokenVariant>
  fixtures: Map<string, Fixture>
  probes: Map<string, Probe>
  cases: Case[]
  /** The folder that it was read from, which the names of its files are below. */
  folder?: string
  /** The text of each file by the name that locations give it, so that a finding can show its line. */
  texts?: ReadonlyMap<string, string>
}
