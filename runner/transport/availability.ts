/** Whether an exchange tells that nobody is there to answer, and whether it may have changed something all the same. */
import type { Evidence } from '../../record/types/record.js'

/** What stands between a client and a target answers so when the target is gone. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** No complete answer, or one that a gateway gives. Nonsense on the line is an answer: somebody is there. */
export function isUnavailable({ problem, response }: Pick<Evidence, 'problem' | 'response'>): boolean {
  if (problem) return problem.code === 'timeout' || problem.code === 'refused' || problem.code === 'reset'
  return response !== undefined && gatewayStatuses.has(response.status)
}

/** Operations that only look, by their paths below the base URL. */
const looking =
  /^\/v2\/(?:contracts\/|events\/|updates(?:\/|$)|state\/|packages(?:\/|$)|version$|package-vetting\/list$|commands\/completions$|parties\/external\/generate-topology$|interactive-submission\/prepare$)|^\/(?:livez|readyz)$/

/** Whether a request can have no effect, whatever becomes of it. */
export function isReadOnly(method: string, path: string): boolean {
  const [plain = ''] = path.split('?')
  return method === 'GET' || looking.test(plain)
}

/**
 * Whether a request may have had an effect. It has none where it only looks, where no connection came about, where the target
 * never received all of it, and where it was refused (4xx); everything else may.
 */
export function mayHaveHadEffect(
  method: string,
  path: string,
  { problem, response }: Pick<Evidence, 'problem' | 'response'>,
): boolean {
  if (isReadOnly(method, path)) return false
  if (problem?.code === 'refused' || problem?.code === 'not-sent' || problem?.partlySent) return false
  return Math.floor((response?.status ?? 0) / 100) !== 4
}

/** The target has no time: how many milliseconds it asks to wait, or undefined where it says nothing that can be read. */
export interface RetryRequest {
  milliseconds: number | undefined
}

/** By 429 a server tells nothing of the request, but that it was not looked at. Undefined: it said something else. */
export function readRetryRequest({ response }: Pick<Evidence, 'response'>, now: number): RetryRequest | undefined {
  if (response?.status !== 429) return undefined
  const value = response.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]?.trim() ?? ''
  if (/^\d{1,6}$/.test(value)) return { milliseconds: Number(value) * 1000 }
  const at = Date.parse(value)
  return { milliseconds: Number.isNaN(at) ? undefined : Math.max(0, at - now) }
}
