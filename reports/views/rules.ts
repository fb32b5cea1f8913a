/** Rules by section, one line each. */
import { groupBy } from '../../lib/group-by.js'
import type { RunHeader } from '../../record/types/record.js'
import { verdicts } from '../../record/types/verdict.js'
import { verdictBar } from '../markup/bar.js'
import { html, type Markup } from '../markup/html-template.js'
import { ruleMutationText } from '../summary/mutation-text.js'
import { strengthWords } from '../wording/terms.js'
import { rowsAddress, ruleAddress } from './links.js'
import { type JudgedRule, ruleStates, stateSigns } from './rule-states.js'

export function rulesView(rules: readonly JudgedRule[], header: RunHeader): Markup {
  const shown = ruleStates.filter((state) => rules.some((rule) => rule.state === state))
  return html`<section class="view-rules new-page" aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<fieldset class="chips screen-only"><legend class="hidden">Rules to show</legend>
${chip('all', 'All', rules.length, true)}${shown.map((state) =>
  chip(state, stateSigns[state][1], rules.filter((rule) => rule.state === state).length, false),
)}</fieldset>
${[...groupBy(rules, ({ section }) => section)].map(
  ([section, some]) =>
    html`<section class="card rule-section"><h3>${section}</h3><ul class="rules">${some.map((rule) => ruleLine(rule, header))}</ul></section>`,
)}
</section>`
}

const chip = (state: string, name: string, total: number, isChecked: boolean): Markup =>
  html`<label><input type="radio" name="rules" value="${state}"${isChecked ? html` checked` : undefined}><span>${name} (${total})</span></label>`

function ruleLine(rule: JudgedRule, header: RunHeader): Markup {
  const { id, state, statement, strength, why, counts } = rule
  const [sign, words] = stateSigns[state]
  const numbers = verdicts.flatMap((verdict) =>
    counts[verdict] > 0
      ? [html`<a class="${verdict}" href="${rowsAddress(`says:${id}=${verdict}`)}">${counts[verdict]} ${verdict}</a> `]
      : [],
  )
  const mutants = ruleMutationText(id, header)
  return html`<li class="rule ${state}"><span class="mark" title="${words}"><span aria-hidden="true">${sign}</span><span class="hidden">${words}</span></span>
<span class="statement"><a href="${ruleAddress(id)}"${mutants === undefined ? undefined : html` title="${mutants}"`}><code>${id}</code></a> ${statement} <span class="muted">${strengthWords[strength]}${why === '' ? '' : `; ${why}`}</span></span>
<span class="numbers">${verdictBar(counts)}${numbers}</span></li>\n`
}
