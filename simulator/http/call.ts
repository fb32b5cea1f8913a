import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../auth/caller.js'
import type { Participant } from '../participant/participant.js'
import type { Situation } from './error-body.js'

export interface RequestHead {
  headers: IncomingHttpHeaders
  url: string
  /** Several values for a wildcard. */
  params: Readonly<Record<string, string | string[]>>
}

/** Ids are drawn at the first use. */
export class CallSituation implements Situation {
  readonly #participant: Participant
  readonly #header: string | string[] | undefined
  #traceId: string | undefined
  #submissionId: string | undefined
  submission = ''

  constructor({ headers }: RequestHead, participant: Participant) {
    this.#participant = participant
    this.#header = headers['traceparent']
  }

  get traceId(): string {
    this.#traceId ??= traceOf(this.#header) ?? this.#participant.entropy.hex(16)
    return this.#traceId
  }

  get submissionId(): string {
    this.#submissionId ??= this.#participant.entropy.uuid()
    return this.#submissionId
  }

  set submissionId(id: string) {
    this.#submissionId = id
  }
}

const traceOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(header)?.[1] : undefined

export class Call<Body> {
  readonly participant: Participant
  readonly caller: Caller
  readonly body: Body
  readonly rawBody: Buffer
  /** For error bodies. */
  readonly submission: CallSituation
  readonly #head: RequestHead
  #query: URLSearchParams | undefined
  #overdue: AbortController | undefined

  constructor(
    head: RequestHead,
    {
      participant,
      caller,
      body,
      rawBody,
      submission,
    }: Pick<Call<Body>, 'participant' | 'caller' | 'body' | 'rawBody' | 'submission'>,
  ) {
    this.#head = head
    this.participant = participant
    this.caller = caller
    this.body = body
    this.rawBody = rawBody
    this.submission = submission
  }

  get traceId(): string {
    return this.submission.traceId
  }

  /** Decoded. */
  get params(): Record<string, string> {
    const parts = Object.entries(this.#head.params)
    return Object.fromEntries(parts.map(([name, value]) => [name, [value].flat().join('/')]))
  }

  get query(): URLSearchParams {
    this.#query ??= new URL(this.#head.url, 'http://participant').searchParams
    return this.#query
  }

  /** Aborted by the time limit. */
  get overdue(): AbortSignal {
    this.#overdue ??= new AbortController()
    return this.#overdue.signal
  }

  giveUp(): void {
    this.#overdue ??= new AbortController()
    this.#overdue.abort()
  }
}
