/** Variants of rejections, paths and size limits. */
import { operations } from '../../interface/operations.js'
import type { InterceptedAnswer } from '../../simulator/participant/participant.js'
import { answerOf, json } from '../interceptors/bodies.js'
import { replaceRejections } from '../interceptors/interceptors.js'
import { isJudged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const noStatuses = 'HTTP status codes of the failures: not shown.'
const noBody = 'Shape of the error response body: not shown.'

const otherStatus: Record<number, number> = { 400: 422, 404: 410, 409: 412 }

const named = ['TOPOLOGY_DEPENDENCIES_NOT_VETTED', 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER']

const pathOf = (path: string): string | undefined =>
  Object.values(operations).find((known) => known.path.toLowerCase() === path.toLowerCase())?.path

const noSizes = 'Request size limits and rate limits: not shown.'

export const variantsOfRejections: readonly Variant[] = [
  variant(
    'other-statuses',
    'Rejections have different 4xx statuses.',
    noStatuses,
    replaceRejections((answer) => ({ ...answer, status: otherStatus[answer.status] ?? answer.status })),
  ),
  variant(
    'one-status',
    'Each rejection has the status 400.',
    noStatuses,
    replaceRejections((answer) => ({ ...answer, status: 400 })),
  ),
  variant(
    'gets-answered',
    'GET and HEAD on the path of an operation return a description of it.',
    'All endpoints: method POST. A request without a body cannot be the operation.',
    ({ handle }) =>
      (request) => {
        const isRead = ['GET', 'HEAD'].includes(request.method) && pathOf(request.path) === request.path
        return isRead ? Promise.resolve(json(200, { about: request.path })) : handle(request)
      },
  ),
  variant(
    'everything-hidden',
    'Missing tokens and rights are answered with 404.',
    noStatuses,
    replaceRejections((answer) => ([401, 403].includes(answer.status) ? { ...answer, status: 404 } : answer)),
  ),
  variant(
    'other-error-bodies',
    'Rejections have a plain text body with code and cause.',
    noBody,
    replaceRejections((answer) => {
      const { code = 'INVALID', cause = answer.text } = answerOf(answer) ?? {}
      return { ...answer, contentType: 'text/plain', text: `${String(code)}: ${String(cause)}` }
    }),
  ),
  variant(
    'problem-details',
    'Rejections have a problem details body (RFC 9457).',
    noBody,
    replaceRejections((answer) => {
      const title = String(answerOf(answer)?.['code'] ?? answer.text)
      const text = JSON.stringify({ type: 'about:blank', title, status: answer.status })
      return { ...answer, contentType: 'application/problem+json', text }
    }),
  ),
  variant(
    'silent-refusals',
    'Rejections have no body, except those with a code of the text.',
    noBody,
    replaceRejections((answer) =>
      named.some((code) => answer.text.includes(code)) ? answer : { ...answer, contentType: null, text: '' },
    ),
  ),
  variant(
    'other-codes',
    'Error codes are numbers, except those of the text.',
    'Error codes for the conditions listed without a code: not shown.',
    replaceRejections((answer) => {
      const { code, ...rest } = answerOf(answer) ?? {}
      if (code === undefined || named.includes(String(code))) return answer
      return { ...answer, text: JSON.stringify({ ...rest, code: 4711 }) }
    }),
  ),
  variant(
    'accept-ignored',
    'Responses are JSON, whatever the Accept header.',
    'Endpoints: JSON response body; no sentence about the Accept header.',
    ({ handle }) =>
      (request) => {
        const { accept: _accept, ...headers } = request.headers
        return handle({ ...request, headers })
      },
  ),
  variant(
    'paths-of-any-case',
    'Paths match in any letter case.',
    'Endpoints: no sentence about letter case.',
    ({ handle }) =>
      (request) =>
        handle({ ...request, path: pathOf(request.path) ?? request.path }),
  ),
  variant(
    'an-older-version-too',
    'The operations are also available under /v1/.',
    'Deprecation and compatibility policy between versions: not shown.',
    ({ handle }) =>
      (request) =>
        handle({ ...request, path: pathOf(request.path.replace(/^\/v1\//, '/v2/')) ?? request.path }),
  ),
  variant(
    'options-answered',
    'OPTIONS returns the allowed methods.',
    'Endpoints: method POST; no sentence about OPTIONS.',
    ({ handle }) =>
      async (request) => {
        const nothing: InterceptedAnswer = { status: 204, contentType: null, text: '' }
        return request.method === 'OPTIONS' && pathOf(request.path) !== undefined ? nothing : handle(request)
      },
  ),
  variant('small-bodies', 'The size limit of a body is one mebibyte.', noSizes, ({ handle }) => async (request) => {
    if (!isJudged(request) || request.body.length <= 1024 * 1024) return handle(request)
    return { status: 413, contentType: 'text/plain', text: 'the body is too large' }
  }),
  variant('bodies-of-any-size', 'The size of a body is unlimited.', noSizes, ({ handle }) => handle, {
    bodyLimit: 256 * 1024 * 1024,
  }),
  variant(
    'large-bodies-cut-off',
    'A body above the size limit is rejected before it is complete, and the connection is closed.',
    noSizes,
    ({ handle }) => handle,
    { cutsOff: true, reference: true },
  ),
  variant(
    'busy-at-times',
    'One of four hundred requests is rejected with a request to retry later.',
    noSizes,
    ({ handle }) => {
      let count = 0
      return (request) => {
        count += isJudged(request) ? 1 : 0
        const later: InterceptedAnswer = { status: 429, contentType: 'text/plain', text: 'too many requests' }
        return isJudged(request) && count % 400 === 2 ? Promise.resolve(later) : handle(request)
      }
    },
  ),
]
