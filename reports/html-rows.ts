import type { RunRow } from '../record/record.js'
import { countVerdicts, verdicts } from '../record/verdict.js'
import { html, type Markup } from './html-escape.js'
import { rowDetails, rowLine, verdictBadge } from './html-row.js'
import { isFailure } from './rows.js'
import { count } from './words.js'

/** Every row by operation, closed, with a filter. A failed row points to where it is shown in full. */
export function rowsSection(operations: Map<string, RunRow[]>, anchors: Map<RunRow, string>): Markup {
  const all = [...operations.values()].flat()
  const lists = [...operations].map(
    ([operation, rows]) => html`<details class="operation card"><summary>${operation}
<span class="muted">${count(rows.length, 'row')}</span> ${badges(rows)}</summary>
${rows.map((row) => rowEntry(row, anchors.get(row) ?? ''))}</details>`,
  )
  return html`<section id="rows"><h2>All rows (${all.length})</h2>${filterForm(all)}${lists}</section>`
}

/** How often each verdict occurs among the rows; verdicts that do not occur are left out. */
export function badges(rows: RunRow[]): Markup[] {
  const counts = countVerdicts(rows.map(({ verdict }) => verdict))
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => html`${verdictBadge(verdict, counts[verdict])} `)
}

function filterForm(rows: RunRow[]): Markup {
  const counts = countVerdicts(rows.map(({ verdict }) => verdict))
  const boxes = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => html`<label><input type="checkbox" value="${verdict}" checked> ${verdictBadge(verdict)}</label>`)
  return html`<form id="filter" class="card" role="search" hidden>
<label>Show rows whose id, title, verdict or rule contains<input type="search" autocomplete="off"></label>
<fieldset><legend>Verdicts</legend>${boxes}</fieldset>
<div><output aria-live="polite"></output> <button type="button">Show all</button></div>
</form>`
}

function rowEntry(row: RunRow, anchor: string): Markup {
  const find = `${row.id} ${row.title} ${row.verdict} ${row.rules.join(' ')}`.toLowerCase()
  const failed = isFailure(row)
  const details = failed
    ? html`<div><p><a href="#${anchor}">Shown in full under Failures</a></p></div>`
    : rowDetails(row)
  return html`<details class="row" id="${failed ? `${anchor}-listed` : anchor}" data-verdict="${row.verdict}"
data-find="${find}"><summary>${rowLine(row)}</summary>${details}</details>`
}
