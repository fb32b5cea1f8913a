/** The conditions of a run: setup, waivers, divergences, and what remains on the participant. */
import { firstOf } from '../../lib/first-of.js'
import { aboutWhat } from '../../record/judgements/waivers.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import type { Conclusion } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { mutationSentence } from '../summary/mutation-text.js'
import { perShardNote, remainingState } from '../summary/remaining-state.js'
import { setupFacts } from '../summary/run-setup.js'
import { reasonOf } from '../wording/reason.js'
import { count } from '../wording/words.js'
import { rowLink, rowsAddress } from './links.js'

const rowsListed = 200

/** Folded on the screen, whole on paper. */
export function conditionsView(record: RunRecord, conclusion: Conclusion): Markup {
  const capabilities = Object.entries(record.header.capabilities).map(([name, has]) => `${name}: ${has ? 'yes' : 'no'}`)
  const shown = [
    ...setupFacts({ ...record, conclusion }),
    ...(capabilities.length > 0 ? [['Capabilities of the target', capabilities.join(', ')] as const] : []),
  ]
  return html`<section class="view-verdict conditions" aria-labelledby="conditions">
${waivers(record, conclusion)}
${list(`Remains on the participant${perShardNote(record.header)}`, remainingLines(record))}
<details class="card fold" open><summary><h3 id="conditions">Conditions of the run</h3></summary>
<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p class="muted">${mutationSentence(record.header)}</p></details>
${divergences(record)}
${fold('Warnings, excused rows, and rows following the text', remarkableLines(record.rows))}
</section>`
}

function list(title: string, lines: readonly (string | Markup)[]): Markup | undefined {
  if (lines.length === 0) return undefined
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-')
  return html`<section class="card" aria-labelledby="${id}"><h3 id="${id}">${title}</h3>${listOf(lines)}</section>`
}

/** Closed by the script, and open on paper. */
const fold = (title: string, lines: readonly (string | Markup)[]): Markup | undefined =>
  lines.length === 0
    ? undefined
    : html`<details class="card fold" open><summary><h3>${title}</h3> <span class="tag strong">${lines.length}</span></summary>${listOf(lines)}</details>`

const listOf = (lines: readonly (string | Markup)[]): Markup =>
  html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>\n`)}</ul>`

function waivers({ header }: RunRecord, { counts }: Conclusion): Markup | undefined {
  if (!header.waivers || header.waivers.length === 0) return undefined
  return list('Waivers', [
    html`<a href="${rowsAddress('verdict:excused')}">${count(counts.excused, 'row')} excused</a>`,
    ...header.waivers.map(
      (waiver) =>
        `${aboutWhat(waiver)}: ${waiver.reason} (${waiver.owner}, until ${waiver.until}${waiver.link === undefined ? '' : `, ${waiver.link}`})`,
    ),
  ])
}

const remainingLines = (record: RunRecord): string[] =>
  remainingState(record).map(({ what, names }) => (names.length === 0 ? what : `${what}: ${names.join(', ')}`))

function divergences({ header, rows }: RunRecord): Markup | undefined {
  const { profile } = header
  const seen = new Map(seenDivergences(rows, header).map((one) => [one.id, divergenceInWords(one)]))
  return fold(
    'Divergences of the profile from the interface text',
    profile.divergences.map(
      ({ id, rule, statement, source }) =>
        html`<a href="${rowsAddress(`divergence:${id}`)}">${id}</a> (${rule}): ${statement} <span class="muted">${source}; ${seen.get(id) ?? 'in no row of this run'}</span>`,
    ),
  )
}

const remarkable: readonly Verdict[] = ['warning', 'excused', 'follows-the-text']

function remarkableLines(rows: readonly RunRow[]): Markup[] {
  const found = rows.filter(({ verdict }) => remarkable.includes(verdict))
  const lines = found.map((row) => html`${rowLink(row)} <strong>${row.verdict}</strong>: ${reasonOf(row)}`)
  return firstOf(lines, rowsListed, (left) => html`and ${count(left, 'more row')}`)
}
