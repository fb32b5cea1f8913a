import { excerpt } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { type Answer, answerOf } from '../judge/answer.js'
import { isMissing } from '../provision/absent-operations.js'
import type { Target } from '../target/target.js'
import { stringAt } from '../template/pointer.js'
import { isUnavailable } from '../transport/availability.js'
import { type Finding, good, stop, unreachable, warning } from './finding.js'

/** `wait`: milliseconds. */
export const waitAdvice = (wait: number | undefined): string =>
  wait === undefined ? 'Add --wait 60s to wait for it.' : `The run waited ${wait / 1000} s.`

/** `wait`: milliseconds. */
export function checkFirstResponse(evidence: Evidence, { connection }: Target, wait?: number): Finding {
  const { request, problem, milliseconds } = evidence
  const answer = answerOf(evidence)
  const called = `GET ${request.url}`
  if (!answer) {
    const advice =
      (problem?.code === 'reset' && adviceForReset(request.url, connection)) ||
      `${adviceFor(problem?.code)} ${waitAdvice(wait)}`
    return unreachable('way', 'not-reached', `${request.url}: ${problem?.message ?? 'no answer'}`, { advice })
  }
  if (isUnavailable(evidence)) {
    const advice = `Is the participant starting, or does a proxy not reach it? ${waitAdvice(wait)}`
    return unreachable('way', 'not-ready', `${called} returned ${answer.status}${bodyText(answer)}`, { advice })
  }
  const wrong = wrongAnswer(answer, called)
  if (wrong) return wrong
  const ms = Math.round(milliseconds)
  return good('way', 'answers', `the target answers in ${ms} ms`, { facts: { milliseconds: ms } })
}

/** 404 without the error format of a participant, 405 or 501. */
export function lacksOperation(evidence: Evidence): boolean {
  const answer = answerOf(evidence)
  return answer !== undefined && isMissing({ status: answer.status, code: stringAt(answer.json, '/code') })
}

/** Whether a participant with the operation may have returned the answer to an incomplete request. */
export function isServed(evidence: Evidence): boolean {
  const answer = answerOf(evidence)
  if (!answer || isUnavailable(evidence) || lacksOperation(evidence)) return false
  const { status, json } = answer
  return status >= 400 || (status < 300 && json !== undefined)
}

/** `POST /v2/contracts/contract-by-id returned 404 without the member code`: why no participant has the operation. */
export function returnedText(evidence: Evidence): string {
  const { request, problem } = evidence
  const answer = answerOf(evidence)
  const called = `${request.method} ${new URL(request.url).pathname}`
  if (!answer) return `${called}: ${problem?.message ?? 'no answer'}`
  const lacksCode = answer.status === 404 && stringAt(answer.json, '/code') === undefined
  return `${called} returned ${answer.status}${lacksCode ? ' without the member code' : ''}`
}

const adviceFor = (code: string | undefined): string =>
  code === 'timeout'
    ? 'Check the URL, or increase --request-timeout.'
    : 'Is the participant running, and are host and port correct?'

function adviceForReset(url: string, { client }: Target['connection']): string | undefined {
  if (url.startsWith('http:'))
    return 'If the server requires TLS, begin the target with https. Otherwise read the log of the participant.'
  return client ? undefined : 'If the server requires a client certificate, add --client-certificate and --client-key.'
}

const baseUrlAdvice = 'Use the base URL of the JSON API with its path, and without /v2/version.'

function wrongAnswer(answer: Answer, called: string): Finding | undefined {
  const { status, json, header, mediaType, text } = answer
  if (status >= 300 && status < 400) {
    const location = excerpt(header('location') ?? '', 300)
    const advice = 'Use that location as the target.'
    return stop('way', 'redirect', `${called} returned ${status}, a redirect to ${location}`, { advice })
  }
  const isPage = mediaType === 'text/html' || /^\s*<(?:!doctype|html)\b/i.test(text)
  if (isPage && status !== 401 && status !== 403) {
    const what = `the target is not a participant: ${called} returned ${status} and a web page${titleOf(answer)}`
    return stop('way', 'web-page', what, { advice: baseUrlAdvice })
  }
  const returned = `${called} returned ${status}`
  if (status === 404) {
    const advice = `${baseUrlAdvice} A participant without this operation has an operation that the selected rows test: each 404 of its own has the member code.`
    return stop('way', 'no-version', returned + bodyText(answer), { advice })
  }
  if (status >= 200 && status < 300 && json === undefined) {
    const coding = header('content-encoding')
    if (coding !== undefined && coding !== 'identity') {
      const advice = 'Let the participant, or the proxy before it, answer without compression.'
      return stop('way', 'no-json', `${returned} in the coding ${excerpt(coding, 100)}, which conform does not read`, {
        advice,
      })
    }
    const what = `the target is not a participant: ${returned} without JSON${bodyText(answer)}`
    return stop('way', 'no-json', what, { advice: baseUrlAdvice })
  }
  return status >= 500
    ? stop('way', 'server-error', returned + bodyText(answer), { advice: 'Read the log of the participant.' })
    : undefined
}

const bodyText = ({ text, isEmpty }: Answer): string => (isEmpty ? '' : `: ${excerpt(text, 300)}`)

function titleOf({ text }: Answer): string {
  const title = /<title[^>]{0,200}>([^<]{1,100})/i.exec(text.slice(0, 10_000))?.[1]?.trim()
  return title === undefined || title === '' ? '' : ` with the title ${excerpt(title, 100)}`
}

/** Milliseconds: a Date header has whole seconds. */
const tolerance = 5000

/** Milliseconds by which the target is ahead. */
export function skewOf({ response, startedAt, milliseconds }: Evidence): number | undefined {
  const header = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const remote = header === undefined ? Number.NaN : Date.parse(header)
  // The header is half a second behind on average.
  return Number.isNaN(remote) ? undefined : remote + 500 - (Date.parse(startedAt) + milliseconds / 2)
}

export function checkClock(skew: number | undefined): Finding {
  if (skew === undefined)
    return good('clock', 'clock-untold', 'the target sends no Date header, so its clock is unknown')
  const seconds = Math.round(skew / 1000)
  const facts = { seconds }
  if (Math.abs(skew) <= tolerance)
    return good('clock', 'clock', 'the clocks of the target and of this machine agree', { facts })
  const what = `the clock of the target is ${formatDuration(Math.abs(seconds))} ${seconds > 0 ? 'ahead of' : 'behind'} the local clock`
  const advice = 'Correct the wrong clock: the target checks token expiry and submission times by its own clock.'
  return warning('clock', 'clock-differs', what, { advice, facts })
}

export function formatDuration(seconds: number): string {
  const [amount, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const shown = amount < 1e6 ? Math.round(amount) : amount.toExponential(0)
  return `${shown} ${unit}${shown === 1 ? '' : 's'}`
}
