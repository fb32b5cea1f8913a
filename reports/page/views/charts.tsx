import type { ComponentChildren } from 'preact'
import { countVerdicts, type VerdictCounts, verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { type LatencyBar, latencyOf } from '../../summary/latency.js'
import { rowsByOperation } from '../../wording/rows.js'
import { count, duration } from '../../wording/words.js'
import { SimpleTable } from '../parts/scroll-box.js'
import { addressOf } from '../state/route.js'

export function OperationsChart({ rows }: { rows: PageRow[] }) {
  const operations = [...rowsByOperation({ rows })].map(([name, found]) => ({
    name,
    total: found.length,
    counts: countVerdicts(found.map(({ verdict }) => verdict)),
  }))
  const most = Math.max(1, ...operations.map(({ total }) => total))
  const shown = verdicts.filter((verdict) => operations.some(({ counts }) => counts[verdict] > 0))
  return (
    <ChartFrame
      id="by-operation"
      title="Verdicts by operation"
      summary={`${count(rows.length, 'row')} of ${count(operations.length, 'operation')}`}
      columns={['operation', ...shown, 'rows']}
      lines={operations.map(({ name, counts, total }) => [name, ...shown.map((verdict) => counts[verdict]), total])}
    >
      <ul class="bars">
        {operations.map(({ name, total, counts }) => (
          <li key={name}>
            <a href={addressOf({ view: 'rows', search: `operation:${name.includes(' ') ? `"${name}"` : name}` })}>
              {name}
            </a>
            <span class="muted">
              {shown.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [])).join(', ')}
            </span>
            <div class="bar-box" style={{ width: `${(100 * total) / most}%` }}>
              <VerdictBar counts={counts} />
            </div>
          </li>
        ))}
      </ul>
    </ChartFrame>
  )
}

const width = 480
const height = 170
const floor = height - 34
const top = 18

export function LatencyChart({ rows }: { rows: PageRow[] }) {
  const latency = latencyOf(rows.flatMap(({ times }) => times))
  if (!latency) return null
  const { bars, median, p95, longest, total } = latency
  const summary = `${total} responses: 50 % within ${duration(median)}, 95 % within ${duration(p95)}, slowest ${duration(longest)}`
  return (
    <ChartFrame
      id="latency"
      title="Response times"
      summary={summary}
      columns={['time', 'responses']}
      lines={bars.map(({ label, count }) => [label, count])}
    >
      <svg class="histogram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Response times. ${summary}.`}>
        <line x1="0" x2={width} y1={floor} y2={floor} />
        {bars.map((bar, index) => (
          <Bar key={bar.label} bar={bar} index={index} bars={bars} />
        ))}
      </svg>
      <p class="muted">Each bar is labeled with its lower bound, in milliseconds if it has no unit.</p>
    </ChartFrame>
  )
}

function Bar({ bar, index, bars }: { bar: LatencyBar; index: number; bars: LatencyBar[] }) {
  const most = Math.max(...bars.map(({ count }) => count))
  const slot = width / bars.length
  const tall = bar.count === 0 ? 0 : Math.max(2, ((floor - top) * bar.count) / most)
  const middle = slot * (index + 0.5)
  return (
    <g>
      <rect x={slot * index + slot * 0.12} width={slot * 0.76} y={floor - tall} height={tall} rx="2" />
      {bar.count > 0 && (
        <text x={middle} y={floor - tall - 5}>
          {bar.count}
        </text>
      )}
      <text class="label" x={middle} y={floor + 15}>
        {shortLabel(bar.label)}
      </text>
    </g>
  )
}

const shortLabel = (label: string): string =>
  label
    .replace(/ to .*/, '')
    .replace('up to ', '≤ ')
    .replace('over ', '> ')
    .replace(/ ms$/, '')

interface ChartFrameProps {
  id: string
  title: string
  summary: string
  columns: string[]
  lines: (string | number)[][]
  children: ComponentChildren
}

function ChartFrame({ id, title, summary, columns, lines, children }: ChartFrameProps) {
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="muted">{summary}</p>
      {children}
      <details>
        <summary>Numbers</summary>
        <SimpleTable name={`${title}: numbers`} columns={columns}>
          {lines.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </SimpleTable>
      </details>
    </section>
  )
}

/** Hidden from screen readers: the numbers are beside it. */
export function VerdictBar({ counts }: { counts: VerdictCounts }) {
  const total = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  let before = 0
  const parts = verdicts.flatMap((verdict) => {
    const x = (100 * before) / Math.max(1, total)
    before += counts[verdict]
    const width = (100 * counts[verdict]) / Math.max(1, total)
    return width > 0 ? [<rect key={verdict} class={verdict} x={`${x}%`} width={`${width}%`} height="100%" />] : []
  })
  return (
    <svg class="bar" aria-hidden="true">
      {parts}
    </svg>
  )
}
