/** One row in full: what it changes, and for each request what was sent, expected and received. */
import type { Evidence, Judgement, RecordedBody, RunRow } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { changeText } from '../wording/change-text.js'
import { wantedText } from '../wording/fact-text.js'
import { cut } from '../wording/hostile-text.js'
import { jsonLines, linesAt } from '../wording/json-lines.js'
import { decisiveExchange, reasonOf } from '../wording/reason.js'
import { foundText } from '../wording/reason-words.js'
import { relationsOf } from '../wording/relation.js'
import { subjectText, unmetJudgements } from '../wording/rows.js'
import { isSameExchange, roleWords, stepName } from '../wording/terms.js'
import { count } from '../wording/words.js'
import { rowLink } from './links.js'

/** Characters of a body that is formatted, and of one that is not. */
const longestJson = 100_000
const longestBody = 1500
const longestValue = 300
const linesShown = 24
const linesBeforeMark = 4
/** Of an exchange that meets all expectations. */
const linesOfMet = 8
const longestLine = 300
const longestAddress = 200
const requestsShown = 6

export function exampleOf(row: RunRow): Markup {
  const all = exchangesOf(row)
  const decisive = decisiveExchange(row)
  // The failed request of a race may be the last one.
  const shown = all.filter((one, index) => index < requestsShown || one === decisive)
  const more = all.length - shown.length
  return html`<div class="example"><p class="row-title"><strong>${changeText(row.resolved)}</strong> ${rowLink(row)}</p>
${row.verdict === 'fail' ? undefined : html`<p>${reasonOf(row)}</p>`}
${shown.map((exchange) => exchangeOf(exchange, row, all.length > 1))}${more > 0 ? html`<p class="muted">and ${count(more, 'more request')}</p>` : undefined}
</div>`
}

/** The requests of the row in their order: all before and with an unmet expectation, without other probes. */
function exchangesOf(row: RunRow): Evidence[] {
  const unmet = unmetJudgements(row)
  const decisive = decisiveExchange(row)
  return row.evidence.filter(
    (one) =>
      one === decisive ||
      one.role === 'arrange' ||
      one.role === 'act' ||
      unmet.some((judgement) => isSameExchange(judgement, one)),
  )
}

function exchangeOf(exchange: Evidence, row: RunRow, isNamed: boolean): Markup {
  const { request, response, problem, role } = exchange
  const unmet = unmetJudgements(row).filter((judgement) => isSameExchange(judgement, exchange))
  const path = cut(request.url.replace(/^https?:\/\/[^/]*/, ''), longestAddress)
  if (role !== 'act' && unmet.length === 0 && response)
    return html`<p class="earlier"><span class="muted">${stepName(row.resolved, exchange)} (${roleWords[role]})</span> <code>${request.method} ${path}</code> → ${response.status}</p>`
  const pointers = unmet.flatMap(({ subject, pointer }) =>
    subject === 'body' && pointer !== undefined && pointer !== '' ? [pointer] : [],
  )
  const most = unmet.length > 0 ? linesShown : linesOfMet
  const status = unmet.some(({ subject }) => subject === 'status') ? 'status wrong' : 'status'
  return html`<div class="exchange-short">
${isNamed ? html`<p class="muted">${stepName(row.resolved, exchange)} (${roleWords[role]})</p>` : undefined}
<div class="sent"><p class="label">Sent</p><p><code>${request.method} ${path}</code></p>${request.body ? bodyOf(request.body, [], most) : undefined}</div>
<div class="expected"><p class="label">Expected</p>${expectedOf(exchange, row, unmet)}</div>
<div class="actual"><p class="label">Received</p>${
    response
      ? html`<p class="${status}">status ${response.status}</p>${bodyOf(response.body, pointers, most)}`
      : html`<p class="status wrong">no response${problem ? `: ${cut(problem.message, longestValue)}` : ''}</p>`
  }</div>
</div>`
}

function expectedOf(exchange: Evidence, row: RunRow, unmet: readonly Judgement[]): Markup {
  if (unmet.length > 0) return expectations(unmet, row)
  const isJudged = row.judgements.some((judgement) => isSameExchange(judgement, exchange))
  return html`<p class="muted">${isJudged ? 'met' : 'not judged'}</p>`
}

/** Several expectations can have the same difference. */
function expectations(unmet: readonly Judgement[], row: RunRow): Markup {
  const lines = new Map(unmet.map((judgement) => [`${subjectText(judgement)} ${wantedText(judgement)}`, judgement]))
  return html`<ul class="plain">${[...lines.values()].map((judgement) => expectation(judgement, relationsOf(judgement, row.resolved)))}</ul>`
}

function expectation(judgement: Judgement, relations: readonly string[]): Markup {
  const wanted = html`<code>${cut(wantedText(judgement), longestValue)}</code>`
  const found = html`<code>${cut(foundText(judgement), longestValue)}</code>`
  return html`<li><code>${subjectText(judgement)}</code>: ${relations.map((relation) => `${relation}, `)}${wanted}, found ${found}</li>`
}

function bodyOf({ text, base64, bytes }: RecordedBody, pointers: readonly string[], most: number): Markup {
  if (text === undefined)
    return html`<p class="muted">${base64 === undefined ? 'empty body' : `${bytes} bytes that are no text`}</p>`
  if (text === '') return html`<p class="muted">empty body</p>`
  const lines = text.length <= longestJson ? jsonLines(text) : undefined
  if (!lines) return html`<pre>${cut(text, longestBody)}</pre>`
  const marked = new Set(pointers.flatMap((pointer) => markedLines(lines, pointer)))
  const first = marked.size === 0 ? 0 : Math.min(...marked) - linesBeforeMark
  const from = Math.max(0, Math.min(first, lines.length - most))
  const shown = lines.slice(from, from + most).map(({ text: line }) => cut(line, longestLine))
  const after = lines.length - from - shown.length
  const before = from > 0 ? `... ${count(from, 'line')} before\n` : undefined
  return html`<pre>${before}${shown.map((line, index) => (marked.has(from + index) ? html`<mark>${line}</mark>\n` : `${line}\n`))}${after > 0 ? `... ${count(after, 'more line')}` : undefined}</pre>`
}

/** None for a missing value. */
function markedLines(lines: NonNullable<ReturnType<typeof jsonLines>>, pointer: string): number[] {
  const { marked, missing } = linesAt(lines, pointer)
  return missing ? [] : [...marked]
}
