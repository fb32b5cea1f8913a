import type { ExplorationRecord, Finding, HistoryFinding, Ruling } from '../../record/types/exploration.js'
import { html, type Markup, pageHead } from '../markup/html-template.js'
import { jsonLines, linesAt } from '../wording/json-lines.js'

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const style = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1100px; padding: 16px; color: #1c1f24; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #c8ccd2 } h3 { font-size: 1rem }
pre { background: #f5f6f8; padding: 8px; overflow: auto; max-height: 420px; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px } mark { background: #ffd54d; color: #000 }
table { border-collapse: collapse; font-size: 13px } td, th { border: 1px solid #d5d8dd; padding: 2px 6px; text-align: left } td.n { text-align: right }
.kind { font-weight: 600 } .breaks-rule { color: #a3160d } .reference-may-be-wrong { color: #7a4b00 } .undecided { color: #3a4a8a }
tr.impossible td { color: #a3160d; font-weight: 600 } @media print { pre { max-height: none } details { display: none } }
`

const kinds: Readonly<Record<Ruling['kind'], string>> = {
  'breaks-rule': 'the target breaks a rule',
  'reference-may-be-wrong': 'the reference simulator may be wrong',
  undecided: 'the target differs from the reference, and may break a rule',
}

/** The page has no script and loads nothing. */
export function exploredHtml(explored: ExplorationRecord): string {
  const { findings, histories, target, reference, profile, seed, exchanges, sequences, trials, seconds } = explored
  const { discarded } = explored
  const count = findings.length + histories.length
  const title = count === 0 ? 'No findings' : `${count} ${count === 1 ? 'finding' : 'findings'}`
  return html`<!doctype html>
<html lang="en">
${pageHead(`${title}: ${target} - exploration`, policy, [style])}
<body>
<main>
<h1>${title}</h1>
<p>Target: ${target}. Reference: ${reference}, profile ${profile}. ${exchanges} requests in ${sequences} request sequences and
${trials} concurrency trials, ${seconds} s, seed ${seed}. An exploration judges only the requests that it sent, and certifies nothing.${discarded === 0 ? undefined : html` ${discarded} results were discarded because of outages.`}</p>
${count > 0 ? html`<h2>Findings</h2>${findings.map(findingMarkup)}${histories.map(historyMarkup)}` : undefined}
<h2>Permitted and known differences</h2>
${knownMarkup(explored)}
<h2>Operations and responses</h2>
${outcomesMarkup(explored)}
</main>
</body>
</html>
`.text
}

function findingMarkup(finding: Finding): Markup {
  const { id, ruling, operation, pointer, steps, commands, answers, times, seed, shrunkFrom } = finding
  const rules = ruling.rules.length > 0 ? html` (${ruling.rules.join(', ')})` : undefined
  return html`<section id="${id}">
<h3>${id}: ${operation}${pointer === '' ? undefined : html` at ${pointer}`}</h3>
<p><span class="kind ${ruling.kind}">${kinds[ruling.kind]}</span>${rules}: ${ruling.because}. Observed ${times} times, first in request
sequence ${seed}; shrunk from ${shrunkFrom} requests.</p>
<ol>${steps.map(({ about, actor }, index) => html`<li>${about}, as ${actor}<pre>${commands[index]}</pre></li>`)}</ol>
<div class="pair">
<div><h4>Reference: ${answers.reference.said}</h4><pre>${markedJson(answers.reference.body, pointer)}</pre></div>
<div><h4>Target: ${answers.target.said}</h4><pre>${markedJson(answers.target.body, pointer)}</pre></div>
</div>
</section>`
}

/** Invalid JSON stays as it is. */
function markedJson(text: string, pointer: string): Markup {
  const lines = jsonLines(text)
  if (!lines) return html`${text}`
  const { marked, missing } = linesAt(lines, pointer)
  const isMarked = (index: number): boolean => pointer !== '' && !missing && marked.has(index)
  const shown = lines.map((line, index) => (isMarked(index) ? html`<mark>${line.text}</mark>\n` : html`${line.text}\n`))
  return html`${missing ? html`<mark>${pointer} is absent</mark>\n` : undefined}${shown}`
}

function historyMarkup({ id, sentence, rules, calls, longest, times, of }: HistoryFinding): Markup {
  const begin = Math.min(...calls.map(({ sent }) => sent))
  const since = (time: number | undefined): string => (time === undefined ? '' : (time - begin).toFixed(1))
  const rows = calls.map(({ client, about, said, sent, answered }, index) => {
    const place = longest.indexOf(index)
    return html`<tr${place < 0 ? html` class="impossible"` : undefined}><td>${place < 0 ? 'impossible' : place + 1}</td><td>client ${client + 1}</td><td>${about}</td><td>${said}</td>
<td class="n">${since(sent)}</td><td class="n">${since(answered)}</td></tr>\n`
  })
  return html`<section id="${id}">
<h3>${id}: concurrent clients</h3>
<p><span class="kind breaks-rule">no order of the calls explains the responses</span> (${rules.join(', ')}): ${sentence} Observed in ${times} of ${of} trials.
The numbered calls fit together in this order; the others do not.</p>
<table><tr><th>order</th><th>client</th><th>request</th><th>response</th><th>sent (ms)</th><th>answered (ms)</th></tr>
${rows}</table>
</section>`
}

function knownMarkup({ divergences, permitted, unconfirmed }: ExplorationRecord): Markup {
  const lists = [
    ...divergences.map(
      ({ points, operation, reference, target }) =>
        html`<li>Known difference ${points.join(', ')}: ${operation}: reference ${reference}, target ${target}</li>`,
    ),
    ...[...permitted].map(([name, count]) => html`<li>Permitted: ${name} (${count})</li>`),
    ...[...unconfirmed].map(([name, count]) => html`<li>Not reproduced: ${name} (${count})</li>`),
  ]
  return lists.length === 0 ? html`<p>None.</p>` : html`<ul>${lists}</ul>`
}

function outcomesMarkup({ outcomes }: ExplorationRecord): Markup {
  const rows = [...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return html`<table><tr><th>operation and response of the reference</th><th>times</th></tr>${rows.map(
    ([name, count]) => html`<tr><td>${name}</td><td class="n">${count}</td></tr>`,
  )}</table>`
}
