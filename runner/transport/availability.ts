import type { Evidence } from '../../record/types/record.js'

interface Outcome {
  problem?: NonNullable<Evidence['problem']>
  response?: NonNullable<Evidence['response']>
}

/** Returned by gateways in front of an unavailable target. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** A malformed answer counts as available. */
export function isUnavailable({ problem, response }: Outcome): boolean {
  if (problem) return problem.code === 'timeout' || problem.code === 'refused' || problem.code === 'reset'
  return response !== undefined && gatewayStatuses.has(response.status)
}

/** Of one answer. `busy`: the target asks for a wait. `failed`: it may be overloaded, or the request may be the cause. */
export type Load = 'usual' | 'busy' | 'failed'

export function loadOf({ problem, response }: Outcome, isRetryRequested: boolean): Load {
  if (isRetryRequested) return 'busy'
  return problem?.code === 'timeout' || response?.status === 503 ? 'failed' : 'usual'
}

/** Paths below the base URL. */
const readOnly =
  /^\/v2\/(?:contracts\/|events\/|updates(?:\/|$)|state\/|packages(?:\/|$)|version$|package-vetting\/list$|commands\/completions$|parties\/external\/generate-topology$|interactive-submission\/prepare$)|^\/(?:livez|readyz)$/

export function isReadOnly(method: string, path: string): boolean {
  const [plain = ''] = path.split('?')
  return method === 'GET' || readOnly.test(plain)
}

export function mayHaveHadEffect(method: string, path: string, { problem, response }: Outcome): boolean {
  if (isReadOnly(method, path)) return false
  if (problem?.code === 'refused' || problem?.code === 'not-sent' || problem?.partlySent) return false
  return Math.floor((response?.status ?? 0) / 100) !== 4
}

export interface RetryRequest {
  /** Undefined if the answer states none. */
  milliseconds: number | undefined
}

/**
 * After a 429, the target did not process the request. `answered`: error codes that answer one request, so with one of
 * them the status is wrong and no wait is requested.
 */
export function readRetryRequest(
  { response }: Outcome,
  now: number,
  answered: ReadonlySet<string> = new Set(),
): RetryRequest | undefined {
  if (response?.status !== 429) return undefined
  const code = /"code"\s*:\s*"(\w+)"/.exec(response.body.text ?? '')?.[1]
  if (code !== undefined && answered.has(code)) return undefined
  const value = response.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]?.trim() ?? ''
  if (/^\d{1,6}$/.test(value)) return { milliseconds: Number(value) * 1000 }
  const at = Date.parse(value)
  return { milliseconds: Number.isNaN(at) ? undefined : Math.max(0, at - now) }
}
