import type { ExplorationRecord, RecordedFinding, RecordedHistory } from '../../record/types/exploration.js'
import { html, type Markup, pageHead } from '../markup/html-template.js'
import { markedJson } from './marked-json.js'

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

const style = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1100px; padding: 16px; color: #1c1f24; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #c8ccd2 } h3 { font-size: 1rem }
pre { background: #f5f6f8; padding: 8px; overflow: auto; max-height: 420px; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px } mark { background: #ffd54d; color: #000 }
table { border-collapse: collapse; font-size: 13px } td, th { border: 1px solid #d5d8dd; padding: 2px 6px; text-align: left } td.n { text-align: right }
.kind { font-weight: 600 } .breaks-rule { color: #a3160d } .model-may-be-wrong { color: #7a4b00 } .text-is-silent { color: #3a4a8a }
img { max-width: 100%; border: 1px solid #d5d8dd } @media print { pre { max-height: none } details { display: none } }
`

const kinds: Readonly<Record<RecordedFinding['ruling']['kind'], string>> = {
  'breaks-rule': 'the target breaks a rule',
  'model-may-be-wrong': 'the reference simulator may be wrong',
  'text-is-silent': 'the text does not specify the behavior',
}

/** The page has no script and loads nothing. */
export function exploredHtml(explored: ExplorationRecord): string {
  const { findings, histories, target, model, profile, seed, requests, rounds, seconds, discarded } = explored
  const sequences = explored.conversations
  const count = findings.length + histories.length
  const title = count === 0 ? 'No findings' : `${count} ${count === 1 ? 'finding' : 'findings'}`
  return html`<!doctype html>
<html lang="en">
${pageHead(`${title}: ${target} - exploration`, policy, [style])}
<body>
<main>
<h1>${title}</h1>
<p>Target: ${target}. Reference: ${model}, profile ${profile.name}. ${requests} requests in ${sequences} request sequences and
${rounds} concurrency trials, ${seconds} s, seed ${seed}. An exploration judges only the requests that it sent, and certifies nothing.${discarded === undefined ? undefined : html` ${discarded} results were discarded because of outages.`}</p>
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

function findingMarkup(finding: RecordedFinding): Markup {
  const { id, ruling, operation, pointer, requests, answers, times, seed, shrunkFrom, yaml, curl } = finding
  const rules = ruling.rules && ruling.rules.length > 0 ? html` (${ruling.rules.join(', ')})` : undefined
  return html`<section id="${id}">
<h3>${id}: ${operation}${pointer === '' ? undefined : html` at ${pointer}`}</h3>
<p><span class="kind ${ruling.kind}">${kinds[ruling.kind]}</span>${rules}: ${ruling.because}. Observed ${times} times, first in request
sequence ${seed}; shrunk from ${shrunkFrom} requests.</p>
<ol>${requests.map((about) => html`<li>${about}</li>`)}</ol>
<div class="pair">
<div><h4>Reference: ${answers.model.said}</h4><pre>${markedJson(answers.model.body, pointer)}</pre></div>
<div><h4>Target: ${answers.target.said}</h4><pre>${markedJson(answers.target.body, pointer)}</pre></div>
</div>
${yaml === undefined ? undefined : html`<details><summary>Case for the suite</summary><pre>${yaml}</pre></details>`}
<details><summary>Shell script</summary><pre>${curl}</pre></details>
</section>`
}

function historyMarkup({ id, sentence, rules, times, of, svg }: RecordedHistory): Markup {
  // A data URL isolates the SVG from the page.
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return html`<section id="${id}">
<h3>${id}: concurrent clients</h3>
<p><span class="kind breaks-rule">no order of the calls explains the responses</span> (${rules.join(', ')}): ${sentence} Observed in ${times} of ${of} trials.</p>
<img alt="${`History: ${sentence}`}" src="${source}">
</section>`
}

function knownMarkup({ divergences, permitted, unconfirmed }: ExplorationRecord): Markup {
  const lists = [
    ...divergences.map(
      ({ ids, points, operation, model, target }) =>
        html`<li>${ids.length > 0 ? `Recorded divergence ${ids.join(', ')}` : `Known difference ${points.join(', ')}`}: ${operation}: reference ${model}, target ${target}</li>`,
    ),
    ...Object.entries(permitted).map(([name, count]) => html`<li>Permitted: ${name} (${count})</li>`),
    ...Object.entries(unconfirmed).map(([name, count]) => html`<li>Not reproduced: ${name} (${count})</li>`),
  ]
  return lists.length === 0 ? html`<p>None.</p>` : html`<ul>${lists}</ul>`
}

const outcomesMarkup = ({ outcomes }: ExplorationRecord): Markup =>
  html`<table><tr><th>operation</th><th>response of the reference</th><th>times</th></tr>${outcomes.map(
    ({ operation, said, count }) => html`<tr><td>${operation}</td><td>${said}</td><td class="n">${count}</td></tr>`,
  )}</table>`
