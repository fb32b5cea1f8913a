/** The comparison with an earlier run, from the file or selected by the reader. */
import { useMemo, useState } from 'preact/hooks'
import {
  type ChangeListName,
  type Comparison,
  changeLines,
  changeLists,
  compareRuns,
} from '../../compare/compare-runs.js'
import type { PageRow } from '../../formats/page-data.js'
import { count, duration, instant } from '../../wording/words.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import { CompareRow } from '../row/compare-row.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, type Route } from '../state/route.js'
import { ChooseRun } from './choose-run.js'

export interface CompareViewProps {
  run: LoadedRun
  baseline: LoadedRun | undefined
  setBaseline: (run: LoadedRun | undefined) => void
  route: Route
  /** The comparison initially contains changed timing. */
  times: boolean
}

export function CompareView({ run, baseline, setBaseline, route, times }: CompareViewProps) {
  if (!baseline) return <ChooseRun setBaseline={setBaseline} />
  if (route.row !== undefined) {
    return (
      <>
        <p class="back">
          <a href={addressOf({ view: 'compare' })}>← Back to all changes</a>
        </p>
        <CompareRow run={run} baseline={baseline} id={route.row} />
      </>
    )
  }
  return <Changes run={run} baseline={baseline} setBaseline={setBaseline} times={times} />
}

function Changes({
  run,
  baseline,
  setBaseline,
  times,
}: { run: LoadedRun; baseline: LoadedRun } & Pick<CompareViewProps, 'setBaseline' | 'times'>) {
  const [showsTimes, setShowsTimes] = useState(times)
  const lists = changeLists.filter(([list]) => showsTimes || list !== 'changedTiming')
  const found = useMemo(() => compareRuns(baseline, run), [baseline, run])
  const regressions = found.regressions
  return (
    <>
      <section class={`card outcome ${regressions > 0 ? 'fail' : 'pass'}`} aria-labelledby="change">
        <span class="sign" aria-hidden="true">
          {regressions > 0 ? '✗' : '✓'}
        </span>
        <div>
          <h2 id="change">{regressions > 0 ? count(regressions, 'regression') : 'No regression'}</h2>
          <p>
            This run ({run.header.run}, {instant(run.header.startedAt)}), compared with {baseline.header.run} (
            {instant(baseline.header.startedAt)}): {count(found.unchanged, 'row')} unchanged.
          </p>
          <p>
            <button type="button" onClick={() => setBaseline(undefined)}>
              Compare with another run
            </button>{' '}
            <label>
              <input
                type="checkbox"
                checked={showsTimes}
                onChange={({ currentTarget }) => setShowsTimes(currentTarget.checked)}
              />{' '}
              Show rows with much longer or shorter times
            </label>
          </p>
        </div>
      </section>
      <ul class="change-counts card" aria-label="Changes by kind">
        {lists.map(([list, title]) => (
          <li key={list} class={found[list].length > 0 ? 'some' : ''}>
            <span class="number">{found[list].length}</span> {title}
          </li>
        ))}
      </ul>
      {baseline.conclusion.problems.map((problem) => (
        <p key={problem} class="note" role="alert">
          ! Earlier run: {problem}
        </p>
      ))}
      {found.settings.length > 0 && (
        <section class="card" aria-labelledby="settings">
          <h3 id="settings">Different settings</h3>
          <ul class="plain">
            {found.settings.map(({ name, before, after }) => (
              <li key={name}>
                {name}: <code>{before}</code> → <code>{after}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {lists.map(([list, title]) => (
        <ChangeList key={list} list={list} title={title} found={found} />
      ))}
    </>
  )
}

interface ChangeListProps {
  list: ChangeListName
  title: string
  found: Comparison<PageRow>
}

/** Rows before "Show all". */
const listed = 50

function ChangeList({ list, title, found }: ChangeListProps) {
  const [isAll, setAll] = useState(false)
  const changes = changeLines(found, list)
  if (changes.length === 0) return null
  const shown = isAll ? changes : changes.slice(0, listed)
  return (
    <section class={`card changes ${list}`} aria-labelledby={list}>
      <h3 id={list}>
        {title} <span class="tag strong">{changes.length}</span>
      </h3>
      <ul class="row-links">
        {shown.map(({ id, before, after }) => (
          <li key={id}>
            <a class="row-link" href={addressOf({ view: 'compare', row: id })}>
              {before && before.verdict !== after?.verdict && <VerdictBadge verdict={before.verdict} />}
              {before && after && before.verdict !== after.verdict && <span aria-hidden="true">→</span>}
              {after && <VerdictBadge verdict={after.verdict} />} <code>{id}</code>{' '}
              <span class="title">{(after ?? before)?.resolved.title}</span>
              {list === 'changedTiming' && before && after && (
                <span class="muted">
                  {duration(before.milliseconds)} → {duration(after.milliseconds)}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      {changes.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {changes.length}
        </button>
      )}
    </section>
  )
}
