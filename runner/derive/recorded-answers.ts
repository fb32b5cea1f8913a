/** A transport that answers from a record, and notes each request that the record has otherwise. */
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { withQuery } from '../execute/completions-watch.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import type { BuiltRequest } from '../transport/build-request.js'
import type { ExchangeLabel } from '../transport/transport.js'
import { compareValues, type Difference } from './differences.js'

interface RecordedExchangeAt {
  /** In the record. */
  path: string
  evidence: Evidence
}

export class RecordedAnswers {
  readonly #base: string
  readonly #place: string
  readonly #differences: Difference[]
  #left: RecordedExchangeAt[]

  /** `base`: the target URL as requests begin. `place`: of missing exchanges. Appends to `differences`. */
  constructor(
    { base, place }: { base: string; place: string },
    exchanges: readonly RecordedExchangeAt[],
    differences: Difference[],
  ) {
    this.#base = base
    this.#place = place
    this.#left = [...exchanges]
    this.#differences = differences
  }

  /** Of a run before and after its rows: the record has the order of the requests. */
  readonly inOrder = {
    send: async (request: BuiltRequest, label: ExchangeLabel): Promise<Evidence> => {
      // Requests that are sent together may have another order.
      const equal = this.#left.find(({ evidence }) => this.#compare('', request, evidence).length === 0)
      return this.#take(equal ?? this.#left[0], request, label)
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
      return absent(label)
    }
    this.#left.splice(this.#left.indexOf(found), 1)
    this.#differences.push(...this.#compare(found.path, request, found.evidence))
    const { step, role } = found.evidence
    this.#differences.push(...compareValues(found.path, { step, role }, { step: label.step, role: label.role }))
    return copied(found.evidence)
  }

  #compare(path: string, sent: BuiltRequest, { request }: Evidence): Difference[] {
    const { body } = request
    const recorded = body?.text === undefined ? Buffer.from(body?.base64 ?? '', 'base64') : Buffer.from(body.text)
    const bytes = sent.body ?? Buffer.alloc(0)
    // Only the beginning of long bodies is recorded.
    const compared = body?.cut ? bytes.subarray(0, recorded.length) : bytes
    const isSame = recorded.equals(compared) && bytes.length === (body?.bytes ?? 0)
    const at = `${path}.request`
    return [
      ...compareValues(`${at}.method`, request.method, sent.method),
      ...compareValues(`${at}.url`, request.url, this.#base + sent.path),
      ...compareValues(`${at}.headers`, shownHeaders(request.headers), shownHeaders(sent.headers)),
      ...(isSame
        ? []
        : [{ path: `${at}.body`, recorded: recorded.toString('utf8'), derived: compared.toString('utf8') }]),
    ]
  }
}

/** Tokens and values of configured headers are not recorded. */
const shownHeaders = (headers: readonly (readonly [name: string, value: string])[]): string[][] => [
  ...headers
    .filter(([name, value]) => name !== 'authorization' && !value.startsWith('[redacted'))
    .map((one) => [...one]),
  ...headers.filter(([name]) => name === 'authorization').map(([name]) => [name]),
]

/** The limit depends on existing completions (docs/decisions/0031). */
function awaited(step: ResolvedStep | undefined, request: BuiltRequest, { request: { url } }: Evidence): BuiltRequest {
  const [, limit] = /\?stream_idle_timeout_ms=50&limit=(\d+)$/.exec(url) ?? []
  if (step?.operation !== 'completions' || step.eventually === undefined || limit === undefined) return request
  return { ...request, path: withQuery(request.path, { stream_idle_timeout_ms: '50', limit }) }
}

const absent = (label: ExchangeLabel): Evidence => ({
  ...label,
  request: { method: '', url: '', headers: [] },
  problem: { code: 'refused', message: 'the record lacks this exchange' },
  startedAt: '',
  milliseconds: 0,
})

/** Parsed bodies stay in memory as long as the body, and a record has thousands. */
const copied = ({ request, response, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  request: { ...request, ...(request.body && { body: { ...request.body } }) },
  ...(response && { response: { ...response, body: { ...response.body } } }),
})
