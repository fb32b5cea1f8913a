/** The plots of a history as SVG; a table contains the same numbers. */
import { html, type Markup } from '../formats/html-escape.js'
import { count, instant } from '../wording/words.js'
import { type RunFacts, type Spread, verdictsIn } from './run-facts.js'

const width = 900
const left = 60
const inner = width - left - 10

const xOf = (index: number, total: number): number => left + (total === 1 ? inner / 2 : (index * inner) / (total - 1))

/** A bar for each run, in the colors of its verdicts. */
export function verdictPlot(runs: readonly RunFacts[]): Markup {
  const height = 160
  const most = Math.max(1, ...runs.map(({ verdicts }) => verdicts.size))
  const step = inner / runs.length
  const bars = runs.map((run, index) => {
    let y = height
    const parts = verdictsIn([run])
      .toReversed()
      .map((verdict) => {
        const tall = (run.counts[verdict] / most) * (height - 10)
        y -= tall
        return html`<rect class="${verdict}" x="${left + index * step + 1}" y="${round(y)}" width="${round(Math.max(1, step - 2))}" height="${round(tall)}"/>`
      })
    return html`<g><title>${instant(run.startedAt)}: ${run.inWords}</title>${parts}</g>`
  })
  return html`<svg class="plot" viewBox="0 0 ${width} ${height + 24}" role="img" aria-label="Rows by verdict in ${count(runs.length, 'run')}">
<text x="${left - 6}" y="14" text-anchor="end">${most}</text><text x="${left - 6}" y="${height}" text-anchor="end">0</text>
${bars}${versionMarks(runs, height, (index) => left + index * step)}</svg>`
}

/** Line: median; band: 5 % to 95 %. */
export function latencyPlot(operation: string, runs: readonly RunFacts[]): Markup {
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
  return html`<svg class="plot latency" viewBox="0 0 ${width} ${height + 24}" role="img" aria-label="Response times of ${operation} in ${count(points.length, 'run')}">
<text x="${left - 6}" y="14" text-anchor="end">${inMilliseconds(most)}</text><text x="${left - 6}" y="${height}" text-anchor="end">0</text>
<polygon points="${band}"/><polyline points="${line(({ median }) => median)}"/>${dots}${versionMarks(runs, height, (index) => xOf(index, runs.length))}</svg>`
}

/** Marks the runs with another version of target or suite than the previous run. */
function versionMarks(runs: readonly RunFacts[], height: number, x: (index: number) => number): Markup[] {
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
