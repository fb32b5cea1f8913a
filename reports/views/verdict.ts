/** The answer: status, reason, numbers, operations, largest causes, and what was not tested. */
import { firstOf } from '../../lib/first-of.js'
import type { RunRecord } from '../../record/types/record.js'
import {
  countVerdicts,
  type Verdict,
  type VerdictCounts,
  verdictMeaning,
  verdicts,
} from '../../record/types/verdict.js'
import { verdictBar } from '../markup/bar.js'
import { html, type Markup } from '../markup/html-template.js'
import type { Conclusion } from '../summary/conclusion.js'
import { byCause, notJudged } from '../summary/evidence.js'
import type { FailureCause } from '../summary/failure-causes.js'
import { scopeInWords, statusWord } from '../summary/headline.js'
import { changeText } from '../wording/change-text.js'
import { rowsByOperation } from '../wording/rows.js'
import { judgedBy } from '../wording/run-text.js'
import { verdictIcon } from '../wording/terms.js'
import { count } from '../wording/words.js'
import { causeLink } from './failures.js'
import { rowLink, rowsAddress } from './links.js'

const largestCauses = 3
const namedReasons = 12
const namedRules = 30

const signs: Record<Conclusion['outcome'], [sign: string, color: Verdict]> = {
  conforming: ['✓', 'pass'],
  'selection passed': ['✓', 'pass'],
  'not conforming': ['✗', 'fail'],
  incomplete: ['!', 'warning'],
}

export function verdictView(
  record: RunRecord,
  conclusion: Conclusion,
  causes: readonly FailureCause[],
  regressions: string | undefined,
): Markup {
  const { header } = record
  const { outcome, inWords, problems, notes, counts } = conclusion
  const [sign, color] = signs[outcome]
  return html`<section class="view-verdict" aria-labelledby="verdict">
<div class="card outcome ${color}">
<h2 id="verdict"><span aria-hidden="true">${sign}</span> ${statusWord(outcome)}${scopeInWords(header)} <span class="muted">profile ${judgedBy(header)}</span></h2>
${problems.length === 0 ? undefined : html`<div role="alert"><ul class="problems">${problems.map((problem) => html`<li>! ${problem}</li>`)}</ul></div>`}
<p>${[`${inWords}.`, ...notes].join(' ')}</p>
${regressions === undefined ? undefined : html`<p><strong>${regressions}</strong></p>`}
${numbers(counts, conclusion.unexamined.length)}
</div>
${largest(causes, regressions === undefined ? 'Largest causes' : 'Largest new causes')}
${operations(record)}
${untested(record, conclusion)}
</section>`
}

const always: readonly Verdict[] = ['fail', 'blocked', 'pass']

function numbers(counts: VerdictCounts, untestedRules: number): Markup {
  const shown = verdicts.filter((verdict) => counts[verdict] > 0 || always.includes(verdict))
  return html`<ul class="tiles">${shown.map(
    (verdict) =>
      html`<li class="${counts[verdict] > 0 ? verdict : 'none'}" data-count="${verdict}" title="${verdictMeaning[verdict]}"><a href="${rowsAddress(`verdict:${verdict}`)}"><span class="number">${counts[verdict]}</span> <span aria-hidden="true">${verdictIcon[verdict]}</span> ${verdict}</a></li>\n`,
  )}<li class="${untestedRules > 0 ? 'warning' : 'none'}"><a href="#/text"><span class="number">${untestedRules}</span> mandatory ${untestedRules === 1 ? 'rule' : 'rules'} not tested</a></li></ul>`
}

function largest(causes: readonly FailureCause[], title: string): Markup | undefined {
  if (causes.length === 0) return undefined
  return html`<section class="card screen-only" aria-labelledby="causes"><h3 id="causes">${title}</h3>
<ol class="causes">${causes.slice(0, largestCauses).map((cause, index) => {
    const [first] = cause.rows
    const difference = cause.differences[0]?.text ?? ''
    return html`<li>${causeLink(cause, index)}
<br>${first ? html`<strong>${changeText(first.resolved)}</strong> ${rowLink(first)}` : undefined} <span class="muted">${difference}</span></li>`
  })}</ol><p><a href="#/failures">All ${count(causes.length, 'cause')}</a></p></section>`
}

function operations({ rows }: RunRecord): Markup {
  const lines = [...rowsByOperation({ rows })].map(([name, found]) => {
    const counts = countVerdicts(found.map(({ verdict }) => verdict))
    const words = verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : []))
    const quoted = name.includes(' ') ? `"${name}"` : name
    return html`<li><a href="${rowsAddress(`operation:${quoted}`)}">${name}</a> <span class="muted">${words.join(', ')}</span>${verdictBar(counts)}</li>\n`
  })
  return html`<section class="card" aria-labelledby="operations"><h3 id="operations">By operation</h3><ul class="bars">${lines}</ul></section>`
}

/** The reasons name the setting that makes a row run. */
function untested({ rows }: RunRecord, conclusion: Conclusion): Markup {
  const rules = byCause(conclusion.rules.filter(({ state }) => state !== 'examined'))
  const reasons = notJudged(rows)
  const more = reasons.slice(namedReasons).reduce((sum, [, found]) => sum + found.length, 0)
  return html`<section class="card" aria-labelledby="not-tested"><h3 id="not-tested">Not tested</h3>
${rules.length === 0 ? html`<p>Every mandatory rule was tested.</p>` : undefined}
<ul class="plain">${rules.map(([why, ids]) => html`<li><strong>${firstOf(ids, namedRules, (left) => `${left} more`).join(', ')}</strong>: ${why}</li>\n`)}${reasons
    .slice(0, namedReasons)
    .map(([reason, found]) => html`<li>${count(found.length, 'row')} not judged: ${reason}</li>\n`)}${
    more > 0 ? html`<li>${count(more, 'more row')} not judged, for other reasons</li>` : undefined
  }</ul></section>`
}
