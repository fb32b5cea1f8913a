/**
 * A row with everything that is needed to send and to judge it, for one profile and one protocol version. Tables, defaults,
 * sequences, situations and formats of the suite are gone: what is left is what is sent and what must come back.
 * `resolved-row.schema.json` is the same once more, for rows that come from a file.
 */

export type Strength = 'must' | 'should' | 'may' | 'client'
export type Impact = 'read' | 'write' | 'topology' | 'hazard'

/** Any value of a suite file; texts may hold `${variables}`, objects with a `$` member describe a value to be generated. */
export type Data = null | boolean | number | string | Data[] | { [name: string]: Data }

/** Where the suite says something; lines count from 1. */
export interface SourceLine {
  file: string
  line: number
}

/** How an expectation is known: said by the text of the interface, seen of a live participant, or read in its source. */
export type Confidence = 'text' | 'observed' | 'read'

/**
 * Why a step is sent: what the row needs first, a look at the state before, the request that the row is about, a look
 * afterwards, or what puts back what the row changed.
 */
export type Role = 'arrange' | 'probe-before' | 'act' | 'probe-after' | 'restore'

export interface ResolvedRow {
  /** `CASE/row`, unique in the suite. */
  id: string
  case: string
  row: string
  title: string
  operation: string
  source: SourceLine
  impact: Impact
  /** With the impact `hazard`: what it was seen to do to a faulty participant, as a phrase. */
  hazard?: string
  /** Capabilities that the target must have. */
  needs: string[]
  /** No other row is in flight beside it. */
  alone: boolean
  /** Fixtures whose variables it uses, directly or through other fixtures; those that others need come behind them. */
  fixtures: string[]
  /** The fixture that shows that the operation under test accepts a valid request: without it a refusal proves nothing. */
  control?: string
  /** Variables that it sets before its first step, each of which may speak of those before it. */
  values: Record<string, Data>
  /** In the order of sending. Exactly one has the role `act`. */
  steps: ResolvedStep[]
}

/** How long a step waits for what may still change: seconds, or until late effects would have come. */
export type Later = number | 'late-look'

export interface ResolvedStep {
  /** Unique in the row. */
  name: string
  role: Role
  /** Only sent where the step under test was answered like that. */
  sentWhen?: 'accepted' | 'refused'
  operation: string
  /** Who calls; `${user}` is this one's id at the target. */
  actor: string
  /** A token other than the caller's own. */
  token?: TokenTemplate
  request: RequestTemplate
  /** Variables that are taken from the answer, by JSON pointer. */
  capture: Record<string, string>
  /** Members on the way to what is captured that an answer may leave out, as pointers. */
  mayLack?: string[]
  /** So many of the request are sent at once, with `${attempt}` from 1; all but the one that is accepted meet `others` in place of the step's expectations. */
  race?: { times: number; others: ResolvedExpectation[] }
  /** Seconds within which what is expected of the body must come about: until then the step is sent again. */
  eventually?: number
  /** Sent over the connection of the step before. */
  sameConnection?: true
  /** Seconds to wait before it is sent, or as long as late effects are waited for. */
  later?: Later
  /** A transaction that was prepared and signed elsewhere can stand in for the answer. */
  presignable?: true
  /** Such a transaction does stand in: the step is not sent. */
  presigned?: true
  expectations: ResolvedExpectation[]
  source: SourceLine
}

/** A deliberately unacceptable (or unusual) token. `none`: no header; `header`: this header; otherwise the caller's own with these differences. */
export interface TokenTemplate {
  name: string
  meaning: string
  none?: true
  header?: string
  claims?: Record<string, Data>
  secret?: string
  algorithm?: string
  /** How `Bearer` is spelt. */
  scheme?: string
}

/** What is sent, with `${variables}` still in it. */
export interface RequestTemplate {
  method: string
  /** Below the base URL. `{name}` stands for a member of `params`. */
  path: string
  params?: Record<string, string>
  /** What stands behind the path. */
  query?: Record<string, string>
  /** In lower case, in the order of sending; the Authorization header is not among them unless the suite says it itself. */
  headers: Record<string, string>
  body?: BodyTemplate
  wire?: WireForm
}

/** How a request is written where that is no matter of headers and body; what is not said is as usual. */
export interface WireForm {
  /** Of HTTP. */
  version?: '1.0' | '1.1'
  /** The body comes in chunks, without its length. */
  chunked?: true
  /** The body is only sent when the server says so, or says nothing for a while. */
  expect?: true
  /** Bodies of requests, otherwise the same, that are sent before over the same connection. The answer is that to the last one. */
  before?: string[]
  /** Nobody waits for the answers to those. */
  pipelined?: true
}

/** A body as JSON, as text, or as base64 of its bytes. */
export type BodyTemplate =
  | { json: Data; edits?: LateEdit[]; written?: Writing }
  | { text: string; written?: Writing }
  | { base64: string }

/** Ways to write a body that are no JSON, though it is right otherwise. */
export type Writing =
  | 'utf-16'
  | 'gzip'
  | 'truncated'
  | 'followed'
  | 'trailing-comma'
  | 'comment'
  | 'single-quotes'
  | 'not-a-number'
  | 'byte-order-mark'

/** A change of what is only known once variables are filled in and values are generated: by JSON pointer, in order. */
export type LateEdit = { at: string; set: Data } | { at: string; remove: true }

/**
 * One thing that is expected of an answer. `outcome`: to be accepted or refused; `server-error`: no mistake of the client is
 * answered by 5xx; `content`: what else the suite says; `shape`: the described form of a successful answer; `winners`: of
 * requests at once one is accepted; `effects`: the ledger holds, a while later, what answers told of and nothing else.
 */
export interface ResolvedExpectation {
  kind: 'outcome' | 'server-error' | 'content' | 'shape' | 'winners' | 'effects'
  /** Ids of the rules that it judges. */
  rules: string[]
  strength: Strength
  confidence: Confidence
  /** The situation that the suite names, and what the profile takes its answer from. */
  situation?: string
  basis?: string
  /** A recorded difference between the text and the profile, which this expectation follows. */
  divergence?: string
  /** What else is wrong with the request, so that being met shows nothing of the rules. */
  besides?: string
  /** One of these is enough, and the one that is met best is told. */
  anyOf: Alternative[]
  source: SourceLine
}

export interface Alternative {
  /** There where there are several. */
  name?: string
  /** There in expectations of the kind `outcome`. */
  outcome?: 'accepted' | 'refused'
  checks: Check[]
}

/** What is looked at, and what it must be. */
export type Check =
  | { on: 'status'; oneOf: string[] }
  /** No status of 5xx but these. */
  | { on: 'no-server-error'; except: string[] }
  | { on: 'media-type'; equals: string }
  | { on: 'header'; name: string; matcher: Matcher }
  /** `optional`: pointers of the members on the way there, itself included, that may be left out or null. */
  | { on: 'body'; pointer: string; matcher: Matcher; optional?: string[] }
  /** A text that the body holds somewhere. */
  | { on: 'text'; mentions: string }
  /** The body names the hash that would have had to be signed, in hexadecimal. */
  | { on: 'hash' }
  /** Kinds of the resources that an error body names, in order. */
  | { on: 'resources'; kinds: string[] }
  /** The body of a success is JSON. */
  | { on: 'json' }
  /** The body of a described success: by the text of the interface alone, or also by what is known of the reference. */
  | { on: 'shape'; operation: string; basis: 'text' | 'facts' }
  /** `same`: more may be accepted, if they are told the same. */
  | { on: 'winners'; count: number; same?: true }
  /** Where a request under test was answered like that: so many transactions of the row that no answer told of, at most. */
  | { on: 'effects'; when: 'accepted' | 'refused'; untold: number }

export const matcherNames = [
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
  'same-time',
  'not-before',
  'same-set',
  'same-items',
  'subset-of',
  'superset-of',
  'intersects',
  'each',
  'every',
  'some',
  'includes',
  'at',
  'length',
  'keys',
  'greater-than',
  'at-least',
  'mentions',
  'mentions-none',
] as const

export type MatcherName = (typeof matcherNames)[number]

/**
 * What must hold of one value: each entry is looked at by itself, and all must be met. `optional` stands within other matchers:
 * a member that is left out, or null, will do.
 */
export type Matcher = Partial<Record<MatcherName, Data>> & { optional?: true }

/** Expectations of a row by another profile, by index of the step; steps that are not named are judged alike. */
export type OtherExpectations = Record<string, { expectations: ResolvedExpectation[]; others?: ResolvedExpectation[] }>
