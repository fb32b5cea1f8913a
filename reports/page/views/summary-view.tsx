import { failureGroups } from '../../summary/failure-groups.js'
import { judgedBy } from '../../wording/judged-by.js'
import { count } from '../../wording/words.js'
import { CauseList } from '../parts/cause-list.js'
import { VerdictTiles } from '../parts/verdict-tiles.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { Outcome } from '../state/outcome.js'
import { addressOf } from '../state/route.js'
import { Facts } from './facts.js'
import { LatencyChart } from './latency-chart.js'
import { NotTested } from './not-tested.js'
import { OperationsChart } from './operations-chart.js'
import { RemainingState } from './remaining-state.js'
import { Waivers } from './waivers.js'

/** Groups of failures that the summary names; the failures have a view of their own. */
const namedGroups = 5

/** What a reviewer needs before anything else. */
export function SummaryView({ run }: { run: LoadedRun }) {
  const { header, conclusion, rows } = run
  const groups = failureGroups(rows, header, ({ rules }) => rules)
  return (
    <>
      <Outcome conclusion={conclusion} profile={judgedBy(header)} />
      <VerdictTiles counts={conclusion.counts} header={header} />
      {groups.length > 0 && (
        <section class="card" aria-labelledby="causes">
          <h2 id="causes">What failed, by cause</h2>
          {groups.slice(0, namedGroups).map((group) => (
            <CauseList key={group.title} group={group} />
          ))}
          <p>
            <a href={addressOf({ view: 'failures' })}>All {count(groups.length, 'group')} with their rows</a>
          </p>
        </section>
      )}
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">What was tested</h2>
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
