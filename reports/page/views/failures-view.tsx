/** The failed rows in groups; the address contains the grouping and the operation. */
import { useMemo } from 'preact/hooks'
import type { PageRow } from '../../formats/page-data.js'
import { type Cause, failureGroups, type Grouping, groupings } from '../../summary/failure-groups.js'
import { isFailure } from '../../wording/rows.js'
import { count } from '../../wording/words.js'
import { Difference, GroupTitle } from '../parts/cause-list.js'
import { Passages } from '../parts/passages.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, goTo, type Route } from '../state/route.js'

/** Rows of one cause before "more rows". */
const listed = 10

export function FailuresView({ run, route }: { run: LoadedRun; route: Route }) {
  const failed = useMemo(() => run.rows.filter(isFailure), [run])
  const by = groupings.find((known) => known === route.by) ?? 'cause'
  const shown = failed.filter(({ resolved }) => route.operation === undefined || resolved.operation === route.operation)
  const groups = useMemo(() => failureGroups(shown, run.header, ({ rules }) => rules, by), [shown, run, by])
  return (
    <>
      <h2>Failures</h2>
      {failed.length === 0 ? (
        <p class="card">✓ No row failed.</p>
      ) : (
        <>
          <Choices failed={failed} by={by} operation={route.operation} />
          <p class="muted" role="status">
            {count(shown.length, 'row')} in {count(groups.length, 'group')}.
            {by === 'rule' && ' A row that fails several rules is in the group of each.'}
          </p>
        </>
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

interface ChoicesProps {
  failed: PageRow[]
  by: Grouping
  operation: string | undefined
}

function Choices({ failed, by, operation }: ChoicesProps) {
  const operations = [...new Set(failed.map(({ resolved }) => resolved.operation))]
  const show = (grouping: Grouping, chosen: string) =>
    goTo({ view: 'failures', by: grouping, ...(chosen !== '' && { operation: chosen }) }, 'replace')
  return (
    <div class="choices">
      <fieldset class="segments">
        <legend>Group by</legend>
        {groupings.map((name) => (
          <label key={name}>
            <input type="radio" name="grouping" checked={by === name} onChange={() => show(name, operation ?? '')} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <label>
        Operation{' '}
        <select value={operation ?? ''} onChange={(event) => show(by, event.currentTarget.value)}>
          <option value="">all</option>
          {operations.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
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
      {cause.rules.length > 0 && (
        <p class="muted">
          Failed rules: {cause.rules.map(([rule, rows]) => `${rule} (${count(rows, 'row')})`).join(', ')}
        </p>
      )}
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

/** One line that leads to a row. */
function RowLink({ run, row }: { run: LoadedRun; row: PageRow }) {
  return (
    <a class="row-link" href={addressOf({ view: 'rows', row: run.keyOf(row) })}>
      <VerdictBadge verdict={row.verdict} /> <code>{row.id}</code> <span class="title">{row.resolved.title}</span>
    </a>
  )
}
