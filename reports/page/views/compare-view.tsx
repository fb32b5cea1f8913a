import { useMemo, useState } from 'preact/hooks'
import { changeLists, compareRuns } from '../../compare/compare-runs.js'
import { count, instant } from '../../wording/words.js'
import { ChangeList } from '../parts/change-list.js'
import { CompareRow } from '../row/compare-row.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, type Route } from '../state/route.js'
import { ChooseRun } from './choose-run.js'

export interface CompareViewProps {
  run: LoadedRun
  baseline: LoadedRun | undefined
  setBaseline: (run: LoadedRun | undefined) => void
  route: Route
  /** Whether times are told from the beginning. */
  times: boolean
}

/** What is new in this run against an earlier one, which is in the file or is chosen by the reader. */
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
            This run ({run.header.run}, {instant(run.header.startedAt)}) against {baseline.header.run} of{' '}
            {instant(baseline.header.startedAt)}; {count(found.unchanged, 'row')} as before.
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
              Rows that took much longer or shorter, too
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
          ! The earlier run: {problem}
        </p>
      ))}
      {found.settings.length > 0 && (
        <section class="card" aria-labelledby="settings">
          <h3 id="settings">The runs were not alike</h3>
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
