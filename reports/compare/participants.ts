/** Several participants side by side: rules × participants, differences first. */
import { nonConforming, type Verdict, verdicts } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import type { RuleFacts, RunFacts, SomeCounts } from '../summary/compared-run.js'
import { rowsAddress } from '../views/links.js'
import { verdictIcon } from '../wording/terms.js'
import { count, instant } from '../wording/words.js'
import { suiteVersionOf, versionOf } from './night-series.js'

/** Address of the report of a run, relative to the page; undefined without a report. */
export type ReportOf = (run: RunFacts) => string | undefined

interface Participant {
  /** `A`, as in the heads of the columns. */
  letter: string
  run: RunFacts
  report: string | undefined
  rules: ReadonlyMap<string, RuleFacts>
}

export function participantsSection(runs: readonly RunFacts[], reportOf: ReportOf): Markup {
  const some = runs.map(
    (run, index): Participant => ({
      letter: letterOf(index),
      run,
      report: reportOf(run),
      rules: new Map(run.rules.map((rule) => [rule.id, rule])),
    }),
  )
  return html`<section class="card" aria-labelledby="participants"><h2 id="participants">${count(runs.length, 'participant')} side by side</h2>
${legend(some)}
<h3>Rows passed, by operation</h3>
${matrix('Operation', some, operationLines(some))}
${ruleTables(some)}
<h3>Rules met, by section of the interface text</h3>
${matrix('Section', some, sectionLines(some))}</section>`
}

/** A to Z, then AA, AB. */
const letterOf = (index: number): string =>
  `${index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`

const legend = (some: readonly Participant[]): Markup =>
  table(
    'Participants',
    ['', 'Participant', 'Version', 'Profile', 'Suite', 'Run', 'Conclusion'],
    some.map(({ letter, run, report }) => {
      const { header, conclusion } = run
      const where = header.target.embedded ? 'the embedded simulator' : header.target.url
      return html`<tr><th scope="row">${letter}</th><td>${where}</td><td>${versionOf(header)}</td><td>${header.profile.name}</td><td>${suiteVersionOf(header)}</td><td>${linked(instant(header.startedAt), report)}</td><td>${conclusion}</td></tr>`
    }),
  )

interface Line {
  name: string
  note?: string | undefined
  cells: Markup[]
}

function matrix(first: string, some: readonly Participant[], lines: readonly Line[]): Markup {
  const rows = lines.map(
    ({ name, note, cells }) =>
      html`<tr><th scope="row">${name}${note === undefined ? undefined : html`<span class="muted"> ${note}</span>`}</th>${cells}</tr>\n`,
  )
  return table(`${first} by participant`, [first, ...some.map(({ letter }) => letter)], rows)
}

export const table = (name: string, heads: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="wide" tabindex="0" role="group" aria-label="${name}"><table><thead><tr>${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead><tbody>${rows}</tbody></table></div>`

export const linked = (text: string | Markup, address: string | undefined): Markup =>
  address === undefined ? html`${text}` : html`<a href="${address}">${text}</a>`

const rowsOf = ({ report }: Participant, search: string): string | undefined =>
  report === undefined ? undefined : report + rowsAddress(search)

function operationLines(some: readonly Participant[]): Line[] {
  const names = [...new Set(some.flatMap(({ run }) => Object.keys(run.operations)))].sort()
  return names.map((name) => ({
    name,
    cells: some.map((one) => {
      const counts = one.run.operations[name] ?? {}
      return shareCell(passedOf(counts), judgedOf(counts), rowsOf(one, `operation:${name} -verdict:pass`))
    }),
  }))
}

function sectionLines(some: readonly Participant[]): Line[] {
  const sections = [...new Set(some.flatMap(({ run }) => run.rules.map(({ section }) => section)))]
  return sections.map((name) => ({
    name,
    cells: some.map((one) => {
      const judged = one.run.rules.filter(({ section, counts }) => section === name && judgedOf(counts) > 0)
      const met = judged.filter(({ counts }) => stateOf(counts) === 'pass')
      return shareCell(met.length, judged.length, one.report)
    }),
  }))
}

/** A waiver excuses a failure, but the participant still fails. */
const failing: readonly Verdict[] = [...nonConforming.filter((verdict) => verdict !== 'unexpected-pass'), 'excused']

const sumOf = (counts: SomeCounts, some: readonly Verdict[]): number =>
  some.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0)

/** Rows that apply. */
const judgedOf = (counts: SomeCounts): number =>
  sumOf(
    counts,
    verdicts.filter((verdict) => verdict !== 'not-applicable'),
  )

const passedOf = (counts: SomeCounts): number => judgedOf(counts) - sumOf(counts, failing)

/** Rounds down, so that only a whole share is 100 %. */
function shareCell(part: number, whole: number, report: string | undefined): Markup {
  if (whole === 0) return html`<td class="cell none">–</td>`
  const share = Math.floor((100 * part) / whole)
  return html`<td class="cell ${part === whole ? 'pass' : 'fail'}" title="${part} of ${whole}">${linked(`${share} %`, report)}</td>`
}

function stateOf(counts: SomeCounts): 'fail' | 'blocked' | 'pass' | 'not-applicable' {
  if (sumOf(counts, ['fail', 'error', 'excused']) > 0) return 'fail'
  if (counts.blocked !== undefined) return 'blocked'
  return judgedOf(counts) > 0 ? 'pass' : 'not-applicable'
}

/** Rules on which the participants differ, then the rules that none of them meets. */
function ruleTables(some: readonly Participant[]): Markup {
  const ids = [...new Set(some.flatMap(({ run }) => run.rules.map(({ id }) => id)))]
  const states = ids.map((id) => ({ id, found: some.map(({ rules }) => stateOf(rules.get(id)?.counts ?? {})) }))
  const failed = states.filter(({ found }) => found.includes('fail') || found.includes('blocked'))
  const differing = failed.filter(({ found }) => found.includes('pass'))
  const shared = failed.filter(({ found }) => !found.includes('pass'))
  const weight = ({ found }: (typeof states)[number]): number => found.filter((state) => state === 'fail').length
  const lines = (rules: typeof states): Line[] =>
    rules.toSorted((a, b) => weight(b) - weight(a)).map(({ id }) => ruleLine(id, some))
  return html`<h3>${count(differing.length, 'rule')} with different results</h3>
${differing.length === 0 ? undefined : matrix('Rule', some, lines(differing))}
<h3>${count(shared.length, 'rule')} not met or blocked on each participant that has a result</h3>
${shared.length === 0 ? undefined : matrix('Rule', some, lines(shared))}
<p class="muted">${count(ids.length - failed.length, 'other rule')}: met by each participant to which it applies, or tested on none.</p>`
}

function ruleLine(id: string, some: readonly Participant[]): Line {
  const note = some.map(({ rules }) => rules.get(id)?.statement).find((statement) => statement !== undefined)
  return { name: id, note, cells: some.map((one) => ruleCell(id, one)) }
}

function ruleCell(id: string, one: Participant): Markup {
  const counts = one.rules.get(id)?.counts ?? {}
  const state = stateOf(counts)
  if (state === 'not-applicable')
    return html`<td class="cell none"><span aria-hidden="true">–</span><span class="hidden">not tested</span></td>`
  const failed = sumOf(counts, failing)
  const sign = html`<span aria-hidden="true">${verdictIcon[state]}</span><span class="hidden">${state}</span>${failed > 0 ? ` ${failed}` : undefined}`
  return html`<td class="cell ${state}" title="${failed} of ${judgedOf(counts)} rows">${linked(sign, rowsOf(one, `rule:${id}`))}</td>`
}
