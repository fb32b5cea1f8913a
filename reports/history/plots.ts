/** SVG; a table contains the same numbers. */
import type { Verdict } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import type { Spread } from '../summary/compared-run.js'
import { count, instant } from '../wording/words.js'
import { type HistoryRun, verdictsIn } from './history-run.js'

const width = 900
const left = 60
const inner = width - left - 10

/** Address of the report of a run, relative to the page; undefined without a report. */
export type ReportOf = (run: HistoryRun) => string | undefined

const xOf = (index: number, total: number): number => left + (total === 1 ? inner / 2 : (index * inner) / (total - 1))

/** Verdicts without a difference from the expectations. */
const quiet: readonly Verdict[] = ['pass', 'not-applicable']
const panel = 110
const gap = 24

/** Two panels with scales of their own, so that three failures show beside 2,000 passes. */
export function verdictPlot(runs: readonly HistoryRun[], reportOf: ReportOf): Markup {
  const others = verdictsIn(runs).filter((verdict) => !quiet.includes(verdict))
  const height = 2 * panel + gap
  const step = inner / runs.length
  const upper = bars(runs, others, { top: 0, reportOf })
  const lower = bars(runs, verdictsIn(runs), { top: panel + gap, reportOf })
  return html`<svg class="plot" viewBox="0 0 ${width} ${height + 40}" role="group" aria-label="Rows by verdict in ${count(runs.length, 'run')}">
<text x="0" y="12">not passed</text><text x="0" y="${panel + gap + 12}">all rows</text>
${upper}${lower}${versionMarks(runs, height, (index) => left + index * step)}${dateAxis(runs, height + 34, (index) => left + (index + 0.5) * step)}</svg>`
}

interface Panel {
  top: number
  reportOf: ReportOf
}

function bars(runs: readonly HistoryRun[], shown: readonly Verdict[], { top, reportOf }: Panel): Markup {
  const sumOf = ({ counts }: HistoryRun): number => shown.reduce((sum, verdict) => sum + counts[verdict], 0)
  const most = Math.max(1, ...runs.map(sumOf))
  const step = inner / runs.length
  const drawn = runs.map((run, index) => {
    let y = top + panel
    const parts = shown.toReversed().map((verdict) => {
      const tall = (run.counts[verdict] / most) * (panel - 14)
      y -= tall
      return html`<rect class="${verdict}" x="${round(left + index * step + 1)}" y="${round(y)}" width="${round(Math.max(1, step - 2))}" height="${round(tall)}"/>`
    })
    const title = html`<title>${instant(run.startedAt)}: ${run.inWords}</title>`
    const report = reportOf(run)
    return report === undefined
      ? html`<g>${title}${parts}</g>`
      : html`<a href="${report}" aria-label="Report of ${instant(run.startedAt)}: ${run.inWords}">${title}${parts}</a>`
  })
  return html`<text x="${left - 6}" y="${top + 24}" text-anchor="end">${most}</text><text x="${left - 6}" y="${top + panel}" text-anchor="end">0</text>
${drawn}`
}

const shownDates = 8

/** The days of some runs; all have a title. */
function dateAxis(runs: readonly HistoryRun[], y: number, x: (index: number) => number): Markup[] {
  const every = Math.ceil(runs.length / shownDates)
  return runs.flatMap(({ startedAt }, index) =>
    index % every === 0
      ? [html`<text class="date" x="${round(x(index))}" y="${y}" text-anchor="middle">${startedAt.slice(0, 10)}</text>`]
      : [],
  )
}

/** Line: median; band: 5 % to 95 %. */
export function latencyPlot(operation: string, runs: readonly HistoryRun[]): Markup {
  const height = 140
  const points = runs.flatMap((run, index) => {
    const spread = run.latency.get(operation)
    return spread ? [{ spread, run, x: xOf(index, runs.length) }] : []
  })
  const most = Math.max(1, ...points.map(({ spread }) => spread.p95))
  const y = (milliseconds: number): number => round(height - (milliseconds / most) * (height - 12))
  const line = (of: (spread: Spread) => number, some = points): string =>
    some.map(({ x, spread }) => `${round(x)},${y(of(spread))}`).join(' ')
  const band = `${line(({ p95 }) => p95)} ${line(({ p5 }) => p5, points.toReversed())}`
  const dots = points.map(
    ({ x, spread, run }) =>
      html`<circle cx="${round(x)}" cy="${y(spread.median)}" r="3"><title>${instant(run.startedAt)}: ${spreadInWords(spread)}</title></circle>`,
  )
  return html`<svg class="plot latency" viewBox="0 0 ${width} ${height + 40}" role="img" aria-label="Response times of ${operation} in ${count(points.length, 'run')}">
<text x="${left - 6}" y="14" text-anchor="end">${inMilliseconds(most)}</text><text x="${left - 6}" y="${height}" text-anchor="end">0</text>
<polygon points="${band}"/><polyline points="${line(({ median }) => median)}"/>${dots}${versionMarks(runs, height, (index) => xOf(index, runs.length))}${dateAxis(runs, height + 34, (index) => Math.min(Math.max(xOf(index, runs.length), left + 30), width - 40))}</svg>`
}

function versionMarks(runs: readonly HistoryRun[], height: number, x: (index: number) => number): Markup[] {
  return runs.flatMap((run, index) => {
    const before = runs[index - 1]
    if (!before || (before.version === run.version && before.suite === run.suite)) return []
    const what = before.version === run.version ? `suite ${run.suite}` : run.version
    const at = round(x(index))
    return [
      html`<line class="version" x1="${at}" x2="${at}" y1="0" y2="${height}"/><text x="${at}" y="${height + 16}" text-anchor="middle">${what}</text>`,
    ]
  })
}

const round = (number: number): number => Math.round(number * 10) / 10
const inMilliseconds = (time: number): string => `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`

export const spreadInWords = ({ p5, median, p95, answers }: Spread): string =>
  `median ${inMilliseconds(median)}, 5 % to 95 %: ${inMilliseconds(p5)} to ${inMilliseconds(p95)}, ${count(answers, 'response')}`
