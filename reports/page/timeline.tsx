import type { Evidence } from '../../record/record.js'
import { cut } from '../hostile-text.js'
import { count, duration } from '../words.js'

const width = 640
/** Where the names end and the bars begin. */
const margin = 190
const lineHeight = 20

/** When each exchange of a row began and how long it took, as bars over one time. One alone needs no picture. */
export function Timeline({ evidence }: { evidence: Evidence[] }) {
  const sent = evidence.filter(({ problem }) => problem?.code !== 'not-sent')
  if (sent.length < 2) return null
  const begins = sent.map(({ startedAt }) => Date.parse(startedAt))
  const first = Math.min(...begins)
  const ends = sent.map(({ milliseconds }, index) => (begins[index] ?? first) - first + milliseconds)
  const span = Math.max(1, ...ends)
  const text = sent.map(({ step, milliseconds }) => `${step} ${duration(milliseconds)}`).join(', ')
  const scale = (milliseconds: number) => ((width - margin) * milliseconds) / span
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${width} ${sent.length * lineHeight}`}
      role="img"
      aria-label={`${count(sent.length, 'exchange')} in ${duration(span)}: ${text}`}
    >
      {sent.map(({ step, milliseconds, purpose }, index) => (
        <g key={index} class={purpose}>
          <text x={margin - 10} y={index * lineHeight + 14}>
            {cut(step, 20)} {duration(milliseconds)}
          </text>
          <rect
            x={margin + scale((begins[index] ?? first) - first)}
            y={index * lineHeight + 3}
            width={Math.max(2, scale(milliseconds))}
            height={lineHeight - 6}
            rx="2"
          />
        </g>
      ))}
    </svg>
  )
}
