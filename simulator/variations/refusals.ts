/** How a participant may refuse, and where it may listen. */
import { operations } from '../../interface/operations.js'
import { answerOf } from '../deviations/alterations.js'
import type { Told } from '../participant/door.js'
import { alteringRefusals, isJudged, type Variation, variation } from './variation.js'

const noStatuses = 'HTTP status codes of the failures: not shown.'
const noBody = 'Shape of the error response body: not shown.'

const otherStatus: Record<number, number> = { 400: 422, 404: 410, 409: 412 }

const statuses = variation(
  'other-statuses',
  'What is refused is refused with other statuses of the 400s.',
  noStatuses,
  alteringRefusals((told) => ({ ...told, status: otherStatus[told.status] ?? told.status })),
)

const oneStatus = variation(
  'one-status',
  'Whatever is refused is refused with 400.',
  noStatuses,
  alteringRefusals((told) => ({ ...told, status: 400 })),
)

const hidden = variation(
  'everything-hidden',
  'Who may not, or has no valid token, is told that there is nothing.',
  noStatuses,
  alteringRefusals((told) => ([401, 403].includes(told.status) ? { ...told, status: 404 } : told)),
)

const errorBodies = variation(
  'other-error-bodies',
  'A refusal is told as plain text: the code, and what was wrong.',
  noBody,
  alteringRefusals((told) => {
    const { code = 'INVALID', cause = told.text } = answerOf(told) ?? {}
    return { ...told, contentType: 'text/plain', text: `${String(code)}: ${String(cause)}` }
  }),
)

const problemDetails = variation(
  'problem-details',
  'A refusal is told as RFC 9457 has it.',
  noBody,
  alteringRefusals((told) => {
    const title = String(answerOf(told)?.['code'] ?? told.text)
    const text = JSON.stringify({ type: 'about:blank', title, status: told.status })
    return { ...told, contentType: 'application/problem+json', text }
  }),
)

const named = ['TOPOLOGY_DEPENDENCIES_NOT_VETTED', 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER']

const silent = variation(
  'silent-refusals',
  'A refusal has no body, unless it is one of the two that have a code.',
  noBody,
  alteringRefusals((told) =>
    named.some((code) => told.text.includes(code)) ? told : { ...told, contentType: null, text: '' },
  ),
)

const otherCodes = variation(
  'other-codes',
  'Codes of failures are numbers, unless the text names them.',
  'Error codes for the conditions listed without a code: not shown.',
  alteringRefusals((told) => {
    const { code, ...rest } = answerOf(told) ?? {}
    if (code === undefined || named.includes(String(code))) return told
    return { ...told, text: JSON.stringify({ ...rest, code: 4711 }) }
  }),
)

const ignoresAccept = variation(
  'accept-ignored',
  'Answers are JSON, whatever is accepted.',
  'Endpoints: JSON response body; nothing of the Accept header.',
  ({ ask }) =>
    (asked) => {
      const { accept: _accept, ...headers } = asked.headers
      return ask({ ...asked, headers })
    },
)

const pathOf = (path: string): string | undefined =>
  Object.values(operations).find((known) => known.path.toLowerCase() === path.toLowerCase())?.path

const anyCase = variation(
  'paths-of-any-case',
  'Paths are found however they are spelt.',
  'Endpoints: nothing of how paths are compared.',
  ({ ask }) =>
    (asked) =>
      ask({ ...asked, path: pathOf(asked.path) ?? asked.path }),
)

const firstVersion = variation(
  'an-older-version-too',
  'The operations are under /v1/ as well.',
  'Deprecation and compatibility policy between versions: not shown.',
  ({ ask }) =>
    (asked) =>
      ask({ ...asked, path: pathOf(asked.path.replace(/^\/v1\//, '/v2/')) ?? asked.path }),
)

const options = variation(
  'options-answered',
  'OPTIONS is answered with what there is.',
  'Endpoints: method POST; nothing of what HTTP says of a path in general.',
  ({ ask }) =>
    async (asked) => {
      const nothing: Told = { status: 204, contentType: null, text: '' }
      return asked.method === 'OPTIONS' && pathOf(asked.path) !== undefined ? nothing : ask(asked)
    },
)

const noSizes = 'Request size limits and rate limits: not shown.'

const smallBodies = variation(
  'small-bodies',
  'A body has one mebibyte at most.',
  noSizes,
  ({ ask }) =>
    async (asked) => {
      if (!isJudged(asked) || asked.body.length <= 1024 * 1024) return ask(asked)
      return { status: 413, contentType: 'text/plain', text: 'the body is too large' }
    },
)

const anySize: Variation = {
  ...variation('bodies-of-any-size', 'A body may be as large as it likes.', noSizes, ({ ask }) => ask),
  bodyLimit: 256 * 1024 * 1024,
}

const cutOff: Variation = {
  ...variation(
    'large-bodies-cut-off',
    'A body above the limit is refused while it is being sent, and the connection is closed.',
    noSizes,
    ({ ask }) => ask,
  ),
  cutsOff: true,
  reference: true,
}

const busy = variation('busy-at-times', 'One request of four hundred is told to come later.', noSizes, ({ ask }) => {
  let count = 0
  return (asked) => {
    count += isJudged(asked) ? 1 : 0
    const later: Told = { status: 429, contentType: 'text/plain', text: 'too many requests' }
    return isJudged(asked) && count % 400 === 2 ? Promise.resolve(later) : ask(asked)
  }
})

export const variationsOfRefusals: readonly Variation[] = [
  ...[statuses, oneStatus, hidden, errorBodies, problemDetails, silent, otherCodes],
  ...[ignoresAccept, anyCase, firstVersion, options, smallBodies, anySize, cutOff, busy],
]
