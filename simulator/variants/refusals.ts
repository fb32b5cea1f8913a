/** How a participant may refuse, and where it may listen. */
import { operations } from '../../interface/operations.js'
import { answerOf } from '../mutants/alterations.js'
import type { Told } from '../participant/door.js'
import { alteringRefusals, isJudged, type Variant, variant } from './variant.js'

const noStatuses = 'HTTP status codes of the failures: not shown.'
const noBody = 'Shape of the error response body: not shown.'

const otherStatus: Record<number, number> = { 400: 422, 404: 410, 409: 412 }

const statuses = variant(
  'other-statuses',
  'Rejections have different 4xx statuses.',
  noStatuses,
  alteringRefusals((told) => ({ ...told, status: otherStatus[told.status] ?? told.status })),
)

const oneStatus = variant(
  'one-status',
  'Each rejection has the status 400.',
  noStatuses,
  alteringRefusals((told) => ({ ...told, status: 400 })),
)

const hidden = variant(
  'everything-hidden',
  'Missing tokens and rights are answered with 404.',
  noStatuses,
  alteringRefusals((told) => ([401, 403].includes(told.status) ? { ...told, status: 404 } : told)),
)

const errorBodies = variant(
  'other-error-bodies',
  'Rejections have a plain text body with code and cause.',
  noBody,
  alteringRefusals((told) => {
    const { code = 'INVALID', cause = told.text } = answerOf(told) ?? {}
    return { ...told, contentType: 'text/plain', text: `${String(code)}: ${String(cause)}` }
  }),
)

const problemDetails = variant(
  'problem-details',
  'Rejections have a problem details body (RFC 9457).',
  noBody,
  alteringRefusals((told) => {
    const title = String(answerOf(told)?.['code'] ?? told.text)
    const text = JSON.stringify({ type: 'about:blank', title, status: told.status })
    return { ...told, contentType: 'application/problem+json', text }
  }),
)

const named = ['TOPOLOGY_DEPENDENCIES_NOT_VETTED', 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER']

const silent = variant(
  'silent-refusals',
  'Rejections have no body, except those with a code of the text.',
  noBody,
  alteringRefusals((told) =>
    named.some((code) => told.text.includes(code)) ? told : { ...told, contentType: null, text: '' },
  ),
)

const otherCodes = variant(
  'other-codes',
  'Error codes are numbers, except those of the text.',
  'Error codes for the conditions listed without a code: not shown.',
  alteringRefusals((told) => {
    const { code, ...rest } = answerOf(told) ?? {}
    if (code === undefined || named.includes(String(code))) return told
    return { ...told, text: JSON.stringify({ ...rest, code: 4711 }) }
  }),
)

const ignoresAccept = variant(
  'accept-ignored',
  'Responses are JSON, whatever the Accept header.',
  'Endpoints: JSON response body; no sentence about the Accept header.',
  ({ ask }) =>
    (asked) => {
      const { accept: _accept, ...headers } = asked.headers
      return ask({ ...asked, headers })
    },
)

const pathOf = (path: string): string | undefined =>
  Object.values(operations).find((known) => known.path.toLowerCase() === path.toLowerCase())?.path

const anyCase = variant(
  'paths-of-any-case',
  'Paths match in any letter case.',
  'Endpoints: no sentence about letter case.',
  ({ ask }) =>
    (asked) =>
      ask({ ...asked, path: pathOf(asked.path) ?? asked.path }),
)

const firstVersion = variant(
  'an-older-version-too',
  'The operations are also available under /v1/.',
  'Deprecation and compatibility policy between versions: not shown.',
  ({ ask }) =>
    (asked) =>
      ask({ ...asked, path: pathOf(asked.path.replace(/^\/v1\//, '/v2/')) ?? asked.path }),
)

const options = variant(
  'options-answered',
  'OPTIONS returns the allowed methods.',
  'Endpoints: method POST; no sentence about OPTIONS.',
  ({ ask }) =>
    async (asked) => {
      const nothing: Told = { status: 204, contentType: null, text: '' }
      return asked.method === 'OPTIONS' && pathOf(asked.path) !== undefined ? nothing : ask(asked)
    },
)

const noSizes = 'Request size limits and rate limits: not shown.'

const smallBodies = variant(
  'small-bodies',
  'The size limit of a body is one mebibyte.',
  noSizes,
  ({ ask }) =>
    async (asked) => {
      if (!isJudged(asked) || asked.body.length <= 1024 * 1024) return ask(asked)
      return { status: 413, contentType: 'text/plain', text: 'the body is too large' }
    },
)

const anySize: Variant = {
  ...variant('bodies-of-any-size', 'The size of a body is unlimited.', noSizes, ({ ask }) => ask),
  bodyLimit: 256 * 1024 * 1024,
}

const cutOff: Variant = {
  ...variant(
    'large-bodies-cut-off',
    'A body above the size limit is rejected before it is complete, and the connection is closed.',
    noSizes,
    ({ ask }) => ask,
  ),
  cutsOff: true,
  reference: true,
}

const busy = variant(
  'busy-at-times',
  'One of four hundred requests is rejected with a request to retry later.',
  noSizes,
  ({ ask }) => {
    let count = 0
    return (asked) => {
      count += isJudged(asked) ? 1 : 0
      const later: Told = { status: 429, contentType: 'text/plain', text: 'too many requests' }
      return isJudged(asked) && count % 400 === 2 ? Promise.resolve(later) : ask(asked)
    }
  },
)

export const variantsOfRefusals: readonly Variant[] = [
  ...[statuses, oneStatus, hidden, errorBodies, problemDetails, silent, otherCodes],
  ...[ignoresAccept, anyCase, firstVersion, options, smallBodies, anySize, cutOff, busy],
]
