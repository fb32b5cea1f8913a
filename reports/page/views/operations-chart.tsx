import { countVerdicts, verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { rowsByOperation } from '../../wording/rows.js'
import { count } from '../../wording/words.js'
import { ChartFrame } from '../parts/chart-frame.js'
import { VerdictBar } from '../parts/verdict-bar.js'
import { addressOf } from '../state/route.js'

/** Which operations the failures are in: one bar each, as long as it has rows. */
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
