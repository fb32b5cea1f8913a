/** Compares what a resolved row says is sent with what a record says was sent. */
import type { Evidence, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { withQuery } from '../../runner/execute/completions-watch.js'
import { asCaller } from '../../runner/template/callers.js'
import { replayGenerated } from '../../runner/template/keyed-generation.js'
import { variablesOf } from '../../runner/template/recorded-variables.js'
import { buildRequest } from '../../runner/transport/build-request.js'
import { baseOf } from './check-origin.js'

interface Compared {
  /** Exchanges that were compared. */
  exchanges: number
  /** What differs, in words. */
  differences: string[]
}

/** Fills the requests of the row with the record's variables and compares each, byte by byte, with its evidence. */
export function compareRequests(
  { header }: RunRecord,
  { variables, evidence, id }: Pick<RunRow, 'variables' | 'evidence' | 'id'>,
  row: Pick<ResolvedRow, 'steps'>,
): Compared {
  const scope = variablesOf(header.variables, variables)
  const own = evidence.filter(isSent)
  const differences = own.flatMap((exchange) => {
    const step = row.steps[exchange.step]
    if (!step) return [`${id}: there is no step ${exchange.step}`]
    const attempt = exchange.attempt === undefined ? scope : new Map(scope).set('attempt', exchange.attempt)
    if (exchange.request.url.includes('[redacted')) return []
    const filled = buildRequest(step.request, asCaller(step.actor, attempt), replayGenerated(exchange.generated ?? []))
    const expected = { ...filled, path: awaitedPath(step, filled.path, exchange.request.url) }
    return differencesOf(header.target.url, expected, exchange).map((what) => `${id}, ${step.name}: ${what}`)
  })
  return { exchanges: own.length, differences }
}

/** The late look is no request of the row, and what was not sent has no URL. */
const isSent = ({ role, request: { url } }: Evidence): boolean =>
  role !== 'late-look' && url !== '' && !url.startsWith('/')

/** The limit depends on the completions that exist when the run requests them (docs/decisions/0031). */
function awaitedPath({ operation, eventually }: ResolvedStep, path: string, sent: string): string {
  const [, limit] = /\?stream_idle_timeout_ms=50&limit=(\d+)$/.exec(sent) ?? []
  const isAwaited = operation === 'completions' && eventually !== undefined && limit !== undefined
  return isAwaited ? withQuery(path, { stream_idle_timeout_ms: '50', limit }) : path
}

function differencesOf(base: string, filled: ReturnType<typeof buildRequest>, { request }: Evidence): string[] {
  const { body } = request
  const sent = body?.text === undefined ? Buffer.from(body?.base64 ?? '', 'base64') : Buffer.from(body.text)
  const bytes = filled.body ?? Buffer.alloc(0)
  // Those of the settings have no value in a record.
  const headers = request.headers.filter(([name, value]) => name !== 'authorization' && !value.startsWith('[redacted'))
  const isSame: [what: string, same: boolean][] = [
    ['method', filled.method === request.method],
    ['url', baseOf(base) + filled.path === request.url],
    ['headers', JSON.stringify(filled.headers) === JSON.stringify(headers)],
    // Of long bodies a record has the beginning.
    ['body', bytes.length === (body?.bytes ?? 0) && bytes.subarray(0, sent.length).equals(sent)],
    ['whole body', body?.cut === true || bytes.length === sent.length],
  ]
  return isSame.flatMap(([what, same]) => (same ? [] : [what]))
}
