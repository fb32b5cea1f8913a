/** What the first answer tells, that to the question for the version, which nobody need be somebody to ask. */
import { excerpt } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { type Answer, answerOf } from '../judge/answer.js'
import type { Target } from '../target/target.js'
import { isUnavailable } from '../transport/availability.js'
import { type Finding, good, stop, unreachable } from './finding.js'
import { waitAdvice } from './readiness.js'

/** Whether a participant is there at all; `wait`: the milliseconds that it was waited for. */
export function checkFirstResponse(
  evidence: Evidence,
  { connection }: Pick<Target, 'connection'>,
  wait?: number,
): Finding {
  const { request, problem, milliseconds } = evidence
  const answer = answerOf(evidence)
  const called = `GET ${request.url}`
  if (!answer) {
    const hangsUp = problem?.code === 'reset' && request.url.startsWith('https:') && !connection.client
    const advice = hangsUp
      ? 'some servers hang up on who shows no certificate: --client-certificate and --client-key would'
      : `${adviceFor(problem?.code)}; ${waitAdvice(wait)}`
    return unreachable('way', 'not-reached', `${request.url}: ${problem?.message ?? 'no answer'}`, { advice })
  }
  if (isUnavailable(evidence)) {
    const advice = `is it starting? ${waitAdvice(wait)}`
    return unreachable('way', 'not-ready', `${called} was answered with ${answer.status}${said(answer)}`, { advice })
  }
  const wrong = nonsense(answer, called)
  if (wrong) return wrong
  const ms = Math.round(milliseconds)
  return good('way', 'answers', `the target answers, in ${ms} ms`, { facts: { milliseconds: ms } })
}

const adviceFor = (code: string | undefined): string =>
  code === 'timeout'
    ? 'is that the right place; --request-timeout lets it take longer'
    : 'is it running, and are host and port right'

/** Undefined for what a participant may answer, or what stands before one and wants to know who calls. */
function nonsense(answer: Answer, called: string): Finding | undefined {
  const { status, json, header } = answer
  const isPage = answer.mediaType === 'text/html' || /^\s*<(?:!doctype|html)\b/i.test(answer.text)
  if (status >= 300 && status < 400) {
    const advice = 'give as the target where that leads'
    return stop('way', 'redirect', `${called} leads elsewhere (${status}): ${excerpt(header('location') ?? '', 300)}`, {
      advice,
    })
  }
  if (isPage && status !== 401 && status !== 403) {
    const advice = 'the target is the base URL of the JSON interface, below which /v2/version is'
    return stop(
      'way',
      'web-page',
      `this is no participant: ${called} was answered with ${status} and a web page${titleOf(answer)}`,
      { advice },
    )
  }
  if (status === 404) {
    const advice =
      'is there a path in front of /v2? If the target has no such operation, say so: unreachable: [version]'
    return stop('way', 'no-version', `${called} was answered with 404${said(answer)}`, { advice })
  }
  if (status >= 200 && status < 300 && json === undefined) {
    const advice = 'the target is the base URL of the JSON interface, below which /v2/version is'
    return stop(
      'way',
      'no-json',
      `this is no participant: ${called} was answered with ${status} and no JSON${said(answer)}`,
      { advice },
    )
  }
  if (status >= 500)
    return stop('way', 'server-error', `${called} was answered with ${status}${said(answer)}`, {
      advice: 'its log tells why',
    })
  return undefined
}

const said = ({ text, isEmpty }: Answer): string => (isEmpty ? '' : `: ${excerpt(text, 300)}`)

function titleOf({ text }: Answer): string {
  const title = /<title[^>]{0,200}>([^<]{1,100})/i.exec(text.slice(0, 10_000))?.[1]?.trim()
  return title === undefined || title === '' ? '' : ` called ${excerpt(title, 100)}`
}
