import { useMemo, useState } from 'preact/hooks'
import {
  type ChangeGroup,
  type ChangeListName,
  type Comparison,
  changeGroups,
  changeLists,
  compareRuns,
  regressionsInWords,
} from '../../summary/compare-runs.js'
import type { ComparedRow, ComparedRun, RunFacts } from '../../summary/compared-run.js'
import { wantedText } from '../../wording/fact-text.js'
import { reasonOf } from '../../wording/reason.js'
import { foundText } from '../../wording/reason-words.js'
import { subjectText } from '../../wording/rows.js'
import { count, duration, instant } from '../../wording/words.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import { comparedRun, type LoadedRun } from '../state/loaded-run.js'
import { addressOf, type Route } from '../state/route.js'
import { ChooseRun } from './choose-run.js'

interface CompareViewProps {
  run: LoadedRun
  baseline: RunFacts | undefined
  setBaseline: (run: RunFacts | undefined) => void
  route: Route
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
}: { run: LoadedRun; baseline: RunFacts } & Pick<CompareViewProps, 'setBaseline' | 'times'>) {
  const [showsTimes, setShowsTimes] = useState(times)
  const lists = changeLists.filter(([list]) => showsTimes || list !== 'changedTiming')
  const found = useMemo(() => compareRuns(baseline, comparedRun(run)), [baseline, run])
  const regressions = found.regressions
  const titleOf: TitleOf = (id) => run.byKey.get(id)?.resolved.title
  return (
    <>
      <section class={`card outcome ${regressions > 0 ? 'fail' : 'pass'}`} aria-labelledby="change">
        <span class="sign" aria-hidden="true">
          {regressions > 0 ? '✗' : '✓'}
        </span>
        <div>
          <h2 id="change">{regressionsInWords(found)}</h2>
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
      {baseline.problems.map((problem) => (
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
        <ChangeList key={list} list={list} title={title} found={found} titleOf={titleOf} />
      ))}
    </>
  )
}

/** Undefined for a row that this run lacks. */
type TitleOf = (id: string) => string | undefined

interface ChangeListProps {
  list: ChangeListName
  title: string
  found: Comparison
  titleOf: TitleOf
}

const listed = 50

function ChangeList({ list, title, found, titleOf }: ChangeListProps) {
  const groups = changeGroups(found, list)
  if (groups.length === 0) return null
  return (
    <section class={`card changes ${list}`} aria-labelledby={list}>
      <h3 id={list}>
        {title} <span class="tag strong">{found[list].length}</span>
      </h3>
      {groups.map((group) => (
        <ChangedRows key={`${group.verdicts} ${group.cause}`} list={list} group={group} titleOf={titleOf} />
      ))}
    </section>
  )
}

function ChangedRows({
  list,
  group: { cause, changes },
  titleOf,
}: {
  list: ChangeListName
  group: ChangeGroup
  titleOf: TitleOf
}) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? changes : changes.slice(0, listed)
  return (
    <>
      {cause !== '' && (
        <p>
          <span class="times">{changes.length}×</span> <span class="cause">{cause}</span>
        </p>
      )}
      <ul class="row-links">
        {shown.map(({ id, before, after }) => (
          <li key={id}>
            <a class="row-link" href={addressOf({ view: 'compare', row: id })}>
              {before && before.verdict !== after?.verdict && <VerdictBadge verdict={before.verdict} />}
              {before && after && before.verdict !== after.verdict && <span aria-hidden="true">→</span>}
              {after && <VerdictBadge verdict={after.verdict} />} <code>{id}</code>{' '}
              <span class="title">{titleOf(id)}</span>
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
    </>
  )
}

function CompareRow({ run, baseline, id }: { run: LoadedRun; baseline: RunFacts; id: string }) {
  const after = run.byKey.get(id)
  return (
    <article aria-labelledby="row-title">
      <h2 id="row-title">
        <code>{id}</code>
      </h2>
      <p class="row-title">{after?.resolved.title}</p>
      {after && (
        <p>
          <a href={addressOf({ view: 'rows', row: id })}>All details of this run</a>
        </p>
      )}
      <div class="two runs">
        <Side name="Before" run={baseline} row={baseline.rows.find((row) => row.id === id)} />
        <Side name="Now" run={comparedRun(run)} row={after} />
      </div>
    </article>
  )
}

function Side({ name, run, row }: { name: string; run: ComparedRun; row: ComparedRow | undefined }) {
  return (
    <section class="card" aria-label={name}>
      <h3>
        {name} <span class="muted">{instant(run.header.startedAt)}</span>
      </h3>
      {row ? <Judged row={row} /> : <p class="muted">The run does not contain this row.</p>}
    </section>
  )
}

function Judged({ row }: { row: ComparedRow }) {
  return (
    <>
      <p>
        <VerdictBadge verdict={row.verdict} /> <span class="muted">{duration(row.milliseconds)}</span>
      </p>
      {row.verdict !== 'pass' && <p class={`reason ${row.verdict}`}>{reasonOf(row)}</p>}
      <ul>
        {row.judgements.map((judgement, index) => (
          <li key={index}>
            <code>{subjectText(judgement)}</code>: expected <code>{wantedText(judgement)}</code>, found{' '}
            <code>{foundText(judgement)}</code>
          </li>
        ))}
      </ul>
    </>
  )
}
