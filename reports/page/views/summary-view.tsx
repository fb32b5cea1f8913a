import { useMemo } from 'preact/hooks'
import type { RunHeader } from '../../../record/types/record.js'
import { type VerdictCounts, verdictMeaning } from '../../../record/types/verdict.js'
import { type Comparison, compareRuns, regressionsInWords, rowsOf } from '../../summary/compare-runs.js'
import type { RunFacts } from '../../summary/compared-run.js'
import { failureGroups } from '../../summary/failure-groups.js'
import { judgedBy } from '../../wording/run-text.js'
import { possibleVerdicts, verdictIcon } from '../../wording/terms.js'
import { count, instant } from '../../wording/words.js'
import { CauseList, keyOfGroup } from '../parts/cause-list.js'
import { comparedRun, type LoadedRun } from '../state/loaded-run.js'
import { Outcome } from '../state/outcome.js'
import { addressOf } from '../state/route.js'
import { LatencyChart, OperationsChart, VerdictBar } from './charts.js'
import { Facts, NotTested, RemainingState, Waivers } from './summary-cards.js'

const groupsShown = 5

export function SummaryView({ run, baseline }: { run: LoadedRun; baseline: RunFacts | undefined }) {
  const { header, conclusion, rows } = run
  const found = useMemo(() => baseline && compareRuns(baseline, comparedRun(run)), [baseline, run])
  const shown = found ? rowsOf(run, found.newlyFailing) : rows
  const groups = useMemo(() => failureGroups(shown, header, ({ rules }) => rules), [found, run])
  return (
    <>
      <Outcome conclusion={conclusion} profile={judgedBy(header)} />
      {baseline && found && <Regressions baseline={baseline} found={found} />}
      <VerdictTiles counts={conclusion.counts} header={header} />
      {groups.length > 0 && (
        <section class="card" aria-labelledby="causes">
          <h2 id="causes">{found ? 'New failures by cause' : 'Failures by cause'}</h2>
          {groups.slice(0, groupsShown).map((group) => (
            <CauseList key={keyOfGroup(group)} group={group} />
          ))}
          <p>
            <a href={addressOf({ view: 'failures' })}>
              {found ? 'All failures' : `All ${count(groups.length, 'group')}`} with their rows
            </a>
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

function Regressions({ baseline, found }: { baseline: RunFacts; found: Comparison }) {
  const isWorse = found.regressions > 0
  return (
    <section class={`card outcome ${isWorse ? 'fail' : 'pass'}`} aria-labelledby="regressions">
      <span class="sign" aria-hidden="true">
        {isWorse ? '✗' : '✓'}
      </span>
      <div>
        <h2 id="regressions">{regressionsInWords(found)}</h2>
        <p>
          Compared with {baseline.header.run} ({instant(baseline.header.startedAt)}).
        </p>
      </div>
    </section>
  )
}

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
