import type { RunHeader, RunRow } from '../record/record.js'
import { verdictMeaning } from '../record/verdict.js'
import { reasonOf } from './failure-text.js'
import { cut } from './hostile-text.js'
import { html, type Markup } from './html-escape.js'
import { rowDetails, rowLine } from './html-row.js'
import { ruleOf, unmetRules } from './rows.js'
import { count } from './words.js'

/** Rows beyond this number are closed: a reader has seen the pattern, and the page stays quick. */
const openRows = 50

interface Group {
  title: string
  tag: string
  sentence: string
  rows: RunRow[]
}

/**
 * The rows that keep the run from conforming, grouped by cause: the first rule that was not met or, where no rule was
 * judged, the verdict with its reason. `anchors` has the element id of each row.
 */
export function failuresSection(rows: RunRow[], header: RunHeader, anchors: Map<RunRow, string>): Markup {
  const groups = groupByCause(rows, header)
  let shown = 0
  const parts = groups.map((group) => {
    const items = group.rows.map((row) => {
      shown += 1
      return failure(row, anchors.get(row) ?? '', shown <= openRows)
    })
    return html`<section class="card group"><h3>${group.title} <span class="tag">${group.tag}</span>
<span class="tag">${count(group.rows.length, 'row')}</span></h3>
<p class="rule">${group.sentence}</p>${items}</section>`
  })
  const none = rows.length === 0 ? html`<p>✓ No row keeps this run from conforming.</p>` : undefined
  return html`<section id="failures"><h2>Failures (${rows.length})</h2>${none}${parts}</section>`
}

function failure(row: RunRow, anchor: string, open: boolean): Markup {
  const content = html`<summary>${rowLine(row)}</summary>${rowDetails(row)}`
  return open
    ? html`<details class="row" id="${anchor}" open>${content}</details>`
    : html`<details class="row" id="${anchor}">${content}</details>`
}

function groupByCause(rows: RunRow[], header: RunHeader): Group[] {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const group = groupOf(row, header)
    const key = `${group.title}\n${group.sentence}`
    const known = groups.get(key)
    if (known) known.rows.push(row)
    else groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length)
}

function groupOf(row: RunRow, header: RunHeader): Group {
  const [id] = unmetRules(row)
  if (row.verdict !== 'fail' || id === undefined) {
    return { title: row.verdict, tag: verdictMeaning[row.verdict], sentence: cut(reasonOf(row), 1000), rows: [row] }
  }
  const rule = ruleOf(header, id)
  const tag = rule ? `${rule.strength}, section ${rule.section}` : 'not in the record'
  return { title: id, tag, sentence: rule?.statement ?? 'The record does not say this rule.', rows: [row] }
}
