import type { RecordedDivergence, RunRecord, RunRow } from '../record/record.js'
import { html, type Markup } from './html-escape.js'
import { badges } from './html-rows.js'

/** Every rule that the run knew, with the verdicts of the rows that judge it, so that a gap is as plain as a failure. */
export function rulesSection({ header, rows }: RunRecord): Markup {
  const judging = rowsByRule(rows)
  const lines = header.rules.map(({ id, strength, statement, section }) => {
    const found = judging.get(id) ?? []
    const verdicts = found.length > 0 ? badges(found) : html`<span class="muted">no row judges it</span>`
    return html`<tr><th scope="row"><code>${id}</code></th><td>${strength}</td>
<td>${statement} <span class="muted">(section ${section})</span></td><td>${verdicts}</td></tr>
`
  })
  return html`<section id="rules"><h2>Rules (${header.rules.length})</h2>
<div class="card wide" tabindex="0" role="group" aria-label="Rules and the verdicts of their rows"><table>
<thead><tr><th scope="col">Rule</th><th scope="col">Strength</th><th scope="col">Sentence</th>
<th scope="col">Verdicts</th></tr></thead>
<tbody>${lines}</tbody></table></div>
${header.divergences.length > 0 ? divergenceList(header.divergences) : undefined}</section>`
}

function divergenceList(divergences: RecordedDivergence[]): Markup {
  const items = divergences.map(
    ({ id, rule, statement, source }) =>
      html`<li><code>${id}</code> (${rule}): ${statement} <span class="muted">${source}</span></li>`,
  )
  return html`<details class="card"><summary>Where the profile differs from the interface text (${divergences.length})</summary>
<ul>${items}</ul></details>`
}

function rowsByRule(rows: RunRow[]): Map<string, RunRow[]> {
  const found = new Map<string, RunRow[]>()
  for (const row of rows) {
    for (const rule of new Set(row.rules)) {
      const known = found.get(rule)
      if (known) known.push(row)
      else found.set(rule, [row])
    }
  }
  return found
}
