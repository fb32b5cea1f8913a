import type { Evidence, RunRow } from '../../record/types/record.js'
import { cut, visibleLine } from './hostile-text.js'
import { isSameExchange, roleWords, stepName } from './terms.js'
import { count } from './words.js'

/** Characters of the body of an answer. */
const longestBody = 500
const longestOther = 120
/** A race has up to 20. */
const mostShown = 8

/**
 * All requests of a row in the order of sending, each with its answer. The exchange that decides, and the request under
 * test, have a longer part of the body.
 */
export function exchangeLines({ evidence, resolved }: RunRow, decisive: Evidence | undefined): string[] {
  const shown = evidence.filter((one, index) => index < mostShown || one === decisive)
  const lines = shown.map((one) => {
    const isLong = one.role === 'act' || (decisive !== undefined && isSameExchange(one, decisive))
    return `${evidence.indexOf(one) + 1}. ${exchangeText(one, resolved, isLong ? longestBody : longestOther)}`
  })
  const more = evidence.length - shown.length
  return more > 0 ? [...lines, `and ${count(more, 'more request')}`] : lines
}

/** `submit (request under test): POST /v2/commands/submit-and-wait returned 400: {"cause":...}` */
function exchangeText(one: Evidence, resolved: RunRow['resolved'], longest: number): string {
  const { request, response, problem, role } = one
  const step = `${stepName(resolved, one)} (${roleWords[role]})`
  const called = `${request.method} ${pathOf(request.url)}`
  if (!response) return visibleLine(`${step}: ${called} received no response (${problem?.code ?? 'no answer'})`)
  const { text, base64, bytes } = response.body
  const body = text ?? (base64 === undefined ? '' : `${bytes} bytes that are no text`)
  return visibleLine(`${step}: ${called} returned ${response.status}${body === '' ? '' : `: ${cut(body, longest)}`}`)
}

/** A recorded URL may be none. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}
