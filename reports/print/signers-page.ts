import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { nonConforming } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import { type Conclusion, conclude } from '../summary/conclusion.js'
import { divergencesOf } from '../summary/divergences.js'
import { byCause, notJudged } from '../summary/evidence.js'
import { isFailure } from '../wording/rows.js'
import { configurationLines, judgedBy, oftenInWords, textInWords } from '../wording/run-text.js'
import type { Signing } from '../wording/signing.js'
import { verdictLine } from '../wording/terms.js'
import { count, instant } from '../wording/words.js'

/** Limits of one page; the following pages contain the rest. */
const namedReasons = 6
const namedRows = 12
/** A whole run leaves fewer rules untested for one reason. */
const namedRules = 30

export function signersPage(record: RunRecord, signing: Signing): Markup {
  const { header, rows } = record
  const conclusion = conclude(record)
  return html`<section class="signers-page">
<h1>Conformance: ${conclusion.inWords}</h1>
${conclusion.problems.map((problem) => html`<p><strong>! ${problem}</strong></p>\n`)}<p>${conclusion.sentence}</p>
<dl class="signed-facts">${factsOf(header, conclusion).map(factItem)}</dl>
${notTested(conclusion, rows)}
${divergences(header, rows)}
${failuresAndWaivers(rows)}
${signature(signing)}
</section>`
}

type Fact = [name: string, value: string]

const factItem = ([name, value]: Fact): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

function factsOf(header: RunHeader, { counts }: Conclusion): Fact[] {
  const { target, suite, tool, selection, plan } = header
  const protocol = target.protocolVersion === undefined ? '' : `, protocol version ${target.protocolVersion}`
  const embedded = target.embedded ? ' (the embedded simulator)' : ''
  const insecure = target.connection?.insecure ? '; TLS certificate not checked (insecure)' : ''
  const unreachable = target.file?.unreachable.join(', ') ?? ''
  const scope = selection?.operations ? `the operations ${selection.operations.join(', ')}` : 'all operations'
  return [
    [
      'Target',
      `${target.url}${embedded}, version ${target.version ?? 'unknown'}${protocol}, authorization ${target.authorization}${insecure}`,
    ],
    ...configurationLines(header).map((line): Fact => ['Configuration', line.replace(/^configuration /, '')]),
    ['Profile', judgedBy(header)],
    ['Interface text', textInWords(header) ?? 'not recorded'],
    [
      'Scope',
      `${scope}; ${plan.length} of ${suite.rows ?? plan.length} rows of the suite, version ${suite.version} (${suite.digest.slice(0, 12)}); permissions: ${(header.allowed ?? []).join(', ') || 'not recorded'}${unreachable === '' ? '' : `; unreachable: ${unreachable}`}`,
    ],
    ['Rows', verdictLine(counts)],
    [
      'Run',
      `${header.run}, ${instant(header.startedAt)}, seed ${header.seed}${oftenInWords(header)}, by ${tool.name} ${tool.version}`,
    ],
  ]
}

function notTested(conclusion: Conclusion, rows: readonly RunRow[]): Markup {
  const rules = byCause(conclusion.rules.filter(({ state }) => state !== 'examined'))
  const reasons = notJudged(rows)
  const more = reasons.slice(namedReasons)
  const others = more.reduce((sum, [, found]) => sum + found.length, 0)
  return html`<h2>Not tested</h2>
${rules.length === 0 ? html`<p>Every mandatory rule was tested.</p>` : undefined}
<ul class="plain">
${rules.map(([why, ids]) => html`<li><strong>${named(ids, namedRules)}</strong>: ${why}</li>\n`)}${reasons
  .slice(0, namedReasons)
  .map(([reason, found]) => html`<li>${count(found.length, 'row')} not judged: ${reason}</li>\n`)}${
  more.length > 0
    ? html`<li>${count(others, 'more row')} not judged, for ${count(more.length, 'other reason')}</li>`
    : undefined
}</ul>`
}

function divergences(header: RunHeader, rows: readonly RunRow[]): Markup {
  const used = header.profile.divergences.flatMap(({ id }) => {
    const judged = rows.filter((row) => divergencesOf(row).includes(id)).length
    return judged > 0 ? [`${id} (${count(judged, 'row')})`] : []
  })
  return html`<h2>Divergences of the profile from the interface text</h2>
<p>${used.length === 0 ? 'No row was judged by a divergence.' : used.join(', ')}</p>`
}

function failuresAndWaivers(rows: readonly RunRow[]): Markup {
  const failed = rows.filter(isFailure)
  const warned = rows.filter(({ verdict }) => verdict === 'warning')
  const excused = rows.filter(({ verdict }) => verdict === 'excused')
  const idsOf = (some: readonly RunRow[]): string =>
    named(
      some.map(({ id }) => id),
      namedRows,
    )
  const sentences = [
    failed.length === 0
      ? 'No row failed.'
      : `${count(failed.length, 'row')} ${nonConforming.join(', ')}: ${idsOf(failed)}.`,
    ...(warned.length > 0 ? [`${count(warned.length, 'warning')}: ${idsOf(warned)}.`] : []),
    excused.length === 0 ? 'No waiver excused a row.' : `Excused by waivers: ${idsOf(excused)}.`,
  ]
  return html`<h2>Failures, warnings and waivers</h2>
<p>${sentences.join(' ')}</p>`
}

function named(ids: readonly string[], most: number): string {
  const more = ids.length - most
  return [...ids.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

const signature = ({ name = '', issued, digest, code }: Signing): Markup => html`<div class="signature">
<dl>${[
  factItem(['Name', name]),
  factItem(['Date', issued === undefined ? '' : instant(issued)]),
  factItem(['Signature', '']),
]}</dl>
<div>
<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="Record digest as a QR code"><path d="${code.path}"/></svg>
<p>Record digest (SHA-256): <code>${digest || 'none: the record has no footer'}</code></p>
</div>
</div>`
