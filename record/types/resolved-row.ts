/** Everything to send and judge a row, as in `resolved-row.schema.json`. */

export type Strength = 'must' | 'should' | 'may' | 'client'
export type Impact = 'read' | 'write' | 'topology' | 'hazard'

/** Strings may contain `${variables}`; objects with a `$` member describe generated values. */
export type Data = null | boolean | number | string | Data[] | { [name: string]: Data }

/** Lines count from 1. */
export interface SourceLine {
  file: string
  line: number
}

/** Interface text, observed on a live participant, or read in its source. */
export type Confidence = 'text' | 'observed' | 'read'

/** `act` is the request under test; probes read the state before and after it. */
export type Role = 'arrange' | 'probe-before' | 'act' | 'probe-after' | 'restore'

export interface ResolvedRow {
  id: string
  case: string
  row: string
  title: string
  operation: string
  source: SourceLine
  impact: Impact
  /** Observed effect on a faulty participant, as a phrase. */
  hazard?: string
  needs: string[]
  /** No other row runs at the same time. */
  alone: boolean
  fixtures: string[]
  /** The fixture with a valid request: without it a rejection proves nothing. */
  control?: string
  values: Record<string, Data>
  /** Exactly one has the role `act`. */
  steps: ResolvedStep[]
}

/** Seconds, or the delay of the late-effects check. */
export type Later = number | 'late-check'

/** Which step it is, and who sends it. */
export interface StepHead {
  name: string
  role: Role
  /** `${user}` is its user id. */
  actor: string
  token?: TokenTemplate
}

export interface ResolvedStep extends StepHead {
  /** Outcome of the step under test. */
  sentWhen?: 'accepted' | 'refused'
  operation: string
  request: RequestTemplate
  /** What the request under test changes in a valid request; titles of rows state it. */
  changes?: LateEdit[]
  /** JSON pointers by variable. */
  capture: Record<string, string>
  /** Pointers of captured members that an answer may omit. */
  mayLack?: string[]
  /** Concurrent requests; `${attempt}` counts from 1. `others`: expectations of all except the accepted one. */
  race?: { times: number; others: ResolvedExpectation[] }
  eventually?: number
  /** The connection of the previous step. */
  sameConnection?: true
  later?: Later
  presignable?: true
  /** A presigned transaction replaces the sent step. */
  presigned?: true
  expectations: ResolvedExpectation[]
  source: SourceLine
}

/** `none`: no header; `header`: this header; otherwise the caller's token with these changes. */
export interface TokenTemplate {
  name: string
  meaning: string
  none?: true
  header?: string
  claims?: Record<string, Data>
  secret?: string
  algorithm?: string
  signature?: 'empty' | 'of-another-token'
  scheme?: string
}

export interface RequestTemplate {
  method: string
  path: string
  query?: Record<string, string>
  /** Lower-case names; Authorization only if the suite sets it. */
  headers: Record<string, string>
  body?: BodyTemplate
  wire?: WireForm
}

export interface WireForm {
  version?: '1.0' | '1.1'
  /** Without Content-Length. */
  chunked?: true
  /** After `100 Continue`, or a timeout. */
  expect?: true
  /** Bodies of earlier requests on the connection. Only the last answer is judged. */
  before?: string[]
  /** Earlier requests do not wait for answers. */
  pipelined?: true
}

export type BodyTemplate =
  | { json: Data; edits?: LateEdit[]; written?: Writing }
  | { text: string; written?: Writing }
  | { base64: string }

/** Makes a valid body invalid JSON. */
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

/** After variables and generated values, by JSON pointer. */
export type LateEdit = { at: string; set: Data } | { at: string; remove: true }

/**
 * `server-error`: no 5xx for client errors. `winners`: one of several concurrent requests is accepted. `effects`:
 * later, the ledger contains the answered transactions and no others.
 */
export interface ResolvedExpectation {
  kind: 'outcome' | 'server-error' | 'content' | 'shape' | 'winners' | 'effects'
  rules: string[]
  strength: Strength
  confidence: Confidence
  /** `basis`: source of the profile's expected outcome. */
  situation?: string
  basis?: string
  divergence?: string
  /** Another fault, so a met expectation proves nothing about the rules. */
  besides?: string
  /** One met alternative is sufficient. */
  anyOf: Alternative[]
  source: SourceLine
}

export interface Alternative {
  name?: string
  outcome?: 'accepted' | 'refused'
  checks: Check[]
}

export type Check =
  | { on: 'status'; oneOf: string[] }
  /** `except`: permitted 5xx statuses. */
  | { on: 'no-server-error'; except: string[] }
  | { on: 'media-type'; equals: string }
  | { on: 'header'; name: string; matcher: Matcher }
  /** `optional`: pointers that may be absent or null. */
  | { on: 'body'; pointer: string; matcher: Matcher; optional?: string[] }
  /** Anywhere in the body. */
  | { on: 'text'; mentions: string }
  /** The correct hash in hexadecimal. */
  | { on: 'hash' }
  | { on: 'resources'; kinds: string[] }
  | { on: 'json' }
  /** A 2xx body matches the schema: of the text alone, or including observed facts. */
  | { on: 'shape'; operation: string; basis: 'text' | 'facts' }
  /** `same`: more may be accepted with equal answers. */
  | { on: 'winners'; count: number; same?: true }
  /** `untold`: most transactions without an answer, after this outcome. */
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
  'shown-events',
  'keys',
  'greater-than',
  'at-least',
  'mentions',
  'mentions-none',
] as const

export type MatcherName = (typeof matcherNames)[number]

/** Of a judgement. `answer`: a complete answer; `oracle`: reads of the ledger; `variable`: a value that the run lacks. */
export type CheckName = Exclude<Check['on'], 'header' | 'body'> | MatcherName | 'answer' | 'oracle' | 'variable'

/** All must be met. `optional`: the member may be absent or null. */
export type Matcher = Partial<Record<MatcherName, Data>> & { optional?: true }

/** By step index. */
export type OtherExpectations = Record<string, { expectations: ResolvedExpectation[]; others?: ResolvedExpectation[] }>
