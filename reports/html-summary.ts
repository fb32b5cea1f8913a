import type { RunRecord } from '../record/record.js'
import { type VerdictCounts, verdictMeaning, verdicts } from '../record/verdict.js'
import type { Conclusion } from './conclusion.js'
import { html, type Markup } from './html-escape.js'
import { verdictIcon } from './verdict-icon.js'
import { count, duration, instant } from './words.js'

const outcomeSign: Record<Conclusion['outcome'], string> = { conforming: '✓', 'not conforming': '✗', incomplete: '!' }

/** What a reviewer needs before anything else: the conclusion, all counts, and what was run against what. */
export function summarySection(record: RunRecord, conclusion: Conclusion): Markup {
  const { outcome, sentence, counts } = conclusion
  return html`<section id="summary" aria-label="Summary">
${conclusion.problems.length > 0 ? banner(conclusion.problems) : undefined}
<div class="card outcome ${outcome.replace(' ', '-')}"><span class="sign" aria-hidden="true">${outcomeSign[outcome]}</span>
<div><strong>${outcome}</strong> ${sentence}</div></div>
<div class="card">
${bar(counts, record.rows.length)}
<ul class="counts">${verdicts.map((verdict) => countItem(verdict, counts))}</ul>
</div>
<div class="card">${facts(record, conclusion)}${capabilities(record.header.capabilities)}</div>
</section>`
}

function banner(problems: string[]): Markup {
  return html`<div class="banner" role="alert"><strong>! This record must not be taken as whole</strong>
<ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
}

function bar(counts: VerdictCounts, rows: number): Markup {
  const share = (number: number) => (rows === 0 ? 0 : (100 * number) / rows)
  let before = 0
  const parts = verdicts.map((verdict) => {
    const part = html`<rect class="${verdict}" x="${share(before)}%" width="${share(counts[verdict])}%" height="100%"/>`
    before += counts[verdict]
    return counts[verdict] > 0 ? part : undefined
  })
  return html`<svg class="bar" aria-hidden="true">${parts}</svg>`
}

function countItem(verdict: keyof VerdictCounts, counts: VerdictCounts): Markup {
  const look = counts[verdict] > 0 ? verdict : 'none'
  return html`<li class="${look}" data-count="${verdict}"><span class="number">${counts[verdict]}</span>
<span aria-hidden="true">${verdictIcon[verdict]}</span> <strong>${verdict}</strong><small>${verdictMeaning[verdict]}</small></li>`
}

function facts({ header, rows, footer }: RunRecord, { executed }: Conclusion): Markup {
  const { target, profile, suite, tool } = header
  const entries: [string, string][] = [
    ['Target', `${target.url}${target.embedded ? ' (the embedded simulator)' : ''}`],
    ['Target version', target.version ?? 'unknown'],
    ['Authorization', target.authorization],
    ['Profile', `${profile.name}: ${profile.title}`],
    ['Rows', `${header.planned} planned, ${rows.length} recorded, ${executed} executed`],
    ['Started', instant(header.startedAt)],
    ['Duration', footer ? duration(footer.milliseconds) : 'unknown: there is no footer'],
    ['Seed', header.seed],
    ['Suite', `version ${suite.version}`],
    ['Tool', `${tool.name} ${tool.version}`],
    ['Concurrency', `${count(header.concurrency, 'row')} at a time`],
    ['Run', header.run],
    ['Suite digest (SHA-256)', suite.digest],
    ['Record digest (SHA-256)', footer?.digest ?? 'none'],
  ]
  const items = entries.map(([name, value]) =>
    name.includes('SHA-256')
      ? html`<div class="long"><dt>${name}</dt><dd><code>${value}</code></dd></div>`
      : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )
  return html`<dl class="facts">${items}</dl>`
}

function capabilities(found: Record<string, boolean>): Markup | undefined {
  const entries = Object.entries(found)
  if (entries.length === 0) return undefined
  const items = entries.map(
    ([name, has]) =>
      html`<li class="verdict ${has ? 'pass' : 'inapplicable'}">${has ? '✓' : '–'} ${name}: ${has ? 'yes' : 'no'}</li>`,
  )
  return html`<p class="muted yes-no-name">Capabilities of the target</p><ul class="yes-no">${items}</ul>`
}
