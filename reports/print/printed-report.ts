/** The report on paper, and without a script. */

import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { verdicts } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import { ruleMutationText } from '../summary/mutation-text.js'
import { isUnjudgedRule, isUnmetRule, type RuleLine, ruleMatrix } from '../summary/rule-matrix.js'
import { inSuiteOrder } from '../wording/rows.js'
import { textInWords } from '../wording/run-text.js'
import type { Signing } from '../wording/signing.js'
import { ruleTag } from '../wording/terms.js'
import { printedFailures } from './failures.js'
import { signersPage } from './signers-page.js'
import { testSetup } from './test-setup.js'

export function printedReport(written: RunRecord, signing: Signing): Markup {
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  // The page has a main element of its own.
  return html`<div class="printed" role="main">
${[signersPage(written, signing), testSetup(record), printedFailures(record), printedRules(record)]}
</div>`
}

/** Unjudged rules with their statements; more of them are only named. */
const unjudgedInFull = 30

/** Unmet and untestable rules in full, the others as counts. */
function printedRules({ header, rows }: RunRecord): Markup {
  const matrix = ruleMatrix(header, rows.map(rulesOf))
  const text = textInWords(header)
  const forClients = matrix.filter(({ strength }) => strength === 'client')
  const others = matrix.filter(({ strength }) => strength !== 'client')
  const unjudged = others.filter(isUnjudgedRule)
  const isNamed = (rule: RuleLine): boolean =>
    unjudged.length > unjudgedInFull && rule.untestable === undefined && isUnjudgedRule(rule)
  const inFull = others.filter((rule) => isUnmetRule(rule) || (isUnjudgedRule(rule) && !isNamed(rule)))
  return html`<section class="new-page">
<h2>Rules</h2>
${text === undefined ? undefined : html`<p>Interface text: ${text}</p>`}
<table class="rule-table"><tbody>
${inFull.map((rule) => ruleRow(rule, header))}</tbody></table>
${
  forClients.length === 0
    ? undefined
    : html`<p>Obligations of clients, not tested on a participant: ${forClients.map(({ id }) => id).join(', ')}</p>`
}
${ruleList('Not judged in this run', others.filter(isNamed))}
${ruleList(
  'Met by every judged row',
  others.filter((rule) => !isUnmetRule(rule) && !isUnjudgedRule(rule)),
)}
</section>`
}

const ruleList = (title: string, rules: readonly RuleLine[]): Markup | undefined =>
  rules.length === 0
    ? undefined
    : html`<h3>${title}</h3>
<ul class="rule-list">${rules.map((rule) => html`<li><code>${rule.id}</code> ${countsOf(rule)}</li>\n`)}</ul>`

function ruleRow(rule: RuleLine, header: RunHeader): Markup {
  const { id, statement, passages = [], rows, untestable } = rule
  const why = rows === 0 ? (untestable ?? 'no row judges it') : countsOf(rule)
  const mutants = ruleMutationText(id, header)
  const places =
    isUnmetRule(rule) && passages.length > 0
      ? html`<p class="muted">Interface text: ${passages.join('; ')}</p>`
      : undefined
  return html`<tr><th scope="row"><code>${id}</code></th><td>${statement} (${ruleTag(rule)})${places}</td><td>${[why, ...(mutants === undefined ? [] : [mutants])].join('; ')}</td></tr>\n`
}

const countsOf = ({ counts }: RuleLine): string =>
  verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [])).join(', ')
