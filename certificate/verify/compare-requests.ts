import type { Evidence, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { withQuery } from '../../runner/execute/completions-watch.js'
import { replayGenerated } from '../../runner/template/keyed-generation.js'
import { asCaller, variablesOf } from '../../runner/template/variables.js'
import { buildRequest } from '../../runner/transport/build-request.js'
import { baseOf } from './check-origin.js'

interface Compared {
  exchanges: number
  differences: string[]
}

/** Compares all bytes. `origin`: source of the steps, for messages. */
export function compareRequests(
  { header }: RunRecord,
  { variables, evidence, id }: Pick<RunRow, 'variables' | 'evidence' | 'id'>,
  steps: ResolvedRow['steps'],
  origin: 'plan' | 'suite',
): Compared {
  const scope = variablesOf(header.variables, variables)
  const own = evidence.filter(isSent)
  const differences = own.flatMap((exchange) => {
    const step = steps[exchange.step]
    if (!step) return [`${id}: the record has an exchange of step ${exchange.step}, which the ${origin} lacks`]
    const attempt = exchange.attempt === undefined ? scope : new Map(scope).set('attempt', exchange.attempt)
    if (exchange.request.url.includes('[redacted')) return []
    const filled = buildRequest(step.request, asCaller(step.actor, attempt), replayGenerated(exchange.generated ?? []))
    const expected = { ...filled, path: awaitedPath(step, filled.path, exchange.request.url) }
    return differencesOf(header.target.url, expected, exchange).map(
      (what) => `${id}, step ${step.name}: the ${what} of the request differs from the ${origin}`,
    )
  })
  return { exchanges: own.length, differences }
}

/** Late-effects checks are no requests of the row; unsent ones have no URL. */
const isSent = ({ role, request: { url } }: Evidence): boolean =>
  role !== 'late-check' && url !== '' && !url.startsWith('/')

/** The limit depends on existing completions (docs/decisions/0031). */
function awaitedPath({ operation, eventually }: ResolvedStep, path: string, sent: string): string {
  const [, limit] = /\?stream_idle_timeout_ms=50&limit=(\d+)$/.exec(sent) ?? []
  const isAwaited = operation === 'completions' && eventually !== undefined && limit !== undefined
  return isAwaited ? withQuery(path, { stream_idle_timeout_ms: '50', limit }) : path
}

function differencesOf(base: string, filled: ReturnType<typeof buildRequest>, { request }: Evidence): string[] {
  const { body } = request
  const sent = body?.text === undefined ? Buffer.from(body?.base64 ?? '', 'base64') : Buffer.from(body.text)
  const bytes = filled.body ?? Buffer.alloc(0)
  // Values of configured headers are not recorded.
  const headers = request.headers.filter(([name, value]) => name !== 'authorization' && !value.startsWith('[redacted'))
  const isSame: [what: string, same: boolean][] = [
    ['method', filled.method === request.method],
    ['URL', baseOf(base) + filled.path === request.url],
    ['headers', JSON.stringify(filled.headers) === JSON.stringify(headers)],
    // Only the beginning of long bodies is recorded.
    ['body', bytes.length === (body?.bytes ?? 0) && bytes.subarray(0, sent.length).equals(sent)],
    ['body length', body?.cut === true || bytes.length === sent.length],
  ]
  return isSame.flatMap(([what, same]) => (same ? [] : [what]))
}
