import { Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import { countVerdicts, verdicts } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { compareRuns } from '../../summary/compare-runs.js'
import type { RunFacts } from '../../summary/compared-run.js'
import { type Cause, type FailureGroup, failureGroups, type Grouping, groupings } from '../../summary/failure-groups.js'
import { isFailure } from '../../wording/rows.js'
import { count } from '../../wording/words.js'
import { Difference, GroupTitle, keyOfCause, keyOfGroup } from '../parts/cause-list.js'
import { Passages } from '../parts/rule-cards.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import { comparedRun, type LoadedRun } from '../state/loaded-run.js'
import { addressOf, goTo, type Route } from '../state/route.js'

const listed = 10

interface FailuresViewProps {
  run: LoadedRun
  baseline: RunFacts | undefined
  route: Route
}

export function FailuresView({ run, baseline, route }: FailuresViewProps) {
  const failed = useMemo(() => run.rows.filter(isFailure), [run])
  const by = groupings.find((known) => known === route.by) ?? 'cause'
  const shown = failed.filter(({ resolved }) => route.operation === undefined || resolved.operation === route.operation)
  const parts = useMemo(() => partsOf(shown, run, baseline, by), [shown, run, baseline, by])
  const groups = parts.reduce((sum, [, found]) => sum + found.length, 0)
  return (
    <>
      <h2>Failures</h2>
      {failed.length === 0 ? (
        <p class="card">✓ No row failed.</p>
      ) : (
        <>
          <Choices failed={failed} by={by} operation={route.operation} />
          <p class="muted" role="status">
            {count(shown.length, 'row')} in {count(groups, 'group')}: {verdictCounts(shown)}.
            {by === 'rule' && ' A row that fails several rules is in the group of each.'}
          </p>
        </>
      )}
      {parts.map(([title, found]) => (
        <Fragment key={title}>
          {baseline && found.length > 0 && <h2>{title}</h2>}
          {found.map((group) => (
            <Group key={keyOfGroup(group)} label={`${title}: ${keyOfGroup(group)}`} group={group} run={run} />
          ))}
        </Fragment>
      ))}
    </>
  )
}

type Part = [title: string, groups: FailureGroup<PageRow>[]]

/** With a baseline, new failures before known ones. */
function partsOf(shown: PageRow[], run: LoadedRun, baseline: RunFacts | undefined, by: Grouping): Part[] {
  const groups = (rows: PageRow[]) => failureGroups(rows, run.header, ({ rules }) => rules, by)
  if (!baseline) return [['Failures', groups(shown)]]
  const known = new Set<unknown>(compareRuns(baseline, comparedRun(run)).knownFailures)
  return [
    ['New failures', groups(shown.filter((row) => !known.has(row)))],
    ['Known failures', groups(shown.filter((row) => known.has(row)))],
  ]
}

const verdictCounts = (rows: readonly PageRow[]): string => {
  const counts = countVerdicts(rows.map(({ verdict }) => verdict))
  return verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [])).join(', ')
}

function Group({ label, group, run }: { label: string; group: FailureGroup<PageRow>; run: LoadedRun }) {
  return (
    <section class="card group" aria-label={label}>
      <h3>
        <GroupTitle group={group} />
      </h3>
      {group.statement !== '' && <p class="rule-text">{group.statement}</p>}
      <Passages passages={group.passages} />
      {group.causes.map((cause) => (
        <CauseRows key={keyOfCause(cause)} cause={cause} run={run} />
      ))}
    </section>
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

function RowLink({ run, row }: { run: LoadedRun; row: PageRow }) {
  return (
    <a class="row-link" href={addressOf({ view: 'rows', row: run.keyOf(row) })}>
      <VerdictBadge verdict={row.verdict} /> <code>{row.id}</code> <span class="title">{row.resolved.title}</span>
    </a>
  )
}
