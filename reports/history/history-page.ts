import { createHash } from 'node:crypto'
import type { Verdict } from '../../record/types/verdict.js'
import { pageAssets } from '../formats/page-assets.js'
import { html, type Markup, pageHead } from '../markup/html-template.js'
import { verdictIcon } from '../wording/terms.js'
import { count, instant } from '../wording/words.js'
import type { ChangedRow, FlakyRow, Series } from './history.js'
import { type HistoryRun, verdictsIn } from './history-run.js'
import { latencyPlot, type ReportOf, spreadInWords, verdictPlot } from './plots.js'

/** Limits of one table; the newest runs remain. */
const shownRuns = 60
const shownRows = 300

export function historyPage(series: readonly Series[], reportOf: ReportOf): string {
  const { style } = pageAssets()
  const total = series.reduce((sum, { runs }) => sum + runs.length, 0)
  const policy = `default-src 'none'; style-src ${[style, historyStyle].map(hashOf).join(' ')}; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
${pageHead(`Conformance history: ${count(total, 'run')}`, policy, [style, historyStyle])}
<body>
<main class="history">
<h1>Conformance history</h1>
${series.map((one) => seriesSection(one, reportOf))}
</main>
</body>
</html>
`.text
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function seriesSection({ name, runs, changed, flaky }: Series, reportOf: ReportOf): Markup {
  const [first, last] = [runs[0], runs.at(-1)]
  const operations = [...new Set(runs.flatMap(({ latency }) => [...latency.keys()]))].sort()
  return html`<section>
<h2>${name}</h2>
<p>${count(runs.length, 'run')} from ${instant(first?.startedAt ?? '')} to ${instant(last?.startedAt ?? '')}. Last run: ${last?.inWords}.</p>
<section class="card"><h3>Rows by verdict</h3>${verdictPlot(runs, reportOf)}${legend(runs)}${runTable(runs, reportOf)}</section>
<section class="card"><h3>Rows that changed</h3>${changedTable(changed, runs)}</section>
<section class="card"><h3>Flaky rows</h3>${flakyList(flaky)}</section>
<section class="card"><h3>Response times</h3><p class="muted">Line: median of the requests under test. Band: 5 % to 95 % of the responses.</p>
${operations.map((operation) => html`<h4>${operation}</h4>${latencyPlot(operation, runs)}${versionTable(operation, runs)}`)}</section>
</section>`
}

const legend = (runs: readonly HistoryRun[]): Markup =>
  html`<p class="legend">${verdictsIn(runs).map((verdict) => html`<span class="verdict ${verdict}">${verdictIcon[verdict]} ${verdict}</span> `)}</p>`

const runTable = (runs: readonly HistoryRun[], reportOf: ReportOf): Markup =>
  html`<details><summary>All runs</summary><div class="wide"><table><thead><tr>${['Run', 'Target', 'Suite', ...verdictsIn(runs), 'Conclusion'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${runs
    .toReversed()
    .map(
      (run) =>
        html`<tr><th scope="row">${linked(instant(run.startedAt), reportOf(run))} <code>${run.run}</code></th><td>${run.version}</td><td>${run.suite}</td>${verdictsIn(runs).map((verdict) => html`<td>${run.counts[verdict]}</td>`)}<td>${run.isWhole ? '' : 'incomplete record: '}${run.inWords}</td></tr>`,
    )}</tbody></table></div></details>`

const linked = (text: string, address: string | undefined): Markup =>
  address === undefined ? html`${text}` : html`<a href="${address}">${text}</a>`

function changedTable(changed: readonly ChangedRow[], runs: readonly HistoryRun[]): Markup {
  if (changed.length === 0) return html`<p>No row changed its verdict.</p>`
  const from = Math.max(0, runs.length - shownRuns)
  const more = changed.length - shownRows
  const cell = (verdict: Verdict | undefined, run: HistoryRun | undefined): Markup =>
    verdict === undefined
      ? html`<td class="cell"><span class="hidden">not in this run</span></td>`
      : html`<td class="cell ${verdict}" title="${instant(run?.startedAt ?? '')}: ${verdict}"><span aria-hidden="true">${verdictIcon[verdict]}</span><span class="hidden">${verdict}</span></td>`
  return html`<div class="wide"><table class="changes"><thead><tr><th scope="col">Row</th><th scope="col">Last change</th>${runs.slice(from).map((run) => html`<th scope="col" class="cell"><span class="hidden">${instant(run.startedAt)}</span></th>`)}</tr></thead>
<tbody>${changed
    .slice(0, shownRows)
    .map(
      ({ id, verdicts, last }) =>
        html`<tr><th scope="row"><code>${id}</code></th><td>${instant(runs[last]?.startedAt ?? '')}</td>${verdicts.slice(from).map((verdict, index) => cell(verdict, runs[from + index]))}</tr>`,
    )}</tbody></table></div>${more > 0 ? html`<p>and ${count(more, 'more row')} with older changes</p>` : undefined}`
}

function flakyList(flaky: readonly FlakyRow[]): Markup {
  if (flaky.length === 0)
    return html`<p>No row changed its verdict twice with the same versions of target and suite.</p>`
  const more = flaky.length - shownRows
  const flakiness = ({ flips, runs, within }: FlakyRow): string =>
    [
      ...(flips > 0 ? [`${count(flips, 'change')} in ${count(runs, 'run')} with the same versions`] : []),
      ...(within > 0 ? [`several verdicts within ${count(within, 'run')}`] : []),
    ].join('; ')
  return html`<ul>${flaky.slice(0, shownRows).map((row) => html`<li><code>${row.id}</code>: ${flakiness(row)}</li>`)}</ul>${more > 0 ? html`<p>and ${count(more, 'more row')}</p>` : undefined}`
}

function versionTable(operation: string, runs: readonly HistoryRun[]): Markup {
  const last = new Map(runs.map((run) => [`${run.version}, suite ${run.suite}`, run.latency.get(operation)]))
  return html`<table><thead><tr><th scope="col">Target and suite</th><th scope="col">Last run with these versions</th></tr></thead><tbody>${[
    ...last,
  ].flatMap(([version, spread]) =>
    spread ? [html`<tr><th scope="row">${version}</th><td>${spreadInWords(spread)}</td></tr>`] : [],
  )}</tbody></table>`
}

const historyStyle = `
.history { max-width: 70rem; margin: 0 auto; padding: 1rem; }
.history .card { margin-block: 1rem; padding: 1rem; }
.history .wide { overflow-x: auto; }
.history table { border-collapse: collapse; }
.history code { overflow-wrap: anywhere; }
.history th, .history td { padding: 0.2rem 0.5rem; text-align: left; border-bottom: 1px solid var(--line); }
.history .cell { padding: 0.1rem; min-width: 1.1rem; text-align: center; background: var(--soft, transparent); color: var(--strong, inherit); }
.plot { width: 100%; height: auto; }
.plot text { fill: var(--muted); font-size: 11px; }
.plot rect { fill: var(--strong); }
.plot a:focus rect { stroke: var(--link); stroke-width: 2; }
.plot .version { stroke: var(--line-strong); stroke-dasharray: 3 3; }
.plot polygon { fill: var(--blue-soft); }
.plot polyline { fill: none; stroke: var(--blue); stroke-width: 2; }
.plot circle { fill: var(--blue); }
`
