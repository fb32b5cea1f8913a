import { type Cause, failureGroups } from '../failure-groups.js'
import type { PageRow } from '../page-data.js'
import { isFailure } from '../rows.js'
import { count } from '../words.js'
import { Difference, GroupTitle } from './cause-list.js'
import type { LoadedRun } from './loaded-run.js'
import { Passages } from './passages.js'
import { RowLink } from './row-link.js'

/** Rows of one cause that are listed at once; a broken target can have hundreds. */
const listed = 10

/** What keeps the run from conforming, by rule and by cause: forty red rows read as three causes. */
export function FailuresView({ run }: { run: LoadedRun }) {
  const groups = failureGroups(run.rows, run.header, ({ rules }) => rules)
  const failed = run.rows.filter(isFailure).length
  const causes = groups.reduce((sum, group) => sum + group.causes.length, 0)
  return (
    <>
      <h2>Failures</h2>
      {failed === 0 ? (
        <p class="card">✓ No row keeps this run from conforming.</p>
      ) : (
        <p class="muted">
          {count(failed, 'row')} in {count(groups.length, 'group')}, {count(causes, 'cause')} in all. A row that fails
          several rules is in the group of each.
        </p>
      )}
      {groups.map((group) => (
        <section key={group.title} class="card group" aria-label={group.title}>
          <h3>
            <GroupTitle group={group} />
          </h3>
          {group.statement !== '' && <p class="rule-text">{group.statement}</p>}
          <Passages passages={group.passages} />
          {group.causes.map((cause) => (
            <CauseRows key={cause.sentence} cause={cause} run={run} />
          ))}
        </section>
      ))}
    </>
  )
}

function CauseRows({ cause, run }: { cause: Cause<PageRow>; run: LoadedRun }) {
  const link = (row: PageRow) => (
    <li key={run.keyOf(row)}>
      <RowLink run={run} row={row} />
    </li>
  )
  const more = cause.rows.slice(listed)
  return (
    <div class="cause-rows">
      <p>
        <span class="times">{cause.rows.length}×</span> <Difference cause={cause} />
      </p>
      <ul class="row-links">{cause.rows.slice(0, listed).map(link)}</ul>
      {more.length > 0 && (
        <details>
          <summary>{count(more.length, 'more row')}</summary>
          <ul class="row-links">{more.map(link)}</ul>
        </details>
      )}
    </div>
  )
}
