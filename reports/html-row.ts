import type { Evidence, Judgement, RecordedBody, RecordedHeaders, RunRow } from '../record/record.js'
import { type Verdict, verdictMeaning } from '../record/verdict.js'
import { curlCommand } from './curl.js'
import { reasonOf } from './failure-text.js'
import { cut } from './hostile-text.js'
import { html, type Markup } from './html-escape.js'
import { prettyJson } from './pretty-json.js'
import { lookedAt, unmetJudgements } from './rows.js'
import { rerunCommand } from './shell.js'
import { verdictIcon } from './verdict-icon.js'
import { duration } from './words.js'

const longestValue = 2000
const longestBody = 8000
const longestCommand = 12_000

/** The verdict as sign and word; `number` stands between them where it is given. */
export function verdictBadge(verdict: Verdict, number?: number): Markup {
  const before = number === undefined ? '' : `${number} `
  const sign = html`<span aria-hidden="true">${verdictIcon[verdict]}</span>`
  return html`<span class="verdict ${verdict}" title="${verdictMeaning[verdict]}">${sign} ${before}${verdict}</span>`
}

/** The line that stands for a row: verdict, id, place in the suite, title. */
export function rowLine(row: RunRow): Markup {
  const place = `${row.source.file}:${row.source.line}`
  return html`${verdictBadge(row.verdict)} <code>${row.id}</code> <span class="muted">${place}</span>
<span class="title">${row.title}</span>`
}

/** Everything the record has on one row: reason, judgements, exchanges, and how to run it again. */
export function rowDetails(row: RunRow): Markup {
  const judgements = [...unmetJudgements(row), ...row.judgements.filter(({ met }) => met)]
  return html`<div>
<p class="reason">${cut(reasonOf(row), longestValue)}</p>
<p class="muted">Rules: ${row.rules.join(', ')} · impact: ${row.impact} · ${duration(row.milliseconds)}</p>
${judgements.length > 0 ? judgementTable(judgements) : undefined}
${row.evidence.map(exchange)}
<h4>Run it again</h4>
${commandBlock('Command that runs this row again', rerunCommand(row.id))}
</div>`
}

function judgementTable(judgements: Judgement[]): Markup {
  return html`<h4>Judgements</h4>
<div class="wide" tabindex="0" role="group" aria-label="Judgements">
<table>
<thead><tr><th scope="col">Met</th><th scope="col">Looked at</th><th scope="col">Expected</th>
<th scope="col">Actual</th><th scope="col">Rule</th></tr></thead>
<tbody>${judgements.map(judgementRow)}</tbody>
</table></div>`
}

function judgementRow(judgement: Judgement): Markup {
  const { step, expected, actual, met, rules, strength, condition, divergence } = judgement
  const origin = [condition && `condition ${condition}`, divergence && `divergence ${divergence}`].filter(Boolean)
  return html`<tr class="${met ? 'met' : 'unmet'}"><td>${met ? '✓ yes' : '✗ no'}</td>
<td><code>${lookedAt(judgement)}</code><br><span class="muted">${step}</span></td>
<td class="value"><code>${cut(expected, longestValue)}</code></td>
<td class="value"><code>${cut(actual, longestValue)}</code></td>
<td>${rules.join(', ')} <span class="tag">${strength}</span> <span class="muted">${origin.join(', ')}</span></td></tr>
`
}

function exchange(evidence: Evidence): Markup {
  const { step, purpose, request, response, problem, milliseconds } = evidence
  const probe = purpose === 'probe' ? html` <span class="tag">probe</span>` : undefined
  const answer = response ? `answer ${response.status}` : 'no answer'
  return html`<h4>${step}${probe} <span class="muted">${answer}, ${duration(milliseconds)}</span></h4>
${problem ? html`<p class="note">! ${problem.code}: ${problem.message}</p>` : undefined}
<div class="exchange">
<div>
<p class="muted">Request</p>
${message('Request', `${request.method} ${request.url}`, request.headers)}
${request.body ? bodyBlock('Request body', request.body) : undefined}
</div>
<div>
<p class="muted">Answer</p>
${response ? message('Answer', `status ${response.status}`, response.headers) : html`<p>There is none.</p>`}
${response ? bodyBlock('Answer body', response.body) : undefined}
</div>
</div>
${commandBlock('curl command of this request', curlCommand(evidence))}`
}

function message(name: string, firstLine: string, headers: RecordedHeaders): Markup {
  const lines = [firstLine, ...headers.map(([header, value]) => `${header}: ${value}`)].join('\n')
  return html`<pre tabindex="0" role="group" aria-label="${name} line and headers">${cut(lines, longestBody)}</pre>`
}

function bodyBlock(name: string, body: RecordedBody): Markup {
  if (body.bytes === 0) return html`<p class="muted">Empty body.</p>`
  const binary = body.text === undefined
  const text = binary ? (body.base64 ?? '') : prettyJson(body.text ?? '')
  const notes = [
    binary ? 'Not UTF-8; shown as base64.' : undefined,
    body.cut ? `The run kept only the beginning of ${body.bytes} bytes.` : undefined,
    text.length > longestBody ? `Cut here: the record has ${text.length} characters.` : undefined,
  ].filter((note) => note !== undefined)
  return html`${notes.map((note) => html`<p class="note">${note}</p>`)}
<pre tabindex="0" role="group" aria-label="${name}">${cut(text, longestBody)}</pre>`
}

/** A command that was cut would do something else, so one that is too long is named instead. */
function commandBlock(name: string, command: string): Markup {
  const text = command.length > longestCommand ? `# too long to show: ${command.length} characters` : command
  return html`<div class="command"><pre tabindex="0" role="group" aria-label="${name}">${text}</pre></div>`
}
