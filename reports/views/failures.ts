/** Failures by root cause. */
import type { RunRow } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import type { FailureCause } from '../summary/failure-causes.js'
import { changeText } from '../wording/change-text.js'
import { cut } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { foundText } from '../wording/reason-words.js'
import { subjectText, unmetJudgements } from '../wording/rows.js'
import { count } from '../wording/words.js'
import { rowLink } from './links.js'
import { exampleOf } from './sent-and-received.js'
import { verdictBadge } from './verdict-badge.js'

/** The first screen names the largest causes. */
const listed = 5
/** The causes after them have only a list of rows. */
const examples = 20
const differencesShown = 5
const rowsListed = 500
const longestFinding = 160

export interface FailureParts {
  /** All failures, or only those that an earlier run lacks. */
  failures: readonly FailureCause[]
  /** Also failed in the earlier run; undefined without one. */
  known?: readonly FailureCause[]
}

export function failuresView({ failures, known }: FailureParts): Markup {
  const rows = [...failures, ...(known ?? [])].reduce((sum, cause) => sum + cause.rows.length, 0)
  const causes = failures.length + (known?.length ?? 0)
  return html`<section class="view-failures new-page" aria-labelledby="failures">
<h2 id="failures">Failures</h2>
${rows === 0 ? html`<p class="card">✓ No row failed.</p>` : html`<p class="muted">${count(rows, 'row')} with ${count(causes, 'cause')}</p>`}
${failures.length > 1 ? html`<ol class="plain index screen-only">${failures.slice(0, listed).map((cause, index) => html`<li>${causeLink(cause, index)}</li>`)}</ol>` : undefined}
${known && failures.length > 0 ? html`<h3>New failures</h3>` : undefined}
${failures.map((cause, index) => causeCard(cause, `cause-${index + 1}`, index < examples))}
${known && known.length > 0 ? html`<h3>Known failures</h3>` : undefined}
${known?.map((cause, index) => causeCard(cause, `known-${index + 1}`, index < examples))}
</section>`
}

export const causeLink = ({ title, rows }: FailureCause, index: number): Markup =>
  html`<a href="${`#/failures/cause-${index + 1}`}">${title}</a> <span class="tag strong">${count(rows.length, 'row')}</span>`

function causeCard(cause: FailureCause, id: string, hasExample: boolean): Markup {
  const { title, tag, differences, passages, rows, isBlocked } = cause
  const [first] = rows
  const others = hasExample ? rows.slice(1) : rows
  return html`<article id="${id}" class="card cause ${isBlocked ? 'blocked' : 'fail'}" tabindex="-1">
<h3>${title} <span class="tag strong">${count(rows.length, 'row')}</span>${isBlocked ? html` ${verdictBadge('blocked')}` : undefined}</h3>
${differences.slice(0, differencesShown).map(({ text, rows: found }) => html`<p>${differences.length > 1 ? html`<strong>${found}×</strong> ` : undefined}${text}</p>`)}${differences.length > differencesShown ? html`<p class="muted">and ${count(differences.length - differencesShown, 'other difference')}</p>` : undefined}
<p class="muted">${[tag, ...passages].filter((part) => part !== '').join(' · ')}</p>
${hasExample && first ? exampleOf(first) : undefined}
${rowList(others, hasExample)}
</article>\n`
}

function rowList(rows: readonly RunRow[], isAfterExample: boolean): Markup | undefined {
  if (rows.length === 0) return undefined
  const more = rows.length - rowsListed
  const name = isAfterExample ? count(rows.length, 'other row') : count(rows.length, 'row')
  return html`<p class="label">${name}</p>
<ul class="row-links" tabindex="0" aria-label="${name}">${rows.slice(0, rowsListed).map(rowItem)}${more > 0 ? html`<li>and ${count(more, 'more row')}</li>` : undefined}</ul>`
}

function rowItem(row: RunRow): Markup {
  const [judgement] = unmetJudgements(row)
  const found = judgement ? `${subjectText(judgement)} ${foundText(judgement)}` : reasonOf(row)
  return html`<li><strong>${changeText(row.resolved)}</strong> ${rowLink(row)} <span class="muted">${cut(found, longestFinding)}</span></li>\n`
}
