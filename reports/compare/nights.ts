/** Nights of one participant: the last change by cause, rows that changed, flaky rows, and all runs. */
import type { Verdict } from '../../record/types/verdict.js'
import { verdictBar } from '../markup/bar.js'
import { html, type Markup } from '../markup/html-template.js'
import {
  type ChangeGroup,
  changeGroups,
  changeLists,
  compareRuns,
  regressionsInWords,
} from '../summary/compare-runs.js'
import type { RunFacts, Spread } from '../summary/compared-run.js'
import { rowAddress } from '../views/links.js'
import { cut } from '../wording/hostile-text.js'
import { verdictIcon } from '../wording/terms.js'
import { count, instant } from '../wording/words.js'
import { type ChangedRow, type FlakyRow, type Series, suiteVersionOf, versionOf } from './night-series.js'
import { linked, type ReportOf, table } from './participants.js'

/** Limits of one table; the newest runs remain. */
const shownRuns = 60
const shownRows = 300
const rowsPerCause = 10
const longestCause = 400

export function nightsSection({ name, runs, changed, flaky }: Series, reportOf: ReportOf): Markup {
  const [before, after] = runs.slice(-2)
  const shown = runs.slice(-shownRuns)
  return html`<section class="card"><h2>${name}: ${count(runs.length, 'run')}</h2>
${before && after ? lastChange(before, after, reportOf(after)) : undefined}
<h3>Rows that changed</h3>
${changedTable(changed, runs)}
<h3>Flaky rows</h3>
${flakyList(flaky)}
<h3>Runs</h3>
${runTable(shown, reportOf)}
${runs.length > shownRuns ? html`<p class="muted">and ${count(runs.length - shownRuns, 'older run')}</p>` : undefined}
<h3>Response times of the requests under test</h3>
${responseTimes(runs)}
</section>`
}

/** The last two runs, by cause. */
function lastChange(before: RunFacts, after: RunFacts, report: string | undefined): Markup {
  const found = compareRuns(before, after)
  const lists = changeLists.filter(([list]) => list !== 'changedTiming' && found[list].length > 0)
  return html`<h3>Last change: ${regressionsInWords(found)}</h3>
<p>${instant(after.header.startedAt)}, compared with ${instant(before.header.startedAt)}: ${count(found.unchanged, 'row')} unchanged.</p>
${after.defects.map((defect) => html`<p class="note">! ${defect}</p>`)}
${found.settings.length === 0 ? undefined : html`<ul class="plain">${found.settings.map((one) => html`<li>${one.name} differs: <code>${one.before}</code> → <code>${one.after}</code></li>`)}</ul>`}
${lists.map(([list, title]) => html`<h4>${title}: ${found[list].length}</h4>\n<ul class="plain">${changeGroups(found, list).map((group) => changeItem(group, report))}</ul>`)}`
}

function changeItem({ verdicts, cause, changes }: ChangeGroup, report: string | undefined): Markup {
  const more = changes.length - rowsPerCause
  const rows = changes.slice(0, rowsPerCause).map(({ id }) => html`<li>${rowLink(id, report)}</li>`)
  return html`<li><strong>${changes.length}×</strong> ${verdicts}${cause === '' ? '' : `: ${cut(cause, longestCause)}`}
<ul>${rows}${more > 0 ? html`<li>and ${count(more, 'more row')}</li>` : undefined}</ul></li>`
}

function rowLink(id: string, report: string | undefined): Markup {
  return linked(html`<code>${id}</code>`, report === undefined ? undefined : report + rowAddress(id))
}

function changedTable(changed: readonly ChangedRow[], runs: readonly RunFacts[]): Markup {
  if (changed.length === 0) return html`<p>No row changed its verdict.</p>`
  const from = Math.max(0, runs.length - shownRuns)
  const more = changed.length - shownRows
  const heads = ['Row', 'Last change', ...runs.slice(from).map(({ header }) => header.startedAt.slice(5, 10))]
  const rows = changed
    .slice(0, shownRows)
    .map(
      ({ id, verdicts, last }) =>
        html`<tr><th scope="row"><code>${id}</code></th><td>${instant(runs[last]?.header.startedAt ?? '')}</td>${verdicts.slice(from).map(verdictCell)}</tr>\n`,
    )
  return html`${table('Rows that changed, by run', heads, rows)}${more > 0 ? html`<p class="muted">and ${count(more, 'more row')} with older changes</p>` : undefined}`
}

const verdictCell = (verdict: Verdict | undefined): Markup =>
  verdict === undefined
    ? html`<td class="cell"><span class="hidden">not in this run</span></td>`
    : html`<td class="cell ${verdict}"><span aria-hidden="true">${verdictIcon[verdict]}</span><span class="hidden">${verdict}</span></td>`

function flakyList(flaky: readonly FlakyRow[]): Markup {
  if (flaky.length === 0)
    return html`<p>No row changed its verdict twice with the same versions of target and suite.</p>`
  const more = flaky.length - shownRows
  return html`<ul>${flaky.slice(0, shownRows).map((row) => html`<li><code>${row.id}</code>: ${flakiness(row)}</li>`)}</ul>${more > 0 ? html`<p>and ${count(more, 'more row')}</p>` : undefined}`
}

const flakiness = ({ flips, runs, within }: FlakyRow): string =>
  [
    ...(flips > 0 ? [`${count(flips, 'change')} in ${count(runs, 'run')} with the same versions`] : []),
    ...(within > 0 ? [`several verdicts within ${count(within, 'run')}`] : []),
  ].join('; ')

const runTable = (runs: readonly RunFacts[], reportOf: ReportOf): Markup =>
  table(
    'Runs, the newest first',
    ['Run', 'Version', 'Suite', 'Rows', 'Conclusion'],
    runs.toReversed().map((run) => {
      const { header, counts, conclusion, defects } = run
      return html`<tr><th scope="row">${linked(instant(header.startedAt), reportOf(run))}</th><td>${versionOf(header)}</td><td>${suiteVersionOf(header)}</td><td>${verdictBar(counts)}</td><td>${defects.length === 0 ? '' : 'incomplete record: '}${conclusion}</td></tr>\n`
    }),
  )

/** Of the last run with each version. */
function responseTimes(runs: readonly RunFacts[]): Markup {
  const last = new Map(
    runs.map(({ header, latency }) => [`${versionOf(header)}, suite ${suiteVersionOf(header)}`, latency]),
  )
  const rows = [...last].flatMap(([version, latency]) =>
    Object.entries(latency).map(
      ([operation, spread]) =>
        html`<tr><th scope="row">${version}</th><td>${operation}</td><td>${spreadInWords(spread)}</td></tr>\n`,
    ),
  )
  return table('Response times', ['Version and suite', 'Operation', 'Last run with these versions'], rows)
}

const inMilliseconds = (time: number): string => `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`

const spreadInWords = ({ p5, median, p95, answers }: Spread): string =>
  `median ${inMilliseconds(median)}, 5 % to 95 %: ${inMilliseconds(p5)} to ${inMilliseconds(p95)}, ${count(answers, 'response')}`
