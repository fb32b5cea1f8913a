import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { causeInWords } from '../summary/cause.js'
import { type Cause, type FailureGroup, failureGroups } from '../summary/failure-groups.js'
import { failureText } from '../wording/failure-text.js'
import { cut } from '../wording/hostile-text.js'
import { decisiveExchange, reasonOf } from '../wording/reason.js'
import { foundText } from '../wording/reason-words.js'
import { unmetJudgements } from '../wording/rows.js'
import { count } from '../wording/words.js'

/** Groups with an example in full: about half a page each. */
const examples = 20
const linesPerExample = 40
/** A longer command fills most of a page. */
const longestCommand = 600
const longestBody = 600
const longestFinding = 120
const rowsPerTable = 500

type Group = FailureGroup<RunRow>

/** Each of the largest causes with its first row in full, and a table for its other rows; then a table for the rest. */
export function printedFailures({ header, rows }: RunRecord): Markup | undefined {
  const groups = failureGroups(rows, header, rulesOf)
  if (groups.length === 0) return undefined
  const rest = groups.slice(examples).flatMap(({ causes }) => causes)
  return html`<section class="new-page"><h2>Failures</h2>
<p>${count(
    groups.reduce((sum, group) => sum + group.rows.length, 0),
    'row',
  )} in ${count(groups.length, 'group')}</p>
${groups.slice(0, examples).map((group) => printedGroup(group, header))}
${rest.length === 0 ? undefined : html`<h3>Other causes</h3>\n${rowTable('Cause', rest.flatMap(rowsWithCause))}`}</section>`
}

const rowsWithCause = (cause: Cause<RunRow>): [row: RunRow, text: string][] =>
  cause.rows.map((row) => [
    row,
    `${causeInWords(cause, longestFinding)}${cause.rule === undefined ? '' : ` (${cause.rule})`}`,
  ])

const printedGroup = (group: Group, header: RunHeader): Markup => html`<section>
<h3>${group.title} (${group.tag}): ${count(group.rows.length, 'row')}</h3>
${group.statement === '' ? undefined : html`<p class="rule-text">${group.statement}</p>`}
${group.passages.length === 0 ? undefined : html`<p class="muted">Interface text: ${group.passages.join('; ')}</p>`}
${group.causes.map((cause, index) => printedCause(group, cause, header, index === 0))}</section>
`

/** The first cause of a group has an example. */
function printedCause({ title }: Group, cause: Cause<RunRow>, header: RunHeader, hasExample: boolean): Markup {
  const text = causeInWords(cause, longestFinding)
  const [first] = cause.rows
  const example = hasExample && first ? html`<pre class="example">${exampleText(first, header)}</pre>\n` : undefined
  const others = (example ? cause.rows.slice(1) : cause.rows).map((row): [RunRow, string] => [row, foundIn(row)])
  return html`${text === title ? undefined : html`<p>${count(cause.rows.length, 'row')}: ${text}</p>\n`}${
    cause.rules.length === 0
      ? undefined
      : html`<p>Failed rules: ${cause.rules.map(([rule, rows]) => `${rule} (${count(rows, 'row')})`).join(', ')}</p>\n`
  }${example}${rowTable('Found', others)}`
}

function exampleText(row: RunRow, header: RunHeader): string {
  const lines = [...failureText(row, header, { color: false, longestCommand }).split('\n'), ...responseLines(row)]
  const more = lines.length - linesPerExample
  return more <= 1
    ? lines.join('\n')
    : [...lines.slice(0, linesPerExample), `... ${count(more, 'more line')}: see the run record`].join('\n')
}

function responseLines(row: RunRow): string[] {
  const response = decisiveExchange(row)?.response
  if (!response) return []
  const { text, base64, bytes } = response.body
  const body = text ?? (base64 === undefined ? '' : `${bytes} bytes that are no text`)
  return ['', `  response: ${response.status}`, ...(body === '' ? [] : [`  ${cut(body, longestBody)}`])]
}

function rowTable(title: string, rows: readonly [row: RunRow, text: string][]): Markup | undefined {
  if (rows.length === 0) return undefined
  const more = rows.length - rowsPerTable
  return html`<table class="failed-rows"><thead><tr><th scope="col">Row</th><th scope="col">Verdict</th><th scope="col">${title}</th></tr></thead><tbody>
${rows
  .slice(0, rowsPerTable)
  .map(
    ([row, text]) => html`<tr><td><code>${row.id}</code></td><td>${row.verdict}</td><td>${text}</td></tr>\n`,
  )}</tbody></table>${more > 0 ? html`<p>and ${count(more, 'more row')}</p>` : undefined}\n`
}

function foundIn(row: RunRow): string {
  const [judgement] = unmetJudgements(row)
  return cut(judgement ? foundText(judgement) : reasonOf(row), longestFinding)
}
