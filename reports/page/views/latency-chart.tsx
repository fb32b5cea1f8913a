/** A histogram of the response times of requests under test. */
import type { PageRow } from '../../formats/page-data.js'
import { type LatencyBar, latencyOf } from '../../summary/latency.js'
import { duration } from '../../wording/words.js'
import { ChartFrame } from '../parts/chart-frame.js'

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

/** The lower bound of the bar, without the unit ms to save space. */
const shortLabel = (label: string): string =>
  label
    .replace(/ to .*/, '')
    .replace('up to ', '≤ ')
    .replace('over ', '> ')
    .replace(/ ms$/, '')
