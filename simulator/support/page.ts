import { type ErrorOrigin, invalidArgument } from '../base/errors.js'
import { integerParameter, largestInt32 } from '../http/call.js'

/** As in `GET /v2/version` of the reference 3.5.10. */
export const pageSizes = { users: 1000, parties: 10_000, vettedPackages: 100 } as const

interface Page {
  items: string[]
  /** Empty: last page. */
  nextPageToken: string
}

/** Throws `INVALID_ARGUMENT`, and `PlainRefusal` for a malformed size. */
export function pageOf(names: readonly string[], query: URLSearchParams, most: number, origin: ErrorOrigin): Page {
  const wished = integerParameter(query, 'pageSize', largestInt32) ?? 0
  if (wished < 0) throw invalidArgument(origin, 'Max page size must be non-negative')
  const size = wished === 0 ? most : Math.min(wished, most)
  const after = lastOfPage(query.get('pageToken') ?? '', origin)
  const left = names.toSorted().filter((name) => name > after)
  const items = left.slice(0, size)
  const last = items.length < left.length ? items.at(-1) : undefined
  return { items, nextPageToken: last === undefined ? '' : Buffer.from(last).toString('base64url') }
}

/** Only the list of parties has this limit; others shorten the page (observed on 3.5.10). Throws `INVALID_ARGUMENT`. */
export function refuseLargePage(query: URLSearchParams, most: number, origin: ErrorOrigin): void {
  if ((integerParameter(query, 'pageSize', largestInt32) ?? 0) <= most) return
  throw invalidArgument(origin, `Max page size must not exceed ${most}`)
}

/** The last name of the previous page. */
function lastOfPage(token: string, origin: ErrorOrigin): string {
  const name = Buffer.from(token, 'base64url').toString()
  if (Buffer.from(name).toString('base64url') === token) return name
  throw invalidArgument(origin, 'Invalid page token')
}
