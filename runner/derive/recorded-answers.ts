/** A transport that answers from a record, and notes each request that the record has otherwise. */
import { createHash } from 'node:crypto'
import { requestKept } from '../../record/file/clean-record.js'
import { leastKept } from '../../record/file/evidence-budget.js'
import type { Evidence, RecordedBody, RecordedHeaders } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { withQuery } from '../execute/completions-watch.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import type { BuiltRequest } from '../transport/build-request.js'
import { type ExchangeLabel, unsentEvidence } from '../transport/transport.js'
import { compareValues, type Difference } from './differences.js'

interface RecordedExchangeAt {
  /** In the record. */
  path: string
  evidence: Evidence
}

export interface RecordedConnection {
  /** The target URL as requests begin. */
  base: string
  /** Names of headers that were sent with every request. */
  headers: readonly string[]
}

export class RecordedAnswers {
  readonly #connection: RecordedConnection
  readonly #place: string
  readonly #differences: Difference[]
  #left: RecordedExchangeAt[]

  /** `place`: of missing exchanges. Appends to `differences`. */
  constructor(
    connection: RecordedConnection,
    place: string,
    exchanges: readonly RecordedExchangeAt[],
    differences: Difference[],
  ) {
    this.#connection = connection
    this.#place = place
    this.#left = [...exchanges]
    this.#differences = differences
  }

  /** Of a run before and after its rows: the record has the order of the requests. */
  readonly inOrder = {
    send: async (request: BuiltRequest, label: ExchangeLabel): Promise<Evidence> => {
      // Requests that are sent together may have another order.
      const equal = this.#left.find(({ evidence }) => this.#compare('', request, evidence).length === 0)
      const found = equal ?? this.#left[0]
      // Only the steps of rows and controls generate values, and they add them to this evidence.
      if (found?.evidence.generated)
        this.#differences.push({
          path: `${found.path}.generated`,
          recorded: found.evidence.generated,
          derived: undefined,
        })
      return this.#take(found, request, label)
    },
  }

  /** Of a row, whose exchanges name their steps. */
  byStep(steps: readonly ResolvedStep[]) {
    return {
      disruption: undefined,
      send: async (request: BuiltRequest, label: ExchangeLabel): Promise<Evidence> => {
        const found = this.#left.find(
          ({ evidence }) => evidence.step === label.step && evidence.attempt === label.attempt,
        )
        // Only the run knows which token it could not get.
        if (found?.evidence.problem?.code === 'not-sent') throw new CredentialError(found.evidence.problem.message)
        const sent = found ? awaited(steps[label.step], request, found.evidence) : request
        return this.#take(found, sent, label)
      },
    }
  }

  /** Notes exchanges that no request of the run needs. */
  finish(): void {
    for (const { path, evidence } of this.#left)
      if (evidence.problem?.code !== 'not-sent')
        this.#differences.push({
          path,
          recorded: `${evidence.request.method} ${evidence.request.url}`,
          derived: undefined,
        })
    this.#left = []
  }

  #take(found: RecordedExchangeAt | undefined, request: BuiltRequest, label: ExchangeLabel): Evidence {
    if (!found) {
      this.#differences.push({ path: this.#place, recorded: undefined, derived: `${request.method} ${request.path}` })
      // A derived run has no times of its own.
      return { ...unsentEvidence(label, 'refused', 'the record lacks this exchange'), startedAt: '' }
    }
    this.#left.splice(this.#left.indexOf(found), 1)
    this.#differences.push(...this.#compare(found.path, request, found.evidence))
    this.#differences.push(...compareValues(found.path, labelOf(found.evidence), labelOf(label)))
    return copied(found.evidence)
  }

  #compare(path: string, sent: BuiltRequest, { request }: Evidence): Difference[] {
    const bytes = sent.body ?? Buffer.alloc(0)
    const { base, headers } = this.#connection
    const own = headers.map((name): [string, string] => [name, `[redacted: header ${name}]`])
    const at = `${path}.request`
    return [
      ...compareValues(`${at}.method`, request.method, sent.method),
      ...compareValues(`${at}.url`, request.url, base + sent.path),
      ...compareValues(`${at}.headers`, shownHeaders(request.headers), shownHeaders([...sent.headers, ...own])),
      ...(isRecorded(request.body, bytes)
        ? []
        : [{ path: `${at}.body`, recorded: textOf(request.body), derived: bytes.toString('utf8') }]),
    ]
  }
}

const labelOf = ({ step, role, attempt }: ExchangeLabel) => ({ step, role, attempt })

const bytesOf = ({ text, base64 = '' }: RecordedBody): Buffer =>
  text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)

const textOf = (body: RecordedBody | undefined): string => (body ? bytesOf(body).toString('utf8') : '')

/** Only the beginning of a long body is recorded: cut before the judgement, or after it, with its digest. */
function isRecorded(body: RecordedBody | undefined, sent: Buffer): boolean {
  if (!body) return sent.length === 0
  const recorded = bytesOf(body)
  if (sent.length !== body.bytes) return false
  if (!body.cut) return recorded.equals(sent)
  const isLong =
    body.sha256 === undefined
      ? sent.length > requestKept
      : createHash('sha256').update(sent).digest('hex') === body.sha256
  return isLong && recorded.length >= leastKept && recorded.equals(sent.subarray(0, recorded.length))
}

/** Tokens are not recorded. */
const shownHeaders = (headers: RecordedHeaders): string[][] => [
  ...headers.filter(([name]) => name !== 'authorization').map((one) => [...one]),
  ...headers.filter(([name]) => name === 'authorization').map(([name]) => [name]),
]

/** The limit depends on existing completions (docs/decisions/0031). */
function awaited(step: ResolvedStep | undefined, request: BuiltRequest, { request: { url } }: Evidence): BuiltRequest {
  const [, limit] = /\?stream_idle_timeout_ms=50&limit=(\d+)$/.exec(url) ?? []
  if (step?.operation !== 'completions' || step.eventually === undefined || limit === undefined) return request
  return { ...request, path: withQuery(request.path, { stream_idle_timeout_ms: '50', limit }) }
}

/**
 * Parsed bodies stay in memory as long as the body, and a record has thousands. The steps of a row add the values that
 * they generate, so that invented ones differ.
 */
const copied = ({ request, response, generated: _, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  request: { ...request, ...(request.body && { body: { ...request.body } }) },
  ...(response && { response: { ...response, body: { ...response.body } } }),
})
