/** The shares of the verdicts as one bar. */
import { type VerdictCounts, verdicts } from '../../../record/types/verdict.js'

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
