import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import { aboutWhat } from '../../record/judgements/waivers.js'
import type { RunRecord } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import { conclude } from '../summary/conclusion.js'
import { divergencesOf } from '../summary/divergences.js'
import { notJudged } from '../summary/evidence.js'
import { perShardNote, remainingState } from '../summary/remaining-state.js'
import { isUnjudgedRule, ruleMatrix } from '../summary/rule-matrix.js'
import { setupFacts } from '../summary/run-setup.js'
import { reasonOf } from '../wording/reason.js'
import { count } from '../wording/words.js'

const listed = 200

export function testSetup(record: RunRecord): Markup {
  const { facts, digests } = setupFacts({ ...record, conclusion: conclude(record) })
  const capabilities = Object.entries(record.header.capabilities).map(([name, has]) => `${name}: ${has ? 'yes' : 'no'}`)
  return html`<section class="new-page tested">
<h2>Test setup</h2>
<dl class="facts">
${[
  ...facts,
  ...digests,
  ...(capabilities.length > 0 ? [['Capabilities of the target', capabilities.join(', ')]] : []),
].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${[list('Waivers', waiverLines(record)), list('Not tested', notTestedLines(record)), remaining(record), reasons(record)]}
</section>`
}

const list = (title: string, lines: readonly (string | Markup)[]): Markup | undefined =>
  lines.length === 0
    ? undefined
    : html`<h2>${title}</h2>\n<ul class="plain">${lines.map((line) => html`<li>${line}</li>\n`)}</ul>`

function waiverLines(record: RunRecord): string[] {
  const { waivers = [] } = record.header
  if (waivers.length === 0) return []
  return [
    `${count(conclude(record).counts.excused, 'row')} excused`,
    ...waivers.map(
      (waiver) =>
        `${aboutWhat(waiver)}: ${waiver.reason} (${waiver.owner}, until ${waiver.until}${waiver.link === undefined ? '' : `, ${waiver.link}`})`,
    ),
  ]
}

function notTestedLines({ header, rows }: RunRecord): string[] {
  const reasonsOf = notJudged(rows)
  const matrix = ruleMatrix(header, rows.map(rulesOf))
  const without = matrix.filter((rule) => rule.rows === 0).length
  const unjudged = matrix.filter((rule) => rule.rows > 0 && isUnjudgedRule(rule)).length
  const divergent = rows.filter((row) => divergencesOf(row).length > 0).length
  return [
    ...(reasonsOf.length === 0 ? ['Every recorded row was judged.'] : []),
    ...reasonsOf.map(([reason, found]) => `${count(found.length, 'row')}: ${reason}`),
    ...(without > 0 ? [`${count(without, 'rule')} of ${matrix.length}: no row of this run judges them`] : []),
    ...(unjudged > 0 ? [`${count(unjudged, 'rule')} of ${matrix.length}: none of their rows was judged`] : []),
    ...(divergent > 0
      ? [`${count(divergent, 'row')}: judged by a recorded divergence of the profile instead of the interface text`]
      : []),
  ]
}

const remaining = (record: RunRecord): Markup | undefined =>
  list(
    `Remains on the participant${perShardNote(record.header)}`,
    remainingState(record).map(({ what, names }) => (names.length === 0 ? what : `${what}: ${names.join(', ')}`)),
  )

const remarkable: readonly Verdict[] = ['warning', 'excused', 'follows-the-text']

function reasons({ rows }: RunRecord): Markup | undefined {
  const found = rows.filter(({ verdict }) => remarkable.includes(verdict))
  const more = found.length - listed
  return list('Warnings, excused rows, and rows following the text', [
    ...found
      .slice(0, listed)
      .map((row) => html`<code>${row.id}</code> <strong>${row.verdict}</strong>: ${reasonOf(row)}`),
    ...(more > 0 ? [`and ${count(more, 'more row')}`] : []),
  ])
}
