/** The exchanges of a row on a time axis. */
import type { Evidence } from '../../../record/types/record.js'
import type { PageStep } from '../../formats/page-data.js'
import { cut } from '../../wording/hostile-text.js'
import { stepName } from '../../wording/step-words.js'
import { count, duration } from '../../wording/words.js'

const width = 640
/** Width of the names. */
const margin = 190
const lineHeight = 20

/** Empty for a single exchange. */
export function Timeline({ evidence, steps }: { evidence: Evidence[]; steps: PageStep[] }) {
  const sent = evidence.filter(({ problem }) => problem?.code !== 'not-sent')
  if (sent.length < 2) return null
  const begins = sent.map(({ startedAt }) => Date.parse(startedAt))
  const first = Math.min(...begins)
  const ends = sent.map(({ milliseconds }, index) => (begins[index] ?? first) - first + milliseconds)
  const span = Math.max(1, ...ends)
  const text = sent.map((one) => `${stepName({ steps }, one)} ${duration(one.milliseconds)}`).join(', ')
  const scale = (milliseconds: number) => ((width - margin) * milliseconds) / span
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${width} ${sent.length * lineHeight}`}
      role="img"
      aria-label={`${count(sent.length, 'exchange')} in ${duration(span)}: ${text}`}
    >
      {sent.map((one, index) => (
        <g key={index} class={one.role}>
          <text x={margin - 10} y={index * lineHeight + 14}>
            {cut(stepName({ steps }, one), 20)} {duration(one.milliseconds)}
          </text>
          <rect
            x={margin + scale((begins[index] ?? first) - first)}
            y={index * lineHeight + 3}
            width={Math.max(2, scale(one.milliseconds))}
            height={lineHeight - 6}
            rx="2"
          />
        </g>
      ))}
    </svg>
  )
}
