/**
 * Facts, never sentences: `reports/wording` states them in words, and nothing reads those words. A new code needs its
 * members here, its words in `reports/wording/reason-words.ts`, and `npm run reasons`. Strings may come from the target.
 */
import type { Permission } from './effects.js'
import type { CheckName } from './resolved-row.js'

/** One evaluated check. Values of a body are JSON text, cut after 300 characters. */
export interface CheckedFact {
  /** `status`, `header content-type`, or `body` with a JSON pointer. */
  subject: string
  pointer?: string
  check: CheckName
  wanted: string[]
  /** Empty: nothing. */
  found: string[]
  /** The value may be absent. */
  optional?: true
  /** A part of the body was wanted, but the body is not JSON. */
  notJson?: true
  /** Of the check `oracle`. */
  because?: Reason
}

/** The form of the whole body, if the body is not JSON. */
export const jsonBody = 'JSON body'

/** A member of an answer that a later step needs. `form`: the wanted form of a value with another form. */
export interface MissingCapture {
  variable: string
  pointer: string
  form?: string
  found?: string
}

export interface UnreadyPackage {
  name: string
  problem: 'not-uploaded' | 'not-vetted' | 'vetted' | 'bounded'
}

/** Why a user cannot act for an actor. */
export type Unsuitability =
  | { code: 'no-credential' }
  | { code: 'user-shared'; user: string }
  | { code: 'users-equal'; user: string; other: string }
  | { code: 'right-missing'; user: string; right: string }
  | { code: 'right-surplus'; user: string; right: string }

/** How a run ended before its last row. */
export type EndedEarly =
  /** `by`: the name of a signal. */
  | { cause: 'interrupted'; by: string }
  | { cause: 'time-over'; minutes: number }
  | { cause: 'failed-enough'; failed: number }
  /** `participant`: the id of a different participant that answers instead. `side`: of an exploration. */
  | { cause: 'target-gone'; from?: string; participant?: string; side?: string }

export type Reason =
  // The plan: the row does not apply, or nothing permits it.
  | { code: 'lacks-capability'; name: string; because?: Reason }
  | { code: 'lacks-permission'; permissions: Permission[]; allow: Permission[]; because?: Reason }
  | { code: 'operation-missing'; operation: string; status: number }
  | { code: 'operation-unreachable'; operation: string }
  | { code: 'protocol-version-unknown' }
  /** `setting`: of a target file. */
  | { code: 'value-unknown'; name: string; setting?: string }
  | { code: 'party-not-creatable'; party: string; because: Reason }
  | { code: 'party-undeclared'; party: string }
  | { code: 'external-party-impossible'; party: string }
  | { code: 'nothing-prepared' }
  | { code: 'token-not-signable'; token: string; because: Reason }
  | { code: 'audience-fixed'; token: string }
  | { code: 'no-suitable-user'; actor: string; because: Unsuitability }
  // Causes of the plan.
  | { code: 'nothing-permitted' }
  | { code: 'creation-unreachable' }
  | { code: 'no-administrator' }
  | { code: 'no-authorization' }
  | { code: 'no-signing-key' }
  | { code: 'proxy-used' }
  | { code: 'synchronizer-unknown' }
  | { code: 'synchronizer-id-form'; found: string; message: string }
  | { code: 'synchronizer-not-named' }
  | { code: 'protocol-version-too-low'; version: number }
  | { code: 'scheme-not-prepared' }
  | { code: 'no-packages' }
  | { code: 'packages-unready'; packages: UnreadyPackage[] }
  // Requests before the rows.
  | { code: 'request-rejected'; operation: string; status: number; answer: string }
  | { code: 'request-failed'; message: string }
  | { code: 'fixture-failed'; fixture: string; because: Reason }
  | { code: 'nothing-accepted'; operation: string; because?: Reason }
  | { code: 'fixture-declined'; fixture: string; because: Reason }
  | { code: 'unexpected-answer'; step: string; operation: string; unmet: CheckedFact; answer?: string }
  | { code: 'not-captured'; step: string; missing: MissingCapture[] }
  | { code: 'step-declined'; step: string; status?: number; answer?: string }
  | { code: 'member-omitted'; step: string; pointer: string }
  | { code: 'presigned-used'; party: string }
  | { code: 'presigned-unreadable'; party: string; because: Reason }
  | { code: 'presigned-missing'; fixture: string }
  /** The beginning of the fingerprint. */
  | { code: 'signature-missing'; key: string }
  | { code: 'prepared-encoding-unknown' }
  | { code: 'vetting-unrestorable'; because?: Reason }
  | { code: 'vetting-not-restored'; rows: string[] }
  | { code: 'journal-unwritable'; message: string }
  // The performance of the row.
  | { code: 'outage'; from: string; to?: string; side?: string }
  /** `times`: consecutive timeouts. */
  | { code: 'path-silent'; path: string; times: number }
  | { code: 'too-busy'; seconds: number; requested?: true; side?: string }
  | { code: 'busy-at-end'; side?: string }
  | { code: 'run-ended'; ended?: EndedEarly }
  | { code: 'step-not-sent'; step: string; message: string }
  | { code: 'captured-value-unusable'; step: string; source: string; members: MissingCapture[]; message: string }
  | { code: 'connection-closed' }
  | { code: 'evidence-mismatch' }
  | { code: 'tool-fault'; fault: string }
  // A judgement of the row decides.
  | { code: 'unmet'; unmet: CheckedFact }
  | { code: 'setup-failed'; step: string; unmet: CheckedFact }
  | { code: 'step-failed'; step: string; operation: string; unmet: CheckedFact }
  | { code: 'stopped-answering'; unmet: CheckedFact }
  | { code: 'probe-failed'; unmet: CheckedFact }
  | { code: 'not-restored'; unmet: CheckedFact }
  | { code: 'recommendation-unmet'; unmet: CheckedFact }
  /** A fact that was read in a source, and not observed. `basis`: the place. */
  | { code: 'read-fact-unmet'; unmet: CheckedFact; basis?: string }
  | { code: 'option-declined'; unmet: CheckedFact }
  // The record does not permit to judge the row again.
  | { code: 'not-judged-again'; because: Reason }
  | { code: 'control-missing'; operation: string }
  | { code: 'evidence-redacted' }
  | { code: 'evidence-cut'; step: string }
  | { code: 'other-requests'; profile: string }
  | { code: 'expectations-invalid'; fault: string }
  | { code: 'repeated-for-other-profile'; step: string }
  // Why no row tests a rule.
  | { code: 'not-judged' }
  | { code: 'not-covered' }
  | { code: 'unobservable'; message: string }
  | { code: 'all-permitted'; profile: string }
  // The reads of the ledger after the last row.
  | { code: 'ledger-unread' }
  | { code: 'last-read-failed'; method: string; path: string; status?: number; message?: string }
  | { code: 'last-commit-failed'; method: string; path: string; status?: number; message?: string }
  /** `offset`: JSON text. Absent if the answer has none. */
  | { code: 'offset-unusable'; operation: string; offset?: string }
  | { code: 'update-pages-missing' }
  | { code: 'update-missing'; operation: string; update: string; more?: number }
  | { code: 'updates-empty' }
  | { code: 'completions-empty' }
  | { code: 'contracts-unread' }
  | { code: 'contract-unexplained'; contract: string }
  | { code: 'contract-missing'; contract: string }
  | { code: 'updates-unexplained'; update: string; offset: number; more?: number }
  | { code: 'update-unexplained'; update: string }
  | { code: 'execution-missing' }
  /** `row`: the other one. */
  | { code: 'answer-exchanged'; operation: string; update: string; row: string }
  | { code: 'rejected-but-committed'; rows: string[]; updates: string[] }
  /** `row`: the consumer. */
  | { code: 'fixture-consumed'; fixture: string; row: string }
  | { code: 'completion-missing'; row: string }
  | { code: 'completion-false'; update: string; isSuccess: boolean }
  /** `completed`: the offset of the completion. */
  | { code: 'completion-offset-wrong'; operation: string; update: string; offset: number; completed: number }
  | { code: 'vetting-hidden'; row: string }

export type ReasonCode = Reason['code']

/** Of one code. */
export type ReasonOf<Code extends ReasonCode> = Extract<Reason, { code: Code }>
