/** The summary of the run. */

import type { RunHeader } from '../../../record/types/record.js'
import { countVerdicts, type VerdictCounts, verdictMeaning, verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { failureGroups } from '../../summary/failure-groups.js'
import { possibleVerdicts } from '../../summary/possible-verdicts.js'
import { judgedBy } from '../../wording/judged-by.js'
import { rowsByOperation } from '../../wording/rows.js'
import { verdictIcon } from '../../wording/verdict-text.js'
import { count } from '../../wording/words.js'
import { CauseList } from '../parts/cause-list.js'
import { ChartFrame } from '../parts/chart-frame.js'
import { VerdictBar } from '../parts/verdict-bar.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Outcome } from '../state/outcome.js'
import { addressOf } from '../state/route.js'
import { Facts } from './facts.js'
import { LatencyChart } from './latency-chart.js'
import { NotTested } from './not-tested.js'
import { RemainingState } from './remaining-state.js'
import { Waivers } from './waivers.js'

/** Groups of failures in the summary. */
const groupsShown = 5

export function SummaryView({ run }: { run: LoadedRun }) {
  const { header, conclusion, rows } = run
  const groups = failureGroups(rows, header, ({ rules }) => rules)
  return (
    <>
      <Outcome conclusion={conclusion} profile={judgedBy(header)} />
      <VerdictTiles counts={conclusion.counts} header={header} />
      {groups.length > 0 && (
        <section class="card" aria-labelledby="causes">
          <h2 id="causes">Failures by cause</h2>
          {groups.slice(0, groupsShown).map((group) => (
            <CauseList key={group.title} group={group} />
          ))}
          <p>
            <a href={addressOf({ view: 'failures' })}>All {count(groups.length, 'group')} with their rows</a>
          </p>
        </section>
      )}
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">Test setup</h2>
        <Facts run={run} />
      </section>
      <Waivers run={run} />
      <NotTested run={run} />
      <RemainingState run={run} />
      <div class="side-by-side">
        <OperationsChart rows={rows} />
        <LatencyChart rows={rows} />
      </div>
    </>
  )
}

/** Every possible verdict with its count, including zero. */
function VerdictTiles({ counts, header }: { counts: VerdictCounts; header: RunHeader }) {
  return (
    <section class="card" aria-labelledby="verdicts">
      <h2 id="verdicts">Rows by verdict</h2>
      <VerdictBar counts={counts} />
      <ul class="tiles">
        {possibleVerdicts(counts, header).map((verdict) => (
          <li key={verdict} class={counts[verdict] > 0 ? verdict : 'none'} data-count={verdict}>
            <a href={addressOf({ view: 'rows', search: `verdict:${verdict}` })}>
              <span class="number">{counts[verdict]}</span> <span aria-hidden="true">{verdictIcon[verdict]}</span>{' '}
              <strong>{verdict}</strong>
            </a>
            <small>{verdictMeaning[verdict]}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A bar for each operation, with a length proportional to its rows. */
function OperationsChart({ rows }: { rows: PageRow[] }) {
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
