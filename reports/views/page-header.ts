import type { RunRecord } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { judgedBy, textInWords } from '../wording/run-text.js'

/** The script marks the current view. */
export function pageHeader({ header, rows }: RunRecord, causes: number, rules: number): Markup {
  const text = textInWords(header)
  const views: [view: string, name: string, total?: number][] = [
    ['verdict', 'Verdict'],
    ['failures', 'Failures', causes],
    ['text', 'The text'],
    ['rules', 'Rules', rules],
    ['rows', 'Rows', rows.length],
  ]
  return html`<header class="page-header"><a class="skip" href="#main">Skip to content</a>
<h1>Conformance report</h1>
<p class="muted">${header.target.url} · profile ${judgedBy(header)}${text === undefined ? undefined : ` · ${text}`}</p>
<nav aria-label="Views"><ul>${views.map(
    ([view, name, total]) =>
      html`<li><a href="${`#/${view}`}" data-view="${view}">${name}${total === undefined ? undefined : html`<span class="count">${total}</span>`}</a></li>`,
  )}</ul></nav></header>`
}
