import { createHash } from 'node:crypto'
import type { RunRecord, RunRow } from '../record/record.js'
import { conclude } from './conclusion.js'
import { html, type Markup, trusted } from './html-escape.js'
import { failuresSection } from './html-failures.js'
import { rowsSection } from './html-rows.js'
import { rulesSection } from './html-rules.js'
import { script } from './html-script.js'
import { style } from './html-style.js'
import { summarySection } from './html-summary.js'
import { isFailure, rowsByOperation } from './rows.js'

/** Nothing may be loaded, and nothing may run but the two texts whose digests stand here. */
const policy = [
  "default-src 'none'",
  `style-src '${digestOf(style)}'`,
  `script-src '${digestOf(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/**
 * The record as one HTML file that opens from disk, loads nothing and runs nothing of what a target answered. Summary
 * first, then failures by cause, all rows by operation, and the rules.
 */
export function htmlReport(record: RunRecord): string {
  const { header } = record
  const conclusion = conclude(record)
  const operations = rowsByOperation(record)
  const rows = [...operations.values()].flat()
  const failures = rows.filter(isFailure)
  const anchors = anchorsOf(rows)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${conclusion.outcome}: ${header.target.url} - conformance report</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#summary">Skip to the summary</a>
<header><h1>Conformance report</h1><p>${header.target.url}, judged by profile ${header.profile.name}</p></header>
${navigation(failures.length, rows.length, header.rules.length)}
<main>
${summarySection(record, conclusion)}
${failuresSection(failures, header, anchors)}
${rowsSection(operations, anchors)}
${rulesSection(record)}
</main>
<footer>Run ${header.run}, made by ${header.tool.name} ${header.tool.version} from its run record alone.</footer>
<script>${trusted(script)}</script>
</body>
</html>
`
  return page.text
}

function navigation(failures: number, rows: number, rules: number): Markup {
  return html`<nav aria-label="Parts of this report"><ul><li><a href="#summary">Summary</a></li>
<li><a href="#failures">Failures (${failures})</a></li><li><a href="#rows">All rows (${rows})</a></li>
<li><a href="#rules">Rules (${rules})</a></li></ul></nav>`
}

/** Element ids that a link can be made of by hand (`#row-CASE/row`); a row id that occurs again gets a number. */
function anchorsOf(rows: RunRow[]): Map<RunRow, string> {
  const seen = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const plain = `row-${row.id.replace(/[^\w./-]/g, '_')}`
      const times = (seen.get(plain) ?? 0) + 1
      seen.set(plain, times)
      return [row, times === 1 ? plain : `${plain}~${times}`]
    }),
  )
}
