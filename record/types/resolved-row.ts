/**
 * A resolved row: everything to send and judge it, for one profile and protocol version. `resolved-row.schema.json` describes the
 * same.
 */

export type Strength = 'must' | 'should' | 'may' | 'client'
export type Impact = 'read' | 'write' | 'topology' | 'hazard'

/** A suite value. Strings may contain `${variables}`; objects with a `$` member describe generated values. */
export type Data = null | boolean | number | string | Data[] | { [name: string]: Data }

/** Lines count from 1. */
export interface SourceLine {
  file: string
  line: number
}

/** Origin of an expectation: interface text, observed on a live participant, or read in its source. */
export type Confidence = 'text' | 'observed' | 'read'

/** Purpose of a step. `act` is the request under test; probes read the state before and after it. */
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
  /** With the impact `hazard`: observed effect on a faulty participant, as a phrase. */
  hazard?: string
  /** Required capabilities. */
  needs: string[]
  /** No other row runs at the same time. */
  alone: boolean
  /** Fixtures that the row uses, directly or through others; required fixtures follow. */
  fixtures: string[]
  /** The fixture that shows that the operation accepts a valid request; without it a rejection proves nothing. */
  control?: string
  /** Variables set before the first step; each may use earlier ones. */
  values: Record<string, Data>
  /** In the order of sending. Exactly one has the role `act`. */
  steps: ResolvedStep[]
}

/** Seconds, or the delay of the late-effects check. */
export type Later = number | 'late-look'

export interface ResolvedStep {
  /** Unique in the row. */
  name: string
  role: Role
  /** Sent only after this outcome of the step under test. */
  sentWhen?: 'accepted' | 'refused'
  operation: string
  /** `${user}` is the id of its user. */
  actor: string
  /** Replaces the token of the caller. */
  token?: TokenTemplate
  request: RequestTemplate
  /** JSON pointers into the answer, by variable. */
  capture: Record<string, string>
  /** Pointers of members on captured paths that an answer may omit. */
  mayLack?: string[]
  /** Concurrent requests, with `${attempt}` from 1. `others`: expectations of all except the accepted one. */
  race?: { times: number; others: ResolvedExpectation[] }
  /** Seconds during which the step is repeated until its body expectations are met. */
  eventually?: number
  /** Sent over the connection of the previous step. */
  sameConnection?: true
  /** Delay before sending. */
  later?: Later
  /** A presigned transaction can replace the answer. */
  presignable?: true
  /** A presigned transaction replaces the answer; the step is not sent. */
  presigned?: true
  expectations: ResolvedExpectation[]
  source: SourceLine
}

/** An invalid or unusual token. `none`: no header; `header`: this header; otherwise the caller's token with these changes. */
export interface TokenTemplate {
  name: string
  meaning: string
  none?: true
  header?: string
  claims?: Record<string, Data>
  secret?: string
  algorithm?: string
  /** Replaces `Bearer`. */
  scheme?: string
}

/** A request with `${variables}`. */
export interface RequestTemplate {
  method: string
  /** Below the base URL; `{name}` is a member of `params`. */
  path: string
  params?: Record<string, string>
  query?: Record<string, string>
  /** Lower-case names, in sent order; Authorization only if the suite sets it. */
  headers: Record<string, string>
  body?: BodyTemplate
  wire?: WireForm
}

/** Unusual properties of the HTTP message. */
export interface WireForm {
  version?: '1.0' | '1.1'
  /** Chunked body without Content-Length. */
  chunked?: true
  /** Sends the body after `100 Continue`, or after a timeout. */
  expect?: true
  /** Bodies of earlier, otherwise equal requests on the same connection. Only the last answer is judged. */
  before?: string[]
  /** Earlier requests are sent without waiting for answers. */
  pipelined?: true
}

/** A body as JSON, as text, or as base64 of its bytes. */
export type BodyTemplate =
  | { json: Data; edits?: LateEdit[]; written?: Writing }
  | { text: string; written?: Writing }
  | { base64: string }

/** Encodings that make a valid body invalid JSON. */
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

/** A change after variables and generated values are filled in; by JSON pointer, in order. */
export type LateEdit = { at: string; set: Data } | { at: string; remove: true }

/**
 * `outcome`: accepted or rejected. `server-error`: no 5xx for client errors. `content`: other statements of the suite. `shape`: schema
 * of a successful answer. `winners`: one of several concurrent requests is accepted. `effects`: later, the ledger contains the answered
 * transactions and no others.
 */
export interface ResolvedExpectation {
  kind: 'outcome' | 'server-error' | 'content' | 'shape' | 'winners' | 'effects'
  rules: string[]
  strength: Strength
  confidence: Confidence
  /** `basis`: source of the profile's expected outcome. */
  situation?: string
  basis?: string
  /** The recorded divergence that this expectation follows. */
  divergence?: string
  /** Another fault of the request; then a met expectation proves nothing about the rules. */
  besides?: string
  /** One is sufficient; reports show the closest one. */
  anyOf: Alternative[]
  source: SourceLine
}

export interface Alternative {
  /** Present if there are several. */
  name?: string
  /** Present for the kind `outcome`. */
  outcome?: 'accepted' | 'refused'
  checks: Check[]
}

export type Check =
  | { on: 'status'; oneOf: string[] }
  /** `except`: permitted 5xx statuses. */
  | { on: 'no-server-error'; except: string[] }
  | { on: 'media-type'; equals: string }
  | { on: 'header'; name: string; matcher: Matcher }
  /** `optional`: pointers of members on the path that may be absent or null. */
  | { on: 'body'; pointer: string; matcher: Matcher; optional?: string[] }
  /** A string anywhere in the body. */
  | { on: 'text'; mentions: string }
  /** The body contains the correct hash in hexadecimal. */
  | { on: 'hash' }
  /** Resource kinds in an error body, in order. */
  | { on: 'resources'; kinds: string[] }
  /** A 2xx body is valid JSON. */
  | { on: 'json' }
  /** A 2xx body matches the schema: of the text alone, or including observed facts. */
  | { on: 'shape'; operation: string; basis: 'text' | 'facts' }
  /** `same`: more may be accepted if their answers are equal. */
  | { on: 'winners'; count: number; same?: true }
  /** `untold`: largest number of transactions without an answer, after this outcome. */
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

/** Conditions for one value; all must be met. `optional`, within other matchers: the member may be absent or null. */
export type Matcher = Partial<Record<MatcherName, Data>> & { optional?: true }

/** Differing expectations of another profile, by step index. */
export type OtherExpectations = Record<string, { expectations: ResolvedExpectation[]; others?: ResolvedExpectation[] }>
